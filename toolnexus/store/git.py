"""Git: a commit of exactly some files of a home, whatever else is staged or changed."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

GIT_SECONDS = 120.0
"""A hook may take a while; one that waits for somebody must not hang a nightly pass."""

_OWN = ("-c", "gc.auto=0", "-c", "maintenance.auto=false")
# Set where we are called from a hook of another repository: the home's folder is what counts.
_PLACES = (
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_COMMON_DIR",
    "GIT_PREFIX",
    "GIT_OBJECT_DIRECTORY",
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_NAMESPACE",
)
_ADVICE = ("hint:", "***", "Run", "git config", "to set", "Omit --global")


@dataclass(frozen=True, slots=True)
class GitCommit:
    """What became of a commit.

    Attributes:
        id: The commit's name; empty when there is none.
        notice: One line: what was committed, or why nothing was.
    """

    id: str
    notice: str


class _GitError(Exception):
    """Git said no; the message is for a person."""


def commit_files(
    folder: Path, paths: Sequence[str], message: str, *, seconds: float = GIT_SECONDS
) -> GitCommit:
    """Commit some files as they are on the disk; what else is staged or changed stays as it is.

    Hooks run as for any commit. Nothing raises: what keeps git from it is told.

    Args:
        folder: The home; its repository may begin further up.
        paths: The files, relative to it; some may be gone.
        message: The commit's message.
        seconds: How long git and its hooks may take.
    """
    try:
        return _Repository(folder, seconds).commit(paths, message)
    except _GitError as error:
        return GitCommit("", f"no git commit was made: {error}")


class _Repository:
    """The repository that a folder is in."""

    def __init__(self, folder: Path, seconds: float) -> None:
        git = shutil.which("git")
        if git is None:
            raise _GitError("git is not installed")
        self._git = git
        self._folder = folder
        self._seconds = seconds
        if self._ask("rev-parse", "--is-inside-work-tree", fails="false").strip() != "true":
            raise _GitError("the home is in no git repository")

    def commit(self, paths: Sequence[str], message: str) -> GitCommit:
        if not self._ask("symbolic-ref", "--quiet", "HEAD", fails=""):
            raise _GitError("no branch is checked out, so that the commit would be lost")
        wanted, ignored = self._part(paths)
        new = self._listed("ls-files", "-z", "--others", "--", *wanted) if wanted else []
        try:
            chosen = self._commit(wanted, new, message)
        except _GitError:
            self._forget(new)
            raise
        name = self._ask("rev-parse", "HEAD").strip()
        files = f"{len(chosen)} file{'' if len(chosen) == 1 else 's'}"
        left = f", {len(ignored)} that git ignores left out" if ignored else ""
        return GitCommit(name, f"git commit {name[:12]}: {files}{left}")

    def _part(self, paths: Sequence[str]) -> tuple[list[str], set[str]]:
        """Part the files that git may have from those that it ignores."""
        there = [path for path in paths if os.path.lexists(self._folder / path)]
        named = "\0".join(f"./{path}" for path in there)  # it takes no literal pathspecs
        asked = self._ask("check-ignore", "--stdin", "-z", said=named, fails="")
        ignored = {path.removeprefix("./") for path in asked.split("\0") if path}
        return [path for path in paths if path not in ignored], ignored

    def _commit(self, wanted: Sequence[str], new: Sequence[str], message: str) -> list[str]:
        """Commit files and return those that git has now, or had."""
        if new:
            self._ask("add", "--intent-to-add", "--", *new)
        known = set(self._listed("ls-files", "-z", "--cached", "--", *wanted)) if wanted else set()
        chosen = [path for path in wanted if path in known]
        if not chosen:
            raise _GitError("git ignores the files that the pass changed")
        words = ("commit", "--only", "--quiet", "--cleanup=whitespace", "--file=-", "--")
        self._ask(*words, *chosen, said=message)
        return chosen

    def _forget(self, new: Sequence[str]) -> None:
        """Take back the intent to add files, as far as git lets us."""
        if new:
            with contextlib.suppress(_GitError):
                self._ask("rm", "--cached", "--quiet", "--force", "--", *new)

    def _listed(self, *words: str) -> list[str]:
        return [path for path in self._ask(*words).split("\0") if path]

    def _ask(self, *words: str, said: str = "", fails: str | None = None) -> str:
        """Run git without a shell and return what it printed.

        Args:
            words: Its arguments.
            said: What it reads.
            fails: What to return when it ends with an error; None raises.
        """
        environment = {name: v for name, v in os.environ.items() if name not in _PLACES}
        environment |= {"GIT_TERMINAL_PROMPT": "0", "GIT_EDITOR": "true", "LC_ALL": "C.UTF-8"}
        if words[0] != "check-ignore":
            environment["GIT_LITERAL_PATHSPECS"] = "1"
        try:
            process = subprocess.Popen(  # noqa: S603 - git, with arguments of ours
                [self._git, *_OWN, *words],
                cwd=self._folder,
                env=environment,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            raise _GitError(f"git cannot be started: {error}") from None
        with process:
            try:
                out, err = process.communicate(os.fsencode(said), timeout=self._seconds)
            except subprocess.TimeoutExpired:
                with contextlib.suppress(OSError):
                    os.killpg(process.pid, signal.SIGKILL)
                raise _GitError(f"it took more than {self._seconds:g} s") from None
        if process.returncode == 0:
            return os.fsdecode(out)
        if fails is not None and b"dubious ownership" not in err:
            return fails
        raise _GitError(_reason(os.fsdecode(err) or os.fsdecode(out)))


def _reason(said: str) -> str:
    """Return what git, or a hook of the repository's, complained of, on one line."""
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    if any("tell me who you are" in line for line in lines):
        return "git knows no identity: set user.name and user.email"
    told = [line for line in lines if not line.startswith(_ADVICE)] or lines
    fatal = [line for line in told if line.startswith(("fatal:", "error:"))]
    return (fatal or told or ["git, or a hook of its, failed"])[0][:300]
