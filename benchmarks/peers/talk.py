"""Our side of the protocol: a contender's process, asked one thing at a time, within a budget."""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import subprocess
import tempfile
import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Self

from benchmarks.measure import Cost, median_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

SERVE = Path(__file__).parent / "drivers" / "serve.py"
_ENOUGH_ERROR = 2_000


class DriverError(RuntimeError):
    """The contender failed at what it was asked."""


class OverBudgetError(DriverError):
    """The contender was not done when its time was up.

    Attributes:
        cost: What it had cost by then.
    """

    def __init__(self, cost: Cost) -> None:
        super().__init__(f"not done after {cost.wall:.0f} s")
        self.cost = cost


@dataclass(frozen=True, slots=True)
class Answer:
    """What came of a request.

    Attributes:
        costs: What each call cost; the peak is that of the process so far.
        value: What the last call returned.
    """

    costs: tuple[Cost, ...]
    value: object

    @property
    def median(self) -> Cost:
        """The middle of the calls, each time on its own."""
        return replace(median_of(self.costs), peak_bytes=self.costs[-1].peak_bytes)


class Talk:
    """A contender's process.

    Args:
        python: The interpreter that it runs in.
        module: Its driver.
        environment: Its environment variables, all of them.
    """

    def __init__(self, python: Path, module: str, environment: Mapping[str, str]) -> None:
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 - closed by `close`
        self._process = subprocess.Popen(
            [str(python), str(SERVE), module],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            env=dict(environment),
            start_new_session=True,
        )
        self._begun = time.perf_counter()
        self._unread = b""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def ask(
        self,
        operation: str,
        calls: Sequence[Sequence[object]] = ((),),
        *,
        budget_seconds: float,
        enough_seconds: float = float("inf"),
    ) -> Answer | None:
        """Have an operation done.

        Args:
            operation: Its name; None is returned where the contender has no such thing.
            calls: The arguments of each call of it.
            budget_seconds: The time for all of them.
            enough_seconds: After that long no further call is begun.

        Raises:
            OverBudgetError: when it is not done in time; the process is gone then.
            DriverError: when it fails.
        """
        request: dict[str, object] = {"do": operation, "calls": calls}
        if enough_seconds != float("inf"):
            request["seconds"] = enough_seconds
        before, begun = self._cpu_seconds(), time.perf_counter()
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps(request).encode() + b"\n")
            self._process.stdin.flush()
            line = self._read_line(begun + budget_seconds)
        except (BrokenPipeError, EOFError):
            raise DriverError(f"it ended at '{operation}': {self._last_words()}") from None
        if line is None:
            cost = Cost(time.perf_counter() - begun, self._cpu_seconds() - before)
            self.close()
            raise OverBudgetError(cost)
        return _answer(operation, json.loads(line))

    def close(self) -> Cost:
        """End the process and all that it started; return what it cost as a whole."""
        if self._process.returncode is not None:
            return Cost(0, 0)
        assert self._process.stdin is not None
        with contextlib.suppress(OSError):
            self._process.stdin.close()
        wall = time.perf_counter() - self._begun
        deadline = time.perf_counter() + 2.0
        pid, status, usage = 0, 0, None
        while not pid:
            pid, status, usage = os.wait4(self._process.pid, os.WNOHANG)
            if not pid and time.perf_counter() > deadline:
                self._kill()
            if not pid:
                time.sleep(0.002)
        self._process.returncode = os.waitstatus_to_exitcode(status)
        self._kill()
        assert self._process.stdout is not None
        self._process.stdout.close()
        self._errors.close()
        return Cost(wall, usage.ru_utime + usage.ru_stime if usage else 0)

    def _kill(self) -> None:
        with contextlib.suppress(OSError):
            os.killpg(self._process.pid, signal.SIGKILL)

    def _read_line(self, deadline: float) -> bytes | None:
        """Return the next reply; None when the time is up."""
        assert self._process.stdout is not None
        handle = self._process.stdout.fileno()
        while b"\n" not in self._unread:
            left = deadline - time.perf_counter()
            if left <= 0 or not select.select([handle], [], [], left)[0]:
                return None
            read = os.read(handle, 65_536)
            if not read:
                raise EOFError
            self._unread += read
        line, _, self._unread = self._unread.partition(b"\n")
        return line

    def _cpu_seconds(self) -> float:
        """Return what the process has cost so far; 0 where the system does not tell."""
        try:
            fields = Path(f"/proc/{self._process.pid}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            return 0.0
        return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")

    def _last_words(self) -> str:
        self._errors.seek(0)
        said = self._errors.read().decode("utf-8", "replace").strip()
        return said[-_ENOUGH_ERROR:]


def _answer(operation: str, reply: dict[str, object]) -> Answer | None:
    if reply.get("missing"):
        return None
    if "error" in reply:
        raise DriverError(f"'{operation}' failed: {reply['error']}")
    peak = int(str(reply["peak_bytes"]))
    costs = tuple(Cost(wall, cpu, peak) for wall, cpu in reply["costs"])  # type: ignore[attr-defined]
    return Answer(costs, reply["value"])
