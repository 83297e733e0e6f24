from __future__ import annotations

from typing import Any

import pytest

from acp_tui.store.entities import AgentRequest, Message
from acp_tui.store.keys import Key, Kind
from acp_tui.store.session import Session
from acp_tui.store.store import CONNECTION, REQUESTS, SESSIONS, Store


def key(number: int, session: str = "s1") -> Key:
    return Key(session, Kind.AGENT_MESSAGE, str(number))


class Told:
    """A callback that remembers."""

    def __init__(self) -> None:
        self.calls: list[frozenset[Key]] = []

    def __call__(self, keys: frozenset[Key]) -> None:
        self.calls.append(keys)


class TestWatching:
    def test_only_those_concerned_are_told_once_and_only_of_theirs(self) -> None:
        store = Store()
        told = [Told() for _ in range(1_000)]
        for number, callback in enumerate(told):
            store.watch(callback, [key(number), key(number + 1)])
        for _ in range(50):
            store.touch(key(7))
            store.touch(key(8))
        assert store.flush() == 3
        assert [n for n, callback in enumerate(told) if callback.calls] == [6, 7, 8]
        assert told[6].calls == [frozenset({key(7)})]
        assert told[7].calls == [frozenset({key(7), key(8)})]

    def test_nothing_changed_nobody_is_told(self) -> None:
        store = Store()
        told = Told()
        store.watch(told, [key(1)], ["s1"])
        store.touch(key(2, "s2"))
        assert store.flush() == 0
        store.touch(key(1))
        assert [store.flush(), store.flush()] == [1, 0]
        assert len(told.calls) == 1

    def test_a_whole_session(self) -> None:
        store = Store()
        told = Told()
        store.watch(told, [CONNECTION], ["s1"])
        for touched in (key(1), key(2), key(1, "s2"), CONNECTION, SESSIONS):
            store.touch(touched)
        store.flush()
        assert told.calls == [frozenset({key(1), key(2), CONNECTION})]

    def test_the_order_of_telling_is_that_of_subscribing(self) -> None:
        store = Store()
        order: list[int] = []
        for number in range(20):
            store.watch(lambda _, number=number: order.append(number), [key(number % 3)])  # type: ignore[misc]
        for number in (2, 0, 1):
            store.touch(key(number))
        store.flush()
        assert order == sorted(order)

    def test_set_replaces_and_close_ends(self) -> None:
        store = Store()
        told = Told()
        subscription = store.watch(told, [key(1)], ["s2"])
        subscription.set([key(2)])
        for touched in (key(1), key(2), key(5, "s2")):
            store.touch(touched)
        store.flush()
        assert told.calls == [frozenset({key(2)})]
        store.touch(key(2))
        subscription.close()
        assert store.flush() == 0
        subscription.set([key(2)])
        store.touch(key(2))
        assert (store.flush(), subscription.closed) == (0, True)

    def test_closed_by_another_in_the_same_flush(self) -> None:
        store = Store()
        told = Told()
        store.watch(lambda _: second.close(), [key(1)])
        second = store.watch(told, [key(1)])
        store.touch(key(1))
        assert store.flush() == 1
        assert told.calls == []

    def test_what_a_callback_touches_is_told_at_the_next_flush(self) -> None:
        store = Store()
        told = Told()
        store.watch(told, [key(2)])
        store.watch(lambda _: store.touch(key(2)), [key(1)])
        store.touch(key(1))
        assert (store.flush(), told.calls) == (1, [])
        assert (store.flush(), told.calls) == (1, [frozenset({key(2)})])

    def test_on_dirty_is_called_once_between_two_flushes(self) -> None:
        store = Store()
        woken: list[int] = []
        store.on_dirty = lambda: woken.append(1)
        for number in range(10):
            store.touch(key(number))
        assert len(woken) == 1
        store.flush()
        assert len(woken) == 1
        store.touch(key(1))
        assert len(woken) == 2

    def test_a_callback_that_touches_wakes_again(self) -> None:
        store = Store()
        woken: list[int] = []
        store.watch(lambda _: store.touch(key(2)), [key(1)])
        store.touch(key(1))
        store.on_dirty = lambda: woken.append(1)
        store.flush()
        assert len(woken) == 1


class TestSessions:
    def test_references_are_never_used_twice(self) -> None:
        store = Store()
        first = store.add(Session(ref=store.new_ref(), cwd="/"))
        del store.sessions[first.ref]
        assert store.new_ref() != first.ref

    def test_adding_is_told(self) -> None:
        store = Store()
        told = Told()
        store.watch(told, [SESSIONS])
        store.add(Session(ref="s1", cwd="/"))
        store.flush()
        assert told.calls == [frozenset({SESSIONS})]

    def test_entities_are_found_by_key(self) -> None:
        store = Store()
        session = store.add(Session(ref="s1", cwd="/"))
        message = Message(key=key(1), created_at=1.0)
        session.entities[message.key] = message
        assert store.entity(key(1)) is message
        assert store.entity(key(2)) is None
        assert store.entity(key(1, "s9")) is None


class TestRequests:
    @pytest.fixture
    def store(self) -> Store:
        store = Store()
        store.add(Session(ref="s1", cwd="/"))
        store.flush()
        return store

    def ask(self, store: Store, id_: str, session: str = "s1") -> Key:
        request = AgentRequest(
            key=Key(session, Kind.REQUEST, f"1:{id_}"),
            created_at=1.0,
            generation=1,
            request_id=id_,
            method="session/request_permission",
            params=None,
        )
        store.put_request(request)
        return request.key

    def test_they_wait_oldest_first_and_settle_in_any_order(self, store: Store) -> None:
        first, second, third = (self.ask(store, id_) for id_ in "abc")
        assert store.requests == [first, second, third]
        assert store.settle_request(second, 2.0, outcome={"outcome": "cancelled"}, by="user")
        assert [request.key for request in store.waiting()] == [first, third]
        settled: Any = store.entity(second)
        assert (settled.status, settled.answered_by, settled.answered_at) == ("answered", "user", 2.0)
        assert (settled.outcome, settled.revision) == ({"outcome": "cancelled"}, 1)

    def test_only_once(self, store: Store) -> None:
        asked = self.ask(store, "a")
        assert store.settle_request(asked, 2.0, by="user")
        store.flush()
        assert not store.settle_request(asked, 3.0, by="agent")
        assert not store.settle_request(Key("s1", Kind.REQUEST, "9:9"), 3.0)
        assert store.flush() == 0

    def test_nobody_is_left_to_answer(self, store: Store) -> None:
        asked = self.ask(store, "a")
        store.settle_request(asked, 2.0)
        request: Any = store.entity(asked)
        assert request.status == "void"
        assert store.requests == []

    def test_one_without_a_session(self, store: Store) -> None:
        loose, bound = self.ask(store, "a", session=""), self.ask(store, "b")
        assert store.entity(loose) is not None
        assert [request.key for request in store.waiting("s1")] == [bound]
        assert len(store.waiting()) == 2

    def test_the_inbox_is_told(self, store: Store) -> None:
        told = Told()
        store.watch(told, [REQUESTS])
        asked = self.ask(store, "a")
        store.flush()
        store.settle_request(asked, 2.0, by="user")
        store.flush()
        assert told.calls == [frozenset({REQUESTS})] * 2
