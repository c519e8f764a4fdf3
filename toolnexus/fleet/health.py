"""Health: a small HTTP server that tells whoever watches over the process how it is."""

from __future__ import annotations

import asyncio
import contextlib
import json
from dataclasses import dataclass
from http import HTTPStatus
from typing import TYPE_CHECKING

from toolnexus.errors import ConfigError, UsageError

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from toolnexus.fleet.status import Status

LOOPBACK = "127.0.0.1"
_HEAD_BYTES = 8 * 1024
_REQUEST_SECONDS = 5.0
_MOST_REQUESTS = 32
_JSON, _TEXT = "application/json", "text/plain; version=0.0.4; charset=utf-8"


@dataclass(frozen=True, slots=True)
class Address:
    """Where to listen."""

    host: str
    port: int


def parse_address(text: str) -> Address:
    """Read ``HOST:PORT``; a port alone is one of this machine's own, which no other reaches.

    Raises:
        UsageError: when it is none.

    Example:
        >>> parse_address("[::1]:8080"), parse_address("8080").host
        (Address(host='::1', port=8080), '127.0.0.1')
    """
    host, _, port = text.strip().rpartition(":")
    if not (port.isascii() and port.isdigit() and int(port) <= 65_535):
        raise UsageError(
            f"'{text}' is no address to listen on", hint="write HOST:PORT, such as 127.0.0.1:8080"
        )
    return Address(host.removeprefix("[").removesuffix("]") or LOOPBACK, int(port))


@contextlib.asynccontextmanager
async def serve_health(address: Address, status: Callable[[], Status]) -> AsyncIterator[Address]:
    """Answer ``GET /healthz`` and ``GET /metrics`` for as long as the block runs.

    Args:
        address: Where; port 0 takes one that is free.
        status: Tells how the fleet is.

    Yields:
        Where it listens.

    Raises:
        ConfigError: when nobody can listen there.
    """
    server = _Server(status)
    try:
        listening = await asyncio.start_server(
            server.answer, address.host, address.port, limit=_HEAD_BYTES
        )
    except OSError as error:
        raise ConfigError(
            f"cannot listen on {address.host}:{address.port}: {error.strerror or error}",
            hint="choose another port with --listen",
        ) from error
    try:
        yield Address(address.host, listening.sockets[0].getsockname()[1])
    finally:
        listening.close()


class _Server:
    """Answers one request a connection, within bounds."""

    def __init__(self, status: Callable[[], Status]) -> None:
        self._status = status
        self._open = 0

    async def answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Read a request's head, answer it and hang up; what is no request gets no answer."""
        self._open += 1
        try:
            with contextlib.suppress(
                OSError, TimeoutError, asyncio.LimitOverrunError, asyncio.IncompleteReadError
            ):
                async with asyncio.timeout(_REQUEST_SECONDS):
                    if self._open <= _MOST_REQUESTS:
                        head = await reader.readuntil(b"\r\n\r\n")
                        writer.write(self._respond(head))
                        await writer.drain()
        finally:
            self._open -= 1
            writer.close()

    def _respond(self, head: bytes) -> bytes:
        words = head.split(b"\r\n", 1)[0].split(b" ")
        if len(words) != 3:
            return _response(HTTPStatus.BAD_REQUEST, "no request\n")
        method, path = words[0], words[1].partition(b"?")[0]
        if method not in {b"GET", b"HEAD"}:
            return _response(HTTPStatus.METHOD_NOT_ALLOWED, "GET alone\n")
        status, body, kind = self._page(path)
        return _response(status, body, kind, bare=method == b"HEAD")

    def _page(self, path: bytes) -> tuple[HTTPStatus, str, str]:
        if path not in {b"/healthz", b"/metrics"}:
            return HTTPStatus.NOT_FOUND, "there are /healthz and /metrics\n", _TEXT
        status = self._status()
        if path == b"/metrics":
            return HTTPStatus.OK, status.metrics(), _TEXT
        well = HTTPStatus.OK if status.verdict == "ok" else HTTPStatus.SERVICE_UNAVAILABLE
        return well, json.dumps(status.fields()) + "\n", _JSON


def _response(status: HTTPStatus, body: str, kind: str = _TEXT, *, bare: bool = False) -> bytes:
    data = body.encode()
    head = (
        f"HTTP/1.1 {status.value} {status.phrase}\r\n"
        f"Content-Type: {kind}\r\n"
        f"Content-Length: {len(data)}\r\n"
        "Cache-Control: no-store\r\n"
        "Connection: close\r\n\r\n"
    )
    return head.encode() + (b"" if bare else data)
