"""The health server: what it answers, and what it does not put up with."""

from __future__ import annotations

import asyncio
import json
import socket

import pytest

from toolnexus.errors import ConfigError, UsageError
from toolnexus.fleet.health import Address, parse_address, serve_health
from toolnexus.fleet.status import Status

HERE = Address("127.0.0.1", 0)
DONE = {("beat", "silent"): 3, ("beat", "failed"): 1}


def status(overdue: float = 0.0, *, stopping: bool = False) -> Status:
    return Status(2, 1, 1, 4, overdue, DONE, stopping)


def ask(data: bytes, now: Status | None = None) -> tuple[bytes, bytes]:
    """Send bytes to a server and return the head and the body that come back."""

    async def talk() -> bytes:
        async with serve_health(HERE, lambda: now or status()) as address:
            reader, writer = await asyncio.open_connection(address.host, address.port)
            writer.write(data)
            answer = await reader.read()
            writer.close()
            return answer

    head, _, body = asyncio.run(talk()).partition(b"\r\n\r\n")
    return head, body


def get(path: str, now: Status | None = None, method: str = "GET") -> tuple[bytes, bytes]:
    return ask(f"{method} {path} HTTP/1.1\r\nHost: x\r\n\r\n".encode(), now)


def test_a_fleet_that_is_well_says_so():
    """200 with the counts and how long the oldest job has waited."""
    head, body = get("/healthz?verbose")
    assert head.startswith(b"HTTP/1.1 200 OK")
    assert json.loads(body) == {
        "status": "ok",
        "homes": 2,
        "broken": 1,
        "running": 1,
        "waiting": 4,
        "oldest_overdue_seconds": 0.0,
        "jobs": [
            {"job": "beat", "outcome": "failed", "count": 1},
            {"job": "beat", "outcome": "silent", "count": 3},
        ],
    }


@pytest.mark.parametrize(
    ("now", "verdict"), [(status(stopping=True), "stopping"), (status(901.0), "stuck")]
)
def test_a_fleet_that_is_not_well_says_so(now, verdict):
    """503 while it stops, or when a job has waited longer than a beat may take."""
    head, body = get("/healthz", now)
    assert head.startswith(b"HTTP/1.1 503 ")
    assert json.loads(body)["status"] == verdict


def test_metrics_can_be_scraped():
    """Each line is a comment or a name with a number."""
    head, body = get("/metrics")
    assert b"text/plain; version=0.0.4" in head
    lines = body.decode().splitlines()
    assert 'toolnexus_jobs_total{job="beat",outcome="silent"} 3' in lines
    assert all(line.startswith("#") or float(line.rpartition(" ")[2]) >= 0 for line in lines)


def test_a_head_is_asked_for_without_its_body():
    """HEAD gives the length that GET would have."""
    head, body = get("/healthz", method="HEAD")
    assert body == b""
    assert b"Content-Length: 0" not in head


@pytest.mark.parametrize(
    ("data", "answer"),
    [
        (b"POST /healthz HTTP/1.1\r\n\r\n", b"HTTP/1.1 405 "),
        (b"GET /secrets HTTP/1.1\r\n\r\n", b"HTTP/1.1 404 "),
        (b"hello\r\n\r\n", b"HTTP/1.1 400 "),
        (b"GET /healthz HTTP/1.1\r\n" + b"x" * 20_000, b""),
    ],
)
def test_what_is_no_such_request_gets_no_such_answer(data, answer):
    """Other methods, other paths, nonsense, and heads without end."""
    head, _ = ask(data)
    assert head.startswith(answer)
    assert answer or not head


def test_a_port_that_is_taken_is_told():
    """The error names the address and what to do."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]

        async def serve() -> None:
            async with serve_health(Address("127.0.0.1", port), status):
                pass

        with pytest.raises(ConfigError, match=f"cannot listen on 127.0.0.1:{port}"):
            asyncio.run(serve())


@pytest.mark.parametrize("text", ["", "host", "host:", "host:x", "1.2.3.4:70000", "8080x"])
def test_what_is_no_address_is_refused(text):
    """A port is needed, and it is a number."""
    with pytest.raises(UsageError):
        parse_address(text)
