"""A chat-completions server on loopback that misbehaves on command: for tests of model adapters."""

from __future__ import annotations

import contextlib
import json
import threading
from collections import deque
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from types import TracebackType

_HANG_SECONDS = 30.0
_HEAD = {"id": "chatcmpl-1", "created": 0, "model": "scripted"}


@dataclass(frozen=True, slots=True)
class ServerReply:
    """What the server answers to one request.

    Attributes:
        text: The reply's words; None sends a null content.
        calls: Tool calls: pairs of a name and the arguments' text.
        finish: The finish reason; None picks ``stop`` or ``tool_calls``.
        status: The HTTP status.
        headers: More headers.
        body: Raw bytes in place of the JSON document.
        tokens: Prompt and completion tokens that are reported; None reports none.
        hangs: Whether nothing is sent until the server is closed.
        cut_after: In a stream, how many chunks are sent before the connection breaks.
    """

    text: str | None = "HEARTBEAT_OK"
    calls: tuple[tuple[str, str], ...] = ()
    finish: str | None = None
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes | None = None
    tokens: tuple[int, int] | None = (100, 20)
    hangs: bool = False
    cut_after: int | None = None


class OpenAiServer:
    """Serves ``/chat/completions`` on 127.0.0.1 from a script, in this process.

    Args:
        replies: What it answers, in order; the last one is repeated.

    Attributes:
        requests: The bodies that it was sent, in order.

    Example:
        >>> with OpenAiServer(ServerReply(text="hello")) as server:
        ...     server.base_url.startswith("http://127.0.0.1:")
        True
    """

    def __init__(self, *replies: ServerReply) -> None:
        self.requests: list[dict[str, Any]] = []
        self._replies = deque(replies or (ServerReply(),))
        self._lock = threading.Lock()
        self._closing = threading.Event()
        self._server = _Server(self)
        self._thread = threading.Thread(
            target=self._server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True
        )

    @property
    def base_url(self) -> str:
        """The address for an adapter's ``api_base``."""
        return f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._closing.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def next_reply(self, request: dict[str, Any]) -> ServerReply:
        """Note a request and return what it is answered."""
        with self._lock:
            self.requests.append(request)
            return self._replies[0] if len(self._replies) == 1 else self._replies.popleft()

    def wait_for_close(self) -> None:
        """Wait until the server is closed, or half a minute."""
        self._closing.wait(_HANG_SECONDS)


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False

    def __init__(self, script: OpenAiServer) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.script = script


class _Handler(BaseHTTPRequestHandler):
    server: _Server
    protocol_version = "HTTP/1.1"

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - its name there
        """Say nothing."""

    def do_POST(self) -> None:
        """Answer with the next reply of the script."""
        length = int(self.headers.get("Content-Length") or 0)
        request = json.loads(self.rfile.read(length) or b"{}")
        reply = self.server.script.next_reply(request)
        if reply.hangs:
            self.server.script.wait_for_close()
            self.close_connection = True
            return
        with contextlib.suppress(ConnectionError):  # the client may have given up
            self._answer(reply, streamed=bool(request.get("stream")))

    def _answer(self, reply: ServerReply, *, streamed: bool) -> None:
        if reply.status != 200:
            error = {"error": {"message": reply.text or "no", "type": "scripted"}}
            self._send(reply, reply.body or json.dumps(error).encode())
        elif reply.body is not None:
            self._send(reply, reply.body)
        elif streamed:
            self._stream(reply)
        else:
            self._send(reply, json.dumps(_document(reply)).encode())

    def _send(self, reply: ServerReply, body: bytes) -> None:
        self.send_response(reply.status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        for name, value in reply.headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def _stream(self, reply: ServerReply) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        self.close_connection = True
        for number, chunk in enumerate(_chunks(reply)):
            if number == reply.cut_after:
                return
            self._write_chunk(b"data: " + json.dumps(chunk).encode() + b"\n\n")
        self._write_chunk(b"data: [DONE]\n\n")
        self._write_chunk(b"")

    def _write_chunk(self, data: bytes) -> None:
        self.wfile.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")


def _message(reply: ServerReply) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": reply.text}
    if reply.calls:
        message["tool_calls"] = [
            {"id": f"call_{n}", "type": "function", "function": {"name": name, "arguments": text}}
            for n, (name, text) in enumerate(reply.calls)
        ]
    return message


def _finish(reply: ServerReply) -> str:
    return reply.finish or ("tool_calls" if reply.calls else "stop")


def _usage(reply: ServerReply) -> dict[str, int] | None:
    if reply.tokens is None:
        return None
    tokens_in, tokens_out = reply.tokens
    return {
        "prompt_tokens": tokens_in,
        "completion_tokens": tokens_out,
        "total_tokens": tokens_in + tokens_out,
    }


def _document(reply: ServerReply) -> dict[str, Any]:
    choice = {"index": 0, "message": _message(reply), "finish_reason": _finish(reply)}
    return {**_HEAD, "object": "chat.completion", "choices": [choice], "usage": _usage(reply)}


def _chunks(reply: ServerReply) -> Iterator[dict[str, Any]]:
    """Yield a stream's chunks: the words in pieces, the calls, the end, the usage."""
    head = {**_HEAD, "object": "chat.completion.chunk"}
    pieces = (reply.text or "").split(" ")
    deltas: list[dict[str, Any]] = [{"role": "assistant", "content": ""}]
    deltas += [{"content": piece if n == 0 else f" {piece}"} for n, piece in enumerate(pieces)]
    calls = _message(reply).get("tool_calls", [])
    deltas += [{"tool_calls": [{"index": n, **call}]} for n, call in enumerate(calls)]
    for delta in deltas:
        yield {**head, "choices": [{"index": 0, "delta": delta, "finish_reason": None}]}
    yield {**head, "choices": [{"index": 0, "delta": {}, "finish_reason": _finish(reply)}]}
    if reply.tokens is not None:
        yield {**head, "choices": [], "usage": _usage(reply)}
