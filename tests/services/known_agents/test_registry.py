"""The registry's document: read within limits, checked, kept as long as it is good."""

from __future__ import annotations

import contextlib
import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from acp_tui.services.known_agents import kept
from acp_tui.services.known_agents.document import Refused, parse, target
from acp_tui.services.known_agents.fetching import CannotRead, read


def agent(id: str = "a", **distribution: Any) -> dict[str, Any]:
    return {"id": id, "name": id.title(), "version": "1.0", "description": "d", "distribution": distribution}


def document(*agents: Any, **more: Any) -> bytes:
    return json.dumps({"version": "1", "agents": agents, **more}).encode()


def test_what_it_says_becomes_commands() -> None:
    address = "https://example.org/a.tar.gz"
    both = agent("both", npx={"package": "p@1", "args": ["--acp"], "new": 1}, uvx={"package": "q"})
    binary = agent("bin", binary={target(): {"archive": address, "cmd": "./a"}, "windows-x86_64": 3})
    elsewhere = agent("else", binary={"plan9-mips": {"archive": address, "cmd": "./a"}})
    found, left_out = parse(
        document(both | {"icon": 5}, binary, elsewhere, agent("odd", flatpak={}), more=[])
    )
    assert left_out == 0
    assert [package.command for package in found[0].packages] == [("npx", "-y", "p@1", "--acp"), ("uvx", "q")]
    assert [one.archive for one in found] == ["", address, "", ""]
    assert [one.only for one in found] == [(), ("binary",), ("binary",), ("flatpak",)]


@pytest.mark.parametrize(
    "bad",
    [
        3,
        {},
        agent("", npx={"package": "p"}),
        agent("../x", npx={"package": "p"}),
        agent("-x", npx={"package": "p"}),
        agent(npx={"package": "--call=rm"}),
        agent(npx={"package": "p q"}),
        agent(npx={"package": "p", "args": ["\x1b[2J"]}),
        agent(npx={"package": "p", "args": [4]}),
        agent(npx={"package": "p", "args": ["x"] * 51}),
        agent(uvx={"package": "p", "env": {"A=B": "c"}}),
        agent(npx="p"),
        agent(binary={target(): {"archive": "file:///etc/passwd"}}),
        {**agent(npx={"package": "p"}), "name": "\u202eevil"},
    ],
)
def test_an_agent_that_makes_no_sense_is_left_out_alone(bad: Any) -> None:
    found, left_out = parse(
        document(bad, agent("good", npx={"package": "p"}), agent("good", uvx={"package": "q"}))
    )
    assert [one.name for one in found] == ["good"]
    assert found[0].packages[0].tool == "npx"
    assert left_out == 2
    with pytest.raises(Refused, match="no agent that makes sense"):
        parse(document(bad))


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"", "no JSON"),
        (b"\xff{}", "no JSON"),
        (b"[" * 100_000, "no JSON"),
        (b"<html>", "no JSON"),
        (b"[]", "no list of agents"),
        (b'{"agents": {}}', "no list of agents"),
        (b'{"agents": []}', "no agent that makes sense"),
    ],
)
def test_what_is_no_document_is_refused_and_the_last_good_copy_stays(
    tmp_path: Path, data: bytes, why: str
) -> None:
    path = tmp_path / "registry.json"
    kept.keep("/here", document(agent(npx={"package": "p"})), 5.0, path)
    with pytest.raises(Refused, match=why):
        kept.keep("/here", data, 6.0, path)
    copy = kept.load("/here", path)
    assert copy is not None and copy.at == 5.0 and [one.name for one in copy.agents] == ["a"]
    assert kept.load("/there", path) is None
    path.write_bytes(path.read_bytes()[:-9])
    assert kept.load("/here", path) is None


def test_a_file_is_read_if_it_is_one_and_no_larger_than_allowed(tmp_path: Path) -> None:
    path = tmp_path / "list.json"
    path.write_bytes(b"x" * 10)
    assert read(str(path)) == b"x" * 10
    for source, why in [(path, "larger than 9 bytes"), (tmp_path, "."), (tmp_path / "no", "no such file")]:
        with pytest.raises(CannotRead, match=why):
            read(str(source), largest=9)
    with pytest.raises(CannotRead, match="it is no file"):
        read("/dev/zero")


class Answering(BaseHTTPRequestHandler):
    """Answers as the path says."""

    def do_GET(self) -> None:
        if self.path == "/there":
            self.send_response(302)
            self.send_header("Location", "/list")
            self.end_headers()
        elif self.path == "/file":
            self.send_response(302)
            self.send_header("Location", "ftp://127.0.0.1/x")
            self.end_headers()
        elif self.path == "/slow":
            self.send_response(200)
            self.end_headers()
            self.server.over.wait(10)  # type: ignore[attr-defined]
        elif self.path == "/drip":
            self.send_response(200)
            self.end_headers()
            while not self.server.over.wait(0.05):  # type: ignore[attr-defined]
                self.wfile.write(b" ")
        elif self.path == "/list":
            self.send_response(200)
            self.end_headers()
            self.wfile.write(b"y" * 100)
        else:
            self.send_error(404)

    def log_message(self, *_: object) -> None:
        pass

    def handle(self) -> None:
        with contextlib.suppress(OSError):
            super().handle()


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    serving = ThreadingHTTPServer(("127.0.0.1", 0), Answering)
    serving.over = threading.Event()  # type: ignore[attr-defined]
    thread = threading.Thread(target=serving.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{serving.server_port}"
    finally:
        serving.over.set()  # type: ignore[attr-defined]
        serving.shutdown()
        serving.server_close()
        thread.join(10)


def test_an_address_is_read_and_followed(server: str) -> None:
    for path in ("/list", "/there"):
        assert read(server + path, schemes=("http",)) == b"y" * 100


@pytest.mark.parametrize(
    ("path", "why"),
    [
        ("/list", "larger than 50 bytes"),
        ("/gone", "answered with 404"),
        ("/slow", "not there within 0.3 seconds"),
        ("/drip", "not there within 0.3 seconds"),
        ("/file", "is not https"),
    ],
)
def test_what_goes_wrong_on_the_way_is_one_sentence(server: str, path: str, why: str) -> None:
    with pytest.raises(CannotRead, match=why):
        read(server + path, schemes=("http",), largest=50, patience=0.3)


def test_only_https_is_asked(server: str) -> None:
    for source in (server, "HTTP://127.0.0.1", "file:///etc/passwd", "ftp://127.0.0.1/a", "://"):
        with pytest.raises(CannotRead, match="is not https"):
            read(source)
    with pytest.raises(CannotRead):
        read("https://127.0.0.1:1/list")
