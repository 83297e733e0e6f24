from __future__ import annotations

import copy
import json
import time
from typing import Any

import pytest

from acp_tui.base import redact

SECRET = "hunter2-hunter2"


def new_session(server: dict[str, Any]) -> dict[str, Any]:
    return {"id": 1, "method": "session/new", "params": {"cwd": "/w", "mcpServers": [server]}}


@pytest.mark.parametrize(
    "raw",
    [
        new_session({"type": "stdio", "command": "x", "env": [{"name": "KEY", "value": SECRET}]}),
        new_session({"type": "http", "url": "https://h/", "headers": [{"name": "X-Key", "value": SECRET}]}),
        new_session({"type": "http", "url": f"https://u:{SECRET}@h/p"}),
        new_session({"type": "http", "url": f"https://h/p?a=1&access_token={SECRET}#x"}),
        new_session({"type": "http", "url": "https://h", "_meta": {"x": {"apiKey": SECRET, "n": 1}}}),
        {"id": 1, "method": "a", "params": {"rawInput": {"env": {"A": SECRET, "B": {"c": [SECRET]}}}}},
        {"id": 1, "method": "a", "params": {"env": [f"A={SECRET}"], "headers": [f"Authorization: {SECRET}"]}},
        {"id": 1, "method": "auth/login", "params": {"methodId": "key", "apiKey": SECRET}},
        {"id": 2, "result": {"action": "accept", "content": {"name": SECRET, "pin": 1}}},
        {"method": "a", "params": {"_meta": {"authorization": {"scheme": "x", "value": SECRET}}}},
    ],
)
def test_secrets_are_masked_and_the_original_stays(raw: dict[str, Any]) -> None:
    before = copy.deepcopy(raw)
    kept = json.dumps(redact.message(raw))
    assert SECRET not in kept
    assert redact.MASK in kept
    assert raw == before


def test_what_was_there_stays_recognisable() -> None:
    raw = new_session(
        {"type": "stdio", "command": "x", "env": [{"name": "KEY", "value": SECRET, "note": "n"}]}
    )
    (server,) = redact.message(raw)["params"]["mcpServers"]
    assert server["env"] == [{"name": "KEY", "value": redact.MASK, "note": redact.MASK}]
    assert server["command"] == "x"


@pytest.mark.parametrize(
    "raw",
    [
        {"method": "session/update", "params": {"update": {"content": {"type": "text", "text": SECRET}}}},
        {"id": 1, "result": {"outcome": {"outcome": "selected", "optionId": "accept"}}},
        {"id": 1, "result": {"action": "decline", "content": None}},
        {"method": "a", "params": {"_meta": {"inputTokens": 12, "name": "x"}, "uri": "file:///a?b=1"}},
        {"method": "a", "params": {"env": None, "headers": "none", "url": 7, "uri": None, "_meta": 3}},
        {"id": 1, "error": {"code": 1, "message": "m"}},
    ],
)
def test_what_holds_no_secret_is_the_same_object(raw: dict[str, Any]) -> None:
    assert redact.message(raw) is raw


@pytest.mark.parametrize(
    "value",
    [
        f"key sk-{SECRET * 2} end",
        f"OPENAI_API_KEY={SECRET}",
        f"my-token: '{SECRET}'",
        f"Authorization: Bearer {SECRET}",
        f"cloning https://bob:{SECRET}@example.org/x",
        f"GET /x?token={SECRET}&b=1",
    ],
)
def test_free_text_is_masked_by_shape(value: str) -> None:
    kept = redact.text(value)
    assert SECRET not in kept
    assert redact.MASK in kept


def test_innocent_text_stays() -> None:
    value = "error: tokens used 12, see https://example.org/a?b=c and mail a@b.c"
    assert redact.text(value) == value


def test_command_lines() -> None:
    words = [
        "agent",
        "--api-key",
        SECRET,
        "--token=x",
        "-v",
        "MY_SECRET=abc",
        "--model",
        "big",
        "--password",
        "-q",
    ]
    masked = redact.MASK
    assert redact.command(words) == [
        *("agent", "--api-key", masked, f"--token={masked}", "-v", f"MY_SECRET={masked}"),
        *("--model", "big", "--password", "-q"),
    ]


def test_where_a_secret_is_kept_is_no_secret() -> None:
    shape = "sk-" + "a1" * 12
    words = ["agent", "--token-env", "MY_TOKEN", "--token-file=/home/me/token", "--token-env", shape]
    assert redact.command(words) == [*words[:-1], redact.MASK]


@pytest.mark.parametrize("unit", ["a", "eyJ-", "token", "?", "://", "sk-", "bearer ", "token = ", "?a", "@"])
def test_hostile_text_costs_linear_time(unit: str) -> None:
    def cost(size: int) -> float:
        value = unit * (size // len(unit))
        start = time.process_time()
        redact.text(value)
        redact.shared(value)
        return time.process_time() - start

    once = min(cost(50_000) for _ in range(3))
    assert min(cost(400_000) for _ in range(2)) < 30 * max(once, 0.001), "8 times as much, not 64"


@pytest.mark.parametrize(
    ("said", "shared"),
    [
        ("password: hunter2", "password: [redacted]"),
        ("password=correcthorse", "password=[redacted]"),
        ("TOKEN=swordfish(1)", "TOKEN=[redacted]"),
        ('{"access_token": "identifier"}', '{"access_token": "[redacted]"}'),
        ("access_token=ya29.A0ARrdaM&x=1", "access_token=[redacted]&x=1"),
        ("use sk-abcdefghijklmnopqrstuv, please", "use [redacted], please"),
        ("Authorization: Bearer abcdefgh12", "Authorization: Bearer [redacted]"),
        ("https://u:p@x.y/?token=abc", "https://[redacted]@x.y/?token=[redacted]"),
    ],
)
def test_what_is_shared_holds_no_secret(said: str, shared: str) -> None:
    assert redact.shared(said) == shared
    assert redact.shared(shared) == shared


@pytest.mark.parametrize(
    "code",
    [
        "token = self.next()",
        "token: Token",
        "secret: Optional[str] = None",
        "api_key = get_key(2)",
        "api_key=os.environ['X']",
        "password: string",
        "password = args.password",
        "max_tokens=4096",
        "tokens: 12345",
        "API key:\n```python\nx = 1\n```",
        "if token == expected:",
    ],
)
def test_code_is_shared_as_it_is(code: str) -> None:
    assert redact.shared(code) == code
