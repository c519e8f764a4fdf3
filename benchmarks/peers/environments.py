"""The contenders' virtual environments: made once, kept for the next run."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from benchmarks.peers.contenders import Contender

_NEWEST_MINOR = 14


class NoEnvironmentError(RuntimeError):
    """A contender's environment cannot be made here, and why."""


def interpreter_of(contender: Contender, folder: Path) -> Path:
    """Return the Python that a contender runs in; its environment is made when it is not there.

    Args:
        contender: Whose.
        folder: Where environments are kept.

    Raises:
        NoEnvironmentError: when there is no Python that is new enough, or a package is not to be
            had.
    """
    if not contender.requirements:
        return Path(sys.executable)
    place = folder / "-".join(contender.requirements).replace("==", "-")
    python = place / "bin" / "python"
    ready = place / ".ready"
    if not ready.exists():
        base = find_python(contender.python)
        shutil.rmtree(place, ignore_errors=True)
        _run([str(base), "-m", "venv", str(place)], contender)
        _run([*_installer(python), *contender.requirements], contender)
        _run([str(python), "-m", "compileall", "-q", str(place / "lib")], contender, fails=True)
        ready.touch()
    return python


def find_python(least: tuple[int, int]) -> Path:
    """Find a Python of this version or a later one: ours, one on the path, or one of pyenv's.

    Raises:
        NoEnvironmentError: when there is none.
    """
    if sys.version_info[:2] >= least:
        return Path(sys.executable)
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    for minor in range(least[1], _NEWEST_MINOR + 1):
        on_path = shutil.which(f"python{least[0]}.{minor}")
        kept = sorted(pyenv.glob(f"{least[0]}.{minor}.*/bin/python"))
        for found in (on_path, *kept):
            if found and _works(str(found)):
                return Path(found)
    raise NoEnvironmentError(f"Python {least[0]}.{least[1]} or later is not on this machine")


def _works(python: str) -> bool:
    """Whether it is a Python at all: a shim on the path may stand for none."""
    done = subprocess.run([python, "-c", "import venv"], capture_output=True, check=False)
    return not done.returncode


def _installer(python: Path) -> list[str]:
    uv = shutil.which("uv")
    if uv:
        return [uv, "pip", "install", "--quiet", "--python", str(python)]
    return [str(python), "-m", "pip", "install", "--quiet"]


def _run(command: list[str], contender: Contender, *, fails: bool = False) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode and not fails:
        last = done.stderr.strip().splitlines()[-3:]
        raise NoEnvironmentError(f"{contender.name} cannot be installed: {' '.join(last)}")
