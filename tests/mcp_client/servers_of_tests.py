"""Servers for tests: the small one of the SDK's, and raw ones that do as they are told."""

from __future__ import annotations

import contextlib
import json
import sys
from pathlib import Path
from typing import Any

from toolnexus.settings import McpServer

HERE = Path(__file__).parent
SMALL = HERE / "small_server.py"
RAW = HERE / "raw_server.py"
PATIENCE_SECONDS = 60.0  # machines differ; nothing here takes that long


def small(*words: str, name: str = "small", **settings: Any) -> McpServer:
    """Return the settings of the SDK's server."""
    settings.setdefault("timeout_seconds", PATIENCE_SECONDS)
    return McpServer(name, sys.executable, (str(SMALL), *words), **settings)


def raw(told: dict[str, Any], *, name: str = "raw", **settings: Any) -> McpServer:
    """Return the settings of a raw server; see `raw_server`."""
    settings.setdefault("timeout_seconds", PATIENCE_SECONDS)
    return McpServer(name, sys.executable, ("-I", str(RAW), json.dumps(told)), **settings)


def python(code: str, *, name: str = "odd", **settings: Any) -> McpServer:
    """Return the settings of a server that is a few lines of Python."""
    settings.setdefault("timeout_seconds", PATIENCE_SECONDS)
    return McpServer(name, sys.executable, ("-I", "-c", code), **settings)


def is_running(pid: int) -> bool:
    """Whether a process runs; one that has ended and waits to be noticed does not."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"


def children() -> set[int]:
    """Return this process's children, those that have ended and were not noticed included."""
    found: set[int] = set()
    for task in Path("/proc/self/task").iterdir():
        with contextlib.suppress(FileNotFoundError):  # a thread that ends meanwhile
            found.update(map(int, (task / "children").read_text().split()))
    return found
