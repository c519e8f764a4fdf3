"""Faults that a process meets in its file system, and the library that brings them about.

`interposer.c` is compiled once and preloaded into a process; `arm` tells it what to do there.
"""

from __future__ import annotations

import ctypes
import errno
import os
import shutil
import subprocess
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

SOURCE = Path(__file__).with_name("interposer.c")
KINDS = {
    "write": 1,
    "fsync": 2,
    "rename": 4,
    "link": 8,
    "unlink": 16,
    "mkdir": 32,
    "open": 64,
    "truncate": 128,
}
ALL_KINDS = sum(KINDS.values())
HOW = ("count", "fail", "short", "kill", "kill half-way")

How = Literal["count", "fail", "short", "kill", "kill half-way"]


@dataclass(frozen=True, slots=True)
class Fault:
    """What is to happen to one process.

    Attributes:
        how: ``count`` lets all calls pass; ``fail`` refuses one; ``short`` writes half of one's
            bytes; ``kill`` and ``kill half-way`` end the process at one.
        at: Which call, counted from 0 over those of the kinds that count.
        error: The name of the errno of a refused call.
        lasting: Whether every later call is refused as well, as on a disk that stays full.
        kinds: Which calls count, as a sum of `KINDS`.
        kill_in_microseconds: Kills the process after so long, wherever it is; 0 does not.
    """

    how: How = "count"
    at: int = 0
    error: str = "ENOSPC"
    lasting: bool = False
    kinds: int = ALL_KINDS
    kill_in_microseconds: int = 0

    def to_json(self) -> dict[str, Any]:
        """Return it as JSON values."""
        return asdict(self)


NO_FAULT = Fault()


def can_build() -> bool:
    """Whether this machine has what the library needs: Linux and a C compiler."""
    return os.uname().sysname == "Linux" and shutil.which("cc") is not None


def build(folder: Path) -> Path:
    """Compile the library into a folder and return it."""
    library = folder / "interposer.so"
    words = ["cc", "-shared", "-fPIC", "-O1", "-o", library, SOURCE, "-ldl", "-lrt"]
    subprocess.run(words, check=True)
    return library


class Interposer:
    """The library as it is preloaded in this very process."""

    def __init__(self) -> None:
        self._library = ctypes.CDLL(None)
        self._library.faults_met.restype = ctypes.c_long
        self._library.faults_injected.restype = ctypes.c_long
        self._library.faults_arm.argtypes = (
            *(ctypes.c_char_p, ctypes.c_uint, ctypes.c_long),
            *(ctypes.c_int,) * 5,
        )

    def arm(self, root: str, fault: Fault, trace: str = "") -> None:
        """Bring a fault about from here on, below a folder.

        Args:
            root: The folder, without links.
            fault: What is to happen.
            trace: A file to write down what changes below the folder; empty for none.
        """
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
        descriptor = os.open(trace, flags, 0o644) if trace else -1
        number = getattr(errno, fault.error)
        how = HOW.index(fault.how)
        # fsync is counted and not done: nobody pulls the plug of this machine.
        self._library.faults_arm(
            os.fsencode(root), fault.kinds, fault.at, how, number, fault.lasting, descriptor, 1
        )
        if fault.kill_in_microseconds:
            self._library.faults_kill_in(ctypes.c_long(fault.kill_in_microseconds))

    def disarm(self) -> dict[str, Any]:
        """End it; return how many calls were met and injected, and the kind of the first."""
        self._library.faults_disarm()
        hit = self._library.faults_hit_kind()
        return {
            "met": self._library.faults_met(),
            "injected": self._library.faults_injected(),
            "kind": next((name for name, bit in KINDS.items() if bit == hit), ""),
        }
