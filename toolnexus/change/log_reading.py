"""The dream log read again, to be shown where the history in the state folder is gone.

For people's eyes only: the file may have been edited, so nothing is ever decided by it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from toolnexus.change.log import unescape_quoted
from toolnexus.change.plan import Change, Evidence

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolnexus.change.plan import ChangeKind

_HEAD = re.compile(r"- (?P<time>\S+) (?P<job>[^:]+): .*\((?P<id>[\w-]+)\)\s*")
_NOTED = re.compile(r"  - (?P<kind>\w+) (?P<rest>.+)")
_CITED = re.compile(
    r' — (?:(?P<role>\w+), )?(?P<conversation>[^"]{1,400}?)#(?P<turn>\d{1,12}): "(?P<quote>.*)"'
)
_REPEAT = '" stands there twice'
_INTO = " → "


@dataclass(frozen=True, slots=True)
class LoggedPass:
    """An entry of the log; a change's line is 0, for the log tells none."""

    id: str
    time: str
    job: str
    changes: tuple[Change, ...]


def read_entries(text: str) -> list[LoggedPass]:
    r"""Read the log's entries, in the file's order; what is no entry is passed over.

    Example:
        >>> log = '- 2026-11-29T03:00:12Z dream: 1 dropped (p-1)\n  - dropped MEMORY.md: "Tea"\n'
        >>> [(entry.id, entry.changes[0].before) for entry in read_entries(log)]
        [('p-1', 'Tea')]
    """
    found: list[tuple[re.Match[str], list[Change]]] = []
    for line in text.splitlines():
        head = _HEAD.fullmatch(line)
        if head is not None:
            found.append((head, []))
        elif found:
            found[-1][1].extend(_changes(line))
    return [LoggedPass(head["id"], head["time"], head["job"], tuple(own)) for head, own in found]


def _changes(line: str) -> Iterator[Change]:
    noted = _NOTED.fullmatch(line)
    if noted is None:
        return
    said, evidence = _without_evidence(noted["rest"].rstrip())
    change = _change(noted["kind"], said, evidence)
    if change is not None:
        yield change


def _without_evidence(said: str) -> tuple[str, tuple[Evidence, ...]]:
    """Part a change from the evidence behind it."""
    first = _CITED.search(said)
    if first is None:
        return said, ()
    cited = [_CITED.fullmatch(part) for part in re.split(r'(?<=")(?= — )', said[first.start() :])]
    evidence = [
        Evidence(
            part["conversation"],
            int(part["turn"]),
            unescape_quoted(part["quote"]),
            part["role"] or "",
        )
        for part in cited
        if part is not None
    ]
    return said[: first.start()], tuple(evidence)


def _change(kind: str, said: str, evidence: tuple[Evidence, ...]) -> Change | None:
    where, _, quoted = said.partition(': "')
    path, _, to = where.partition(_INTO)
    told = quoted.removesuffix('"')
    match kind:
        case "merged" if path.startswith("in ") and quoted.endswith(_REPEAT):
            path, to = path.removeprefix("in "), path.removeprefix("in ")
            before, after = quoted.removesuffix(_REPEAT), ""
        case "demoted" | "merged" | "dropped" | "renamed" | "archived":
            before, after = told, ""
        case "added" | "written" | "extracted" | "distilled" | "imagined":
            before, after = "", told
        case "corrected" | "relinked":
            before, _, after = told.partition(f'"{_INTO}"')
        case _:
            return None
    known: ChangeKind = kind
    return Change(known, path, 0, unescape_quoted(before), unescape_quoted(after), to, evidence)
