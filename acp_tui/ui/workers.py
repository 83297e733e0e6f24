"""What a worker does, begun by the worker: a screen that closes before leaves no coroutine nobody awaits."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from functools import partial
from typing import Any, ParamSpec

P = ParamSpec("P")


def later(
    work: Callable[P, Coroutine[Any, Any, object]], *args: P.args, **named: P.kwargs
) -> Callable[[], Any]:
    """For Textual's `run_worker`, instead of `work(…)`.

    A bare `partial` would do the same, but Textual's types do not take the coroutine of an async method.
    """
    return partial(work, *args, **named)
