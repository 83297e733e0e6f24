"""Sessions and their tokens (checks 22 to 27, 29, 37)."""

from __future__ import annotations

import sys
from pathlib import Path

import anyio
import pytest

from acp_tui.aip.gateway.errors import CannotResume, Lost, NotAllowed, Refused
from acp_tui.aip.gateway.front import Gateway, folder_of
from acp_tui.aip.kept.tokens import Token, Tokens
from acp_tui.aip.trial.book import Room
from acp_tui.base.lock import Lock
from tests.aip.conftest import opened, settings
from tests.aip.fake import PATIENCE, FakeGateway, cut_after, refuses, says
from tests.aip.world import Time

pytestmark = pytest.mark.anyio

PROFILES = ("aip.native.http.v1",)


def client(fake: FakeGateway, time: Time) -> Gateway:
    return opened(fake, time, profiles=PROFILES)


def tokens(fake: FakeGateway) -> Tokens:
    """The store of that client."""
    return Tokens(folder_of(settings(fake)) / "tokens")


def room(fake: FakeGateway, token: str = "t0ken") -> Room:
    """A session that was opened by an earlier run."""
    made = fake.book.rooms["sess_1"] = Room("sess_1", token=token)
    tokens(fake).replace(Token("sess_1", token))
    return made


def kept_files(state: Path, pattern: str) -> list[Path]:
    return [path for path in state.rglob(pattern) if path.is_file()]


async def test_a_session_is_opened_with_the_profiles_and_its_token_kept(
    fake: FakeGateway, time: Time
) -> None:
    async with client(fake, time) as gateway:
        view = await gateway.open_session()
        assert view.state == "active" and gateway.resumable(view.id)
        page = await gateway.sessions()
        assert [one.id for one in page.items] == [view.id] and page.cursor is None
        assert (await gateway.session(view.id)).id == view.id
        kept = tokens(fake).get(view.id)
        assert kept is not None and kept.secret == fake.book.rooms[view.id].token


async def test_without_profiles_there_is_no_handshake(fake: FakeGateway, time: Time) -> None:
    async with opened(fake, time) as gateway:
        with pytest.raises(NotAllowed):
            await gateway.open_session()
    async with opened(fake, time, profiles=("odd",)) as gateway:
        with pytest.raises(Refused, match="no_shared_profile"):
            await gateway.open_session()
    assert fake.count("messages") == 1


async def test_29_a_resume_replays_page_by_page_each_time_with_the_new_token(
    fake: FakeGateway, time: Time
) -> None:
    made = room(fake)
    made.events += [{"id": f"evt_{n}", "kind": "tick"} for n in range(250)]
    async with client(fake, time) as gateway:
        view, events = await gateway.resume_session("sess_1")
        assert view is not None and view.state == "active"
        assert [one.id for one in events] == [f"evt_{n}" for n in range(250)]
        assert fake.count("resume") == 3
        sent = [one.request.json() for one in fake.seen if one.name == "resume"]
        assert len({one["resume_token"] for one in sent}) == 3, "each was used once"
        assert [one.get("last_event_cursor") for one in sent] == [None, "offset:100", "offset:200"]
        made.events.append({"id": "evt_new", "kind": "tick"})
        _, events = await gateway.resume_session("sess_1")
        assert [one.id for one in events] == ["evt_new"]


KILLED = """
import os, signal, sys, anyio
from acp_tui.aip.gateway.front import Gateway
from acp_tui.base.config.gateways import GatewaySettings
os.replace = lambda *names: os.kill(os.getpid(), signal.SIGKILL)
async def main():
    settings = GatewaySettings(url=sys.argv[1], token_env="GATEWAY_TOKEN", answer_seconds=5.0)
    async with Gateway(settings) as gateway:
        await gateway.resume_session("sess_1")
anyio.run(main)
"""


async def test_23_killed_before_the_new_token_has_its_name_the_old_one_is_tried_and_that_said(
    fake: FakeGateway, time: Time, state: Path
) -> None:
    room(fake)
    with anyio.fail_after(PATIENCE):
        done = await anyio.run_process([sys.executable, "-c", KILLED, fake.url], check=False)
    assert done.returncode == -9, done.stderr
    kept = tokens(fake).get("sess_1")
    assert kept is not None and kept.secret == "t0ken" != fake.book.rooms["sess_1"].token
    left = kept_files(state, "*.new")
    assert len(left) == 1, "the new token, without its name"
    async with client(fake, time) as gateway:
        with pytest.raises(CannotResume, match=r"start a new session; what was said stays here"):
            await gateway.resume_session("sess_1")
        assert not gateway.resumable("sess_1")
    assert kept_files(state, "*.new") == [] and fake.count("resume") == 2


async def test_24_the_second_client_waits_for_the_first(fake: FakeGateway, time: Time) -> None:
    room(fake)
    (path,) = (folder_of(settings(fake)) / "tokens").glob("*.json")
    first = Lock(path.with_suffix(".lock"))
    assert first.take() is None
    time.plan(None, first.release)
    async with client(fake, time) as gateway:
        await gateway.resume_session("sess_1")
    assert len(time.slept) == 2 and fake.count("resume") == 1


async def test_24_two_at_once_resume_one_after_the_other(fake: FakeGateway, time: Time) -> None:
    room(fake)
    time.plan(*[None] * 10_000)
    async with client(fake, time) as one, client(fake, time) as other, anyio.create_task_group() as group:
        group.start_soon(one.resume_session, "sess_1")
        group.start_soon(other.resume_session, "sess_1")
    sent = [entry.request.json()["resume_token"] for entry in fake.seen if entry.name == "resume"]
    assert len(set(sent)) == 2, "the second used what the first had got"


async def test_24_a_client_that_never_ends_is_not_waited_for_for_ever(fake: FakeGateway, time: Time) -> None:
    room(fake)
    (path,) = (folder_of(settings(fake)) / "tokens").glob("*.json")
    first = Lock(path.with_suffix(".lock"))
    first.take()
    time.plan(*[None] * 1000)
    async with client(fake, time) as gateway:
        with pytest.raises(CannotResume, match="another acp-tui"):
            await gateway.resume_session("sess_1")
    first.release()
    assert 60 <= sum(time.slept) < 62 and fake.count("resume") == 0


async def test_25_a_closed_session_is_not_asked_for_twice(fake: FakeGateway, time: Time) -> None:
    room(fake)
    fake.faults["resume"].append(refuses(409, "session.closed"))
    async with client(fake, time) as gateway:
        for why in ("the session is closed", "no token for this session"):
            with pytest.raises(CannotResume, match=why):
                await gateway.resume_session("sess_1")
    assert fake.count("resume") == 1


@pytest.mark.parametrize("over", ["settled", "failed", "cancelled"])
async def test_26_a_session_that_is_over_is_never_asked_for(fake: FakeGateway, time: Time, over: str) -> None:
    room(fake).state = over
    async with client(fake, time) as gateway:
        with pytest.raises(CannotResume, match=f"the session is {over}"):
            await gateway.resume_session("sess_1")
        assert not gateway.resumable("sess_1")
    assert fake.count("resume") == 0


async def test_27_an_answer_without_a_new_token_is_the_last(fake: FakeGateway, time: Time) -> None:
    room(fake)
    answer = {"session_resume": {"session": {"id": "sess_1", "state": "active"}, "events": []}}
    fake.faults["resume"].append(says(200, answer))
    async with client(fake, time) as gateway:
        view, _ = await gateway.resume_session("sess_1")
        assert view is not None and not gateway.resumable("sess_1")
        with pytest.raises(CannotResume):
            await gateway.resume_session("sess_1")
    assert fake.count("resume") == 1


async def test_a_lost_answer_leaves_the_old_token(fake: FakeGateway, time: Time) -> None:
    room(fake)
    fake.faults["resume"].append(cut_after)
    async with client(fake, time) as gateway:
        with pytest.raises(Lost):
            await gateway.resume_session("sess_1")
        assert gateway.resumable("sess_1") and fake.count("resume") == 1


async def test_22_a_refused_close_is_said_and_not_tried_again(fake: FakeGateway, time: Time) -> None:
    room(fake).state = "completed"
    async with client(fake, time) as gateway:
        with pytest.raises(Refused, match="completed cannot be closed"):
            await gateway.close_session("sess_1")
        assert gateway.resumable("sess_1")
    assert fake.count("close") == 1


async def test_37_closing_destroys_the_token(fake: FakeGateway, time: Time, state: Path) -> None:
    room(fake)
    async with client(fake, time) as gateway:
        view = await gateway.close_session("sess_1", "enough")
        assert view is not None and view.state == "cancelled" and not gateway.resumable("sess_1")
    assert fake.seen[-1].request.json() == {"reason": "enough"}
    assert all(b"t0ken" not in path.read_bytes() for path in kept_files(state, "*"))


async def test_37_so_does_hearing_that_it_is_closed(fake: FakeGateway, time: Time) -> None:
    room(fake)
    fake.faults["close"].append(refuses(409, "session.closed"))
    async with client(fake, time) as gateway:
        with pytest.raises(Refused):
            await gateway.close_session("sess_1")
        assert not gateway.resumable("sess_1")


async def test_a_foreign_id_is_not_sent(fake: FakeGateway, time: Time) -> None:
    async with client(fake, time) as gateway:
        for ask in (gateway.resume_session, gateway.close_session, gateway.session):
            with pytest.raises(ValueError, match="no id of a session"):
                await ask("session:1")
    assert fake.seen == []
