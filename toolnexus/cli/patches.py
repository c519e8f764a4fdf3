"""Unified diffs that ``git apply`` takes, with the reason for each change above them."""

from __future__ import annotations

from difflib import unified_diff
from typing import TYPE_CHECKING

from toolnexus.cli.changes import change_line, evidence_line, reason_of
from toolnexus.cli.console import one_line
from toolnexus.cli.homes import shown_path
from toolnexus.text.secrets import mask_lines

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from toolnexus.change.plan import Change, FileWrite

_MASKED = (
    "# A secret is masked below, so that git will not apply this: let the pass itself write it."
)


def unified_patch(named: str, writes: Sequence[FileWrite], changes: Sequence[Change]) -> bytes:
    """Write all that a pass writes as one patch, paths relative to the current folder.

    Args:
        named: The home, as the caller named it.
        writes: The files before and after.
        changes: The same in a person's terms; each is told above the file it happened in.

    Secrets are masked, and the patch of a file that shows one says so: git does not apply it.
    """
    pieces = [_masked(_file_patch(named, write, changes), write) for write in writes]
    return "".join(pieces).encode("utf-8", "surrogateescape")


def _file_patch(named: str, write: FileWrite, changes: Sequence[Change]) -> str:
    path = shown_path(named, write.path)
    before = "/dev/null" if write.before is None else _header(f"a/{path}")
    after = "/dev/null" if write.after is None else _header(f"b/{path}")
    reasons = [line for change in changes for line in _reason_lines(change, write.path)]
    diff = unified_diff(_lines(write.before), _lines(write.after), before, after)
    return "".join([*reasons, *map(_ended, diff)])


def _masked(patch: str, write: FileWrite) -> str:
    """Mask the secrets of a file in its patch, and say that this was done."""
    shown = mask_lines(patch, *map(_text, (write.before, write.after)))
    return shown if shown == patch else f"{_MASKED}\n{shown}"


def _text(data: bytes | None) -> str:
    return (data or b"").decode("utf-8", "surrogateescape")


def _reason_lines(change: Change, path: str) -> Iterator[str]:
    if path not in {change.path, change.to}:
        return
    yield f"# {one_line(change_line(change))}\n"
    yield f"#   because {one_line(reason_of(change))}\n"
    for item in change.evidence:
        yield f"#   {one_line(evidence_line(item))}\n"


def _lines(data: bytes | None) -> list[str]:
    """Split a file where its line feeds are, and nowhere else."""
    parts = _text(data).split("\n")
    return [f"{part}\n" for part in parts[:-1]] + ([parts[-1]] if parts[-1] else [])


def _ended(line: str) -> str:
    return line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"


def _header(path: str) -> str:
    """Write a file's name so that git reads it back: quoted where it has odd characters."""
    if any(char in '"\\' or char < " " or char == "\x7f" for char in path):
        escaped = path.replace("\\", "\\\\").replace('"', '\\"')
        return (
            '"'
            + "".join(c if c >= " " and c != "\x7f" else f"\\{ord(c):03o}" for c in escaped)
            + '"'
        )
    return f"{path}\t" if " " in path else path
