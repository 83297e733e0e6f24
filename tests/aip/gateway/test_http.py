"""One request: credentials, limits, redirects, TLS (checks 18, 28, 33)."""

from __future__ import annotations

import logging
import ssl
import traceback
from collections.abc import Callable
from pathlib import Path

import anyio
import pytest

from acp_tui.aip.gateway.errors import (
    GatewayError,
    Lost,
    Misconfigured,
    Refused,
    TooLong,
    Unreachable,
    Unreadable,
)
from acp_tui.aip.gateway.front import Gateway
from acp_tui.base.config.gateways import GatewaySettings
from tests.aip.conftest import opened, settings
from tests.aip.fake import TOKEN, Asked, FakeGateway, cut_after, cut_before, refuses, says, served
from tests.aip.world import Time

pytestmark = pytest.mark.anyio
CERTIFICATE = Path(__file__).parent / "loopback.pem"


def kept(state: Path) -> list[str]:
    """All that is on the disk, but for the secret store."""
    files = [path for path in state.rglob("*") if path.is_file() and path.parent.name != "tokens"]
    return [path.read_text() for path in files]


async def test_28_no_token_is_anywhere_but_in_its_header(
    fake: FakeGateway, time: Time, state: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    told: list[str] = []
    time.plan(*[None] * 20)
    async with opened(fake, time, profiles=("aip.native.http.v1",)) as gateway:
        view = await gateway.open_session()
        secrets = {TOKEN, fake.book.rooms[view.id].token}
        await gateway.resume_session(view.id)
        secrets.add(fake.book.rooms[view.id].token)
        for route in ("submit", "resume", "status", "cancel"):
            for fault in (
                cut_before,
                cut_after,
                refuses(401, "auth"),
                says(302, {}, location="http://evil/x"),
                says(500, "x"),
            ):
                fake.faults[route].append(fault)
                try:
                    match route:
                        case "submit":
                            told.append(repr(await gateway.submit("cap:x", {}, session_id=view.id)))
                        case "resume":
                            told.append(repr(await gateway.resume_session(view.id)))
                        case "status":
                            told.append(repr(await gateway.status("act_1")))
                        case "cancel":
                            told.append(repr(await gateway.cancel("act_1")))
                except GatewayError as error:
                    told += [
                        repr(error),
                        *traceback.TracebackException.from_exception(error, capture_locals=False).format(),
                    ]
        told += [repr(gateway.settings), repr(vars(gateway)), caplog.text]
        told += [one.request.target for one in fake.seen]
        told += kept(state)
    assert len(told) > 40
    for secret in secrets:
        assert [text for text in told if secret in text] == []
    headers = {one.request.headers.get("authorization") for one in fake.seen}
    assert headers == {f"Bearer {TOKEN}"}


def modes(folder: Path, kind: Callable[[Path], bool]) -> set[int]:
    """Of all that is below it."""
    return {path.stat().st_mode & 0o777 for path in folder.rglob("*") if kind(path)}


async def test_33_what_is_kept_is_the_owners_alone(fake: FakeGateway, time: Time, state: Path) -> None:
    async with opened(fake, time, profiles=("aip.native.http.v1",)) as gateway:
        (state / "aip").chmod(0o755)
        await gateway.open_session()
        await gateway.submit("cap:x", {})
        assert modes(state / "aip", Path.is_file) == {0o600}
        assert modes(state / "aip", Path.is_dir) == {0o700}


async def test_a_redirect_is_not_followed_and_gets_no_token(fake: FakeGateway, time: Time) -> None:
    async with served() as other:
        fake.faults["status"].append(says(307, {}, location=f"{other.url}/aip/v1/actions/act_1"))
        async with opened(fake, time) as gateway:
            with pytest.raises(Unreadable, match=f"sends us on to {other.url[7:]}, which is not followed"):
                await gateway.status("act_1")
        assert other.seen == []


async def test_18_a_long_answer_is_refused_and_not_held(fake: FakeGateway, time: Time) -> None:
    fake.faults["status"].extend([says(200, {"state": "running", "x": "x" * 1_000_000})] * 2)
    async with opened(fake, time, longest_answer=50_000) as gateway:
        with pytest.raises(TooLong, match="longer than 50000 bytes"):
            await gateway.status("act_1")


async def test_a_gateway_that_repeats_the_token_is_not_repeated(fake: FakeGateway, time: Time) -> None:
    fake.faults["status"].append(refuses(400, "bad.header", details={"authorization": f"Bearer {TOKEN}"}))
    async with opened(fake, time) as gateway:
        with pytest.raises(Refused) as caught:
            await gateway.status("act_1")
    assert caught.value.error.details == {"authorization": "Bearer [redacted]"}


async def test_a_long_story_about_an_error_is_cut_and_a_status_in_it_is_no_answer(
    fake: FakeGateway, time: Time
) -> None:
    error = {"code": "x", "message": "m" * 5000}
    fake.faults["status"].append(says(400, {"status": 400, "error": error}))
    async with opened(fake, time) as gateway:
        with pytest.raises(Refused) as caught:
            await gateway.status("act_1")
    assert len(str(caught.value)) == 500 and caught.value.error.message == "m" * 5000


async def test_a_proxy_that_cannot_be_used_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ALL_PROXY", "odd://user:secret@proxy")
    with pytest.raises(Misconfigured, match="the proxy") as caught:
        async with Gateway(GatewaySettings(url="https://gateway.example")):
            pass
    assert "secret" not in str(caught.value)


async def test_a_gateway_that_says_nothing_is_lost_in_time(fake: FakeGateway, time: Time) -> None:
    async def silent(gateway: FakeGateway, asked: Asked) -> None:
        await anyio.sleep_forever()

    fake.faults["status"].append(silent)
    quick = GatewaySettings(url=fake.url, token_env="GATEWAY_TOKEN", answer_seconds=0.1)
    async with Gateway(quick, world=time.world()) as gateway:
        with pytest.raises(Lost, match="did not answer in time"):
            await gateway.status("act_1")


async def test_errors_keep_the_gateways_words(fake: FakeGateway, time: Time) -> None:
    fake.faults["status"].extend(
        [refuses(402, "economic.budget", category="economic", details={"left": 0}), says(418, "odd")]
    )
    async with opened(fake, time) as gateway:
        with pytest.raises(Refused) as spoken:
            await gateway.status("act_1")
        with pytest.raises(Refused) as bare:
            await gateway.status("act_1")
    assert spoken.value.error.raw()["details"] == {"left": 0} and spoken.value.spoken
    assert (bare.value.error.code, bare.value.spoken) == ("http.418", False)


async def test_routes_queries_headers_and_messages_can_be_otherwise(time: Time, fake: FakeGateway) -> None:
    async with served() as other:
        other.token = ""
        odd = GatewaySettings(
            url=f"{other.url}/",
            prefix="",
            token_env="GATEWAY_TOKEN",
            auth_header="X-Key",
            auth_scheme="",
            routes={"status": "POST /aip/v1/actions", "result": "/aip/v1/actions/{id}/result"},
            queries={"include_result": "with"},
            messages={"action": "x.y.action act"},
        )
        async with Gateway(odd, world=time.world()) as gateway:
            for ask in (gateway.status, gateway.result):
                with pytest.raises(Refused):
                    await ask("act_1")
        status, result = [one.request for one in other.seen]
        assert (status.method, status.path, status.query) == ("POST", "/aip/v1/actions", {"with": "true"})
        assert result.path == "/aip/v1/actions/act_1/result"
        assert status.headers["x-key"] == TOKEN and "authorization" not in status.headers


@pytest.mark.parametrize(
    ("more", "why"),
    [
        ({"token_env": "NO_SUCH"}, "NO_SUCH, which holds the token, is not set"),
        ({"token_env": "BAD_TOKEN"}, "what stands in the variable BAD_TOKEN is no token"),
        ({"token_file": "/no/such/file"}, "No such file"),
        ({"routes": {"odd": "/x"}}, "there is no route odd"),
        ({"routes": {"status": "x"}}, "must be a path"),
        ({"queries": {"odd": "x"}}, "there is no query odd"),
    ],
)
async def test_settings_that_cannot_work_are_said(
    more: dict[str, object], why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BAD_TOKEN", "two words\r\nX: y")
    with pytest.raises(Misconfigured, match=why) as caught:
        async with Gateway(GatewaySettings(url="https://gateway.example", **more)):  # type: ignore[arg-type]
            pass
    assert "two words" not in str(caught.value)


async def test_a_token_comes_from_a_file_that_only_its_owner_reads(
    fake: FakeGateway, time: Time, tmp_path: Path
) -> None:
    file = tmp_path / "token"
    file.write_text(f"{TOKEN}\n")
    file.chmod(0o644)
    filed = GatewaySettings(url=fake.url, token_file=str(file))
    with pytest.raises(Misconfigured, match="chmod 600"):
        async with Gateway(filed):
            pass
    file.chmod(0o600)
    async with Gateway(filed, world=time.world()) as gateway:
        assert (await gateway.list_actions()).items == ()
        file.write_text("another")
        with pytest.raises(Refused) as caught:
            await gateway.list_actions()
        assert caught.value.unauthorized, "a renewed file is read anew"


async def test_tls_wants_a_certificate_that_is_trusted(time: Time, fake: FakeGateway) -> None:
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(CERTIFICATE)
    async with served(TOKEN, tls) as gateway:
        trusting = settings(gateway, ca_file=str(CERTIFICATE))
        async with Gateway(trusting, world=time.world()) as client:
            assert (await client.list_actions()).items == ()
        async with Gateway(settings(gateway), world=time.world()) as client:
            with pytest.raises(Unreachable, match=r"certificate is not trusted .*--ca-file"):
                await client.list_actions()
        assert len(gateway.seen) == 1
    plain = GatewaySettings(url=fake.url.replace("http:", "https:"))
    async with Gateway(plain, world=time.world()) as client:
        with pytest.raises(Unreachable, match="no TLS as we speak it"):
            await client.list_actions()
    with pytest.raises(Misconfigured, match="cannot be read"):
        async with Gateway(settings(gateway, ca_file="/no/such.pem")):
            pass
