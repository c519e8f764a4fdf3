"""Tool servers over HTTP, on loopback: the SDK's own, and ones that answer with something else."""

from __future__ import annotations

import socket
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any

import pytest
import uvicorn
from small_server import server as small_server

from toolnexus.errors import ToolServerError
from toolnexus.mcp_client.tool_servers import ToolServers
from toolnexus.settings import McpServer

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

TOKEN = "t0ken-of-the-garden"


class Guarded:
    """The SDK's server, for those alone who bring the token; it counts who comes."""

    def __init__(self) -> None:
        self.app = small_server.streamable_http_app()
        self.refused = 0

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        """Answer a request."""
        headers = dict(scope.get("headers", ()))
        if scope["type"] != "http" or headers.get(b"authorization") == f"Bearer {TOKEN}".encode():
            await self.app(scope, receive, send)
            return
        self.refused += 1
        await send({"type": "http.response.start", "status": 401, "headers": []})
        await send({"type": "http.response.body", "body": f"not {headers}".encode()})


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    """Serve the SDK's server; whoever connects before it is ready waits in the queue."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        serving = uvicorn.Server(uvicorn.Config(Guarded(), log_level="critical"))
        thread = threading.Thread(target=serving.run, kwargs={"sockets": [listening]}, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{listening.getsockname()[1]}/mcp"
        serving.should_exit = True
        thread.join()


def server(url: str, authorization: str = "Bearer ${GARDEN_TOKEN}", **more: Any) -> McpServer:
    more.setdefault("timeout_seconds", 60.0)
    return McpServer("web", url=url, headers=(("Authorization", authorization),), **more)


def test_a_server_is_reached_with_its_headers(url: str, tmp_path: Path):
    """A call over HTTP brings the headers of the settings, filled in from the environment."""
    with ToolServers([server(url)], tmp_path, {"GARDEN_TOKEN": TOKEN}) as servers:
        tools = {tool.name: tool for tool in servers.tools()}
        assert tools["web__add"].call({"a": 2, "b": 3}) == "5"
        with pytest.raises(ToolServerError, match="fail"):
            tools["web__fail"].call({})
        assert servers.notices == ()


def test_a_wrong_token_is_told_without_it(url: str, tmp_path: Path):
    """A server that refuses a token costs its tools, and the notice does not show the token."""
    wrong = "wr0ng-of-the-garden"
    with ToolServers([server(url)], tmp_path, {"GARDEN_TOKEN": wrong}) as servers:
        assert servers.tools() == ()
        (notice,) = servers.notices
    assert notice.startswith("the tools of 'web' are left out: ")
    assert "HTTP 401" in notice
    assert wrong not in notice


class Odd(BaseHTTPRequestHandler):
    """Answers every request in the way that its path names."""

    def do_POST(self) -> None:
        """Answer a request."""
        kind = self.path.strip("/")
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if kind == "hang":
            self.server.hanging.wait()  # type: ignore[attr-defined]
        elif kind == "break":
            self.connection.shutdown(socket.SHUT_RDWR)
        elif kind.isdigit():
            self._send(int(kind), b"<h1>no</h1>", "text/html")
        elif kind == "html":
            self._send(200, b"<h1>hello</h1>", "text/html")
        else:
            self._send(200, b"{]", "application/json")

    def do_GET(self) -> None:
        """Answer a request."""
        self.do_POST()

    def _send(self, status: int, body: bytes, kind: str) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture(scope="module")
def odd_url() -> Iterator[str]:
    """Serve whatever is no tool server."""
    with ThreadingHTTPServer(("127.0.0.1", 0), Odd) as serving:
        serving.hanging = threading.Event()  # type: ignore[attr-defined]
        serving.daemon_threads = True
        threading.Thread(target=serving.serve_forever, args=(0.01,), daemon=True).start()
        yield f"http://127.0.0.1:{serving.server_address[1]}"
        serving.hanging.set()  # type: ignore[attr-defined]
        serving.shutdown()


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["401", "404", "500", "503", "html", "json", "break", "hang"])
def test_what_is_no_tool_server_is_one_line(
    odd_url: str, kind: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
):
    """Whatever an address answers, it is one notice in time, and nothing on the terminal."""
    with ToolServers([server(f"{odd_url}/{kind}", "x", timeout_seconds=1.5)], tmp_path) as servers:
        assert servers.tools() == ()
        (notice,) = servers.notices
    assert notice.startswith("the tools of 'web' are left out: ")
    assert "\n" not in notice
    assert capfd.readouterr() == ("", "")


def test_an_address_where_nobody_listens_is_told(tmp_path: Path):
    """A server that is not there is told as not to be reached."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    with ToolServers([server(f"http://127.0.0.1:{port}/mcp", "x")], tmp_path) as servers:
        assert servers.tools() == ()
        assert "it cannot be reached" in servers.notices[0]
