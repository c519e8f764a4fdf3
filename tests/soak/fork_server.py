"""Commands, each in a process of its own that is forked from one which has imported everything.

Run as a script it is the server: it reads requests from standard input, one JSON object a line,
and answers each when its process has ended. `CommandServer` is how tests speak to it. The
processes run the command line's own `main` and may be killed at any moment.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import io
import json
import os
import pkgutil
import select
import signal
import subprocess
import sys
import tempfile
import threading
import time
import traceback
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from interposer import NO_FAULT, Fault, Interposer

if TYPE_CHECKING:
    from typing import Self

DEADLINE_SECONDS = 120.0
_CAP_BYTES = 20_000


@dataclass(frozen=True, slots=True)
class Ended:
    """How a command's process ended.

    Attributes:
        serial: Which one it was.
        code: Its exit code; negative for the signal that killed it.
        hung: Whether it had to be killed because it did not end by itself.
        met: How many calls it made that count.
        injected: How many of them were refused or cut.
        kind: The kind of the first of these.
        out: What it printed.
        err: What it printed on standard error.
    """

    serial: int
    code: int
    hung: bool
    met: int
    injected: int
    kind: str
    out: str
    err: str

    @property
    def was_killed(self) -> bool:
        """Whether the fault killed it."""
        return self.code == -signal.SIGKILL and not self.hung


class CommandServer:
    """A server's client.

    Args:
        library: The compiled interposer.
    """

    def __init__(self, library: Path) -> None:
        environment = {**os.environ, "LD_PRELOAD": str(library), "TOOLNEXUS_MODEL": "none"}
        self._process = subprocess.Popen(
            [sys.executable, __file__],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=environment,
        )
        self._serial = 0
        self._done: dict[int, Ended] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait(30)

    def run(self, command: str, root: Path, fault: Fault = NO_FAULT, **more: Any) -> Ended:
        """Run a command to its end; see `start`."""
        return self.wait(self.start(command, root, fault, **more))

    def start(
        self,
        command: str,
        root: Path,
        fault: Fault = NO_FAULT,
        *,
        trace: str = "",
        words: tuple[str, ...] = (),
        seconds: float = DEADLINE_SECONDS,
    ) -> int:
        """Start a command, and return its serial number.

        Args:
            command: One of `work_under_fault.COMMANDS`.
            root: The home, without links.
            fault: What happens to it.
            trace: Where to write down what it changes; empty for nowhere.
            words: Arguments of its own.
            seconds: After how long it is killed, as one that hangs.
        """
        self._serial += 1
        request = {
            "serial": self._serial,
            "command": command,
            "root": str(root),
            "fault": fault.to_json(),
            "trace": trace,
            "words": words,
            "seconds": seconds,
        }
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(request).encode() + b"\n")
        self._process.stdin.flush()
        return self._serial

    def wait(self, serial: int) -> Ended:
        """Wait for one command to end."""
        while serial not in self._done:
            ended = self._next()
            self._done[ended.serial] = ended
        return self._done.pop(serial)

    def wait_any(self) -> Ended:
        """Wait for whichever ends next."""
        return self._done.popitem()[1] if self._done else self._next()

    def _next(self) -> Ended:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError("the server of commands is gone")
        return Ended(**json.loads(line))


class _Child:
    """A command's process, as the server sees it."""

    def __init__(self, request: dict[str, Any], run: Any) -> None:
        self._request = request
        self._output = [os.memfd_create(name) for name in ("out", "err", "told")]
        self._hung = False
        self.deadline = time.monotonic() + request["seconds"]
        self.pid = os.fork()
        if self.pid == 0:
            _become(request, run, self._output)
        self.descriptor = os.pidfd_open(self.pid)

    def kill_if_late(self) -> None:
        """Kill it where it is over its time."""
        if time.monotonic() > self.deadline and not self._hung:
            self._hung = True
            os.kill(self.pid, signal.SIGKILL)

    def ended(self) -> Ended:
        """Return how it ended; it has."""
        code = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
        out, err, told = (_read(descriptor) for descriptor in self._output)
        for descriptor in (*self._output, self.descriptor):
            os.close(descriptor)
        counted = json.loads(told or '{"met": 0, "injected": 0, "kind": ""}')
        if code == -signal.SIGKILL and not self._hung:
            counted["injected"] = 1
        return Ended(self._request["serial"], code, self._hung, out=out, err=err, **counted)


def _read(descriptor: int) -> str:
    size = os.fstat(descriptor).st_size
    return os.pread(descriptor, min(size, _CAP_BYTES), 0).decode("utf-8", "replace")


def _become(request: dict[str, Any], run: Any, output: list[int]) -> None:
    """Be the command's process."""
    code = 99
    with contextlib.suppress(BaseException):
        null = os.open(os.devnull, os.O_RDONLY)
        os.dup2(null, 0)
        os.dup2(output[0], 1)
        os.dup2(output[1], 2)
        interposer = Interposer()
        interposer.arm(request["root"], Fault(**request["fault"]), request["trace"])
        try:
            code = run(request["command"], Path(request["root"]), *request["words"])
        except BaseException:  # noqa: BLE001 - the process ends here, and tells
            traceback.print_exc()
        told = interposer.disarm()
        sys.stdout.flush()
        sys.stderr.flush()
        os.write(output[2], json.dumps(told).encode())
    os._exit(code)


def _import_everything() -> None:
    import toolnexus

    for module in pkgutil.walk_packages(toolnexus.__path__, "toolnexus."):
        if not module.name.endswith("__main__"):
            with contextlib.suppress(ImportError):  # it is imported when it is needed, and tells
                importlib.import_module(module.name)
    for vendor in ("chromadb", "wordllama", "markdown_it", "yaml", "tokenizers", "rapidfuzz"):
        with contextlib.suppress(ImportError):
            importlib.import_module(vendor)


def _warm_up() -> None:
    """Do a little of everything once, so that no command has to begin by filling caches."""
    from work_under_fault import COLD, WORK, make_home, run_command

    with (
        tempfile.TemporaryDirectory() as folder,
        io.StringIO() as unread,
        contextlib.redirect_stdout(unread),
        contextlib.redirect_stderr(unread),
    ):
        for number, name in enumerate(WORK):
            if name not in COLD:
                root = make_home(Path(folder) / str(number) / "ava")
                if (before := WORK[name].before) is not None:
                    before(root)
                run_command(name, root)
    assert threading.active_count() == 1, "a process with threads cannot be forked"
    gc.collect()
    gc.freeze()


def serve() -> None:
    """Answer requests until standard input ends."""
    # What commands print must not get among the answers.
    answers = os.dup(1)
    os.dup2(2, 1)
    _import_everything()
    _warm_up()
    from work_under_fault import run_command

    poll = select.poll()
    poll.register(0, select.POLLIN)
    children: dict[int, _Child] = {}
    pending, is_open = b"", True
    while is_open or children:
        nearest = min((child.deadline for child in children.values()), default=None)
        wait = None if nearest is None else max(0.0, nearest - time.monotonic()) * 1000 + 1
        for descriptor, _ in poll.poll(wait):
            if descriptor == 0:
                data = os.read(0, 65536)
                if not data:
                    is_open = False
                    poll.unregister(0)
                *lines, pending = (pending + data).split(b"\n")
                for line in lines:
                    child = _Child(json.loads(line), run_command)
                    children[child.descriptor] = child
                    poll.register(child.descriptor, select.POLLIN)
            else:
                poll.unregister(descriptor)
                ended = children.pop(descriptor).ended()
                fields = {name: getattr(ended, name) for name in ended.__slots__}
                os.write(answers, json.dumps(fields).encode() + b"\n")
        for child in children.values():
            child.kill_if_late()


if __name__ == "__main__":
    serve()
