"""The side of the protocol that runs in a contender's own environment; standard library only.

Usage: python serve.py MODULE, where MODULE is a file beside this one that has a class `Driver`.

One JSON line in, one out. A request names an operation of the driver and, for each call of it, the
arguments; the reply says what each call cost, in seconds on the clock and of processor time. What a
contender prints goes to standard error.
"""

from __future__ import annotations

import importlib
import json
import os
import sys
import time
from pathlib import Path

_KIBIBYTE = 1024


def serve(module: str) -> None:
    """Answer requests until there are no more."""
    replies = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    driver = None
    for line in sys.stdin:
        request = json.loads(line)
        try:
            if driver is None:
                driver = importlib.import_module(module).Driver()
            reply = _answer(driver, request)
        except Exception as error:  # noqa: BLE001 - whatever goes wrong is told, not hidden
            reply = {"error": f"{type(error).__name__}: {error}"}
        replies.write(json.dumps(reply) + "\n")
        replies.flush()
    os._exit(0)  # what a contender does at its exit is not measured


def _answer(driver: object, request: dict[str, object]) -> dict[str, object]:
    """Do what was asked for, as often as it was; stop early when the time for it is up."""
    operation = getattr(driver, str(request["do"]), None)
    if operation is None:
        return {"missing": True}
    calls = request.get("calls", [[]])
    seconds = float(str(request.get("seconds", "inf")))
    costs: list[tuple[float, float]] = []
    value: object = None
    begun = time.perf_counter()
    for arguments in calls:  # type: ignore[attr-defined]
        wall, cpu = time.perf_counter(), _cpu_seconds()
        value = operation(*arguments)
        costs.append((time.perf_counter() - wall, _cpu_seconds() - cpu))
        if time.perf_counter() - begun > seconds:
            break
    return {"costs": costs, "value": value, "peak_bytes": _peak_bytes()}


def _cpu_seconds() -> float:
    times = os.times()
    return time.process_time() + times.children_user + times.children_system


def _peak_bytes() -> int:
    status = Path("/proc/self/status")
    if status.exists():
        lines = dict(line.split(":", 1) for line in status.read_text().splitlines())
        return int(lines["VmHWM"].split()[0]) * _KIBIBYTE
    import resource

    unit = 1 if sys.platform == "darwin" else _KIBIBYTE
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit


if __name__ == "__main__":
    serve(sys.argv[1])
