"""Cases: small homes as text, each claim with what a perfect pass would make of it."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from datetime import timedelta
from importlib.resources import files
from typing import TYPE_CHECKING, Literal, get_args

from toolnexus.clock import format_instant, parse_instant

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

Kind = Literal["right", "wrong", "stale", "unmentioned", "duplicated", "look-alike", "injected"]
KINDS: tuple[Kind, ...] = get_args(Kind)
GONE = "gone"
FOLDED = "folded"
SUFFIX = ".txt"

_SECTION = re.compile(r"\[(.+)\]")
_CLAIM = re.compile(r"- (?P<text>.+?)(?: => (?P<becomes>.+?))?(?: @ (?P<at>\S+))?")
_TURN = re.compile(r"(user|assistant|tool|system): (.*)")
_TALK = "talk "
_INDENT = "  "


@dataclass(frozen=True, slots=True)
class Expected:
    """One claim of a case.

    Attributes:
        path: The file that it stands in.
        text: Its words.
        becomes: What they should become; ``gone``, ``folded`` (its twin stays), or empty where it
            should stay as it is.
        at: The turn that says so, as ``conversation#turn``.
    """

    path: str
    text: str
    becomes: str = ""
    at: str = ""


@dataclass(frozen=True, slots=True)
class Case:
    """A small home, and what a perfect pass would make of it.

    Attributes:
        name: Its name.
        kind: What it tries a model with.
        language: ``en de fr es pt``.
        about: What is the matter, in a few words.
        files: The home's files by path.
        talks: The transcripts by conversation: role, words and instant of each turn.
        claims: Its claims.
        merges: Notes that should be folded into others: path to path.
        links: Links that should be repaired: target to target.
    """

    name: str
    kind: Kind
    language: str
    about: str
    files: dict[str, str] = field(default_factory=dict)
    talks: dict[str, tuple[tuple[str, str, str], ...]] = field(default_factory=dict)
    claims: tuple[Expected, ...] = ()
    merges: dict[str, str] = field(default_factory=dict)
    links: dict[str, str] = field(default_factory=dict)

    def write(self, folder: Path) -> None:
        """Write the home into a folder."""
        for path, text in self.files.items():
            _write(folder / path, text)
        for name, turns in self.talks.items():
            rows = ({"role": role, "content": text, "ts": ts} for role, text, ts in turns)
            _write(folder / "transcripts" / f"{name}.jsonl", "".join(map(_line, rows)))


def read_cases(
    only: Iterable[str] = (), *, language: str = "", limit: int | None = None
) -> tuple[Case, ...]:
    """Read the cases that ship with the package, by name.

    Args:
        only: Only those of these kinds; none stands for all.
        language: Only those in this language; empty stands for all.
        limit: At most so many.

    Example:
        >>> {case.kind for case in read_cases(["stale"])}
        {'stale'}
    """
    wanted = frozenset(only)
    sources = sorted(
        files("toolnexus.evaluation").joinpath("homes").iterdir(), key=lambda s: s.name
    )
    cases = [
        parse_case(source.name.removesuffix(SUFFIX), source.read_text(encoding="utf-8"))
        for source in sources
        if source.name.endswith(SUFFIX)
    ]
    chosen = [
        case
        for case in cases
        if (not wanted or case.kind in wanted) and language in {"", case.language}
    ]
    return tuple(chosen[:limit])


def parse_case(name: str, text: str) -> Case:
    """Read a case; these files are ours, so that a mistake in one raises.

    Raises:
        ValueError: when the file is not written as it should be.
    """
    head, sections = _sections(text)
    fields = [line.partition(": ")[::2] for line in head if line]
    facts = {key: value for key, value in fields if key not in {"merge", "link"}}
    kind = next((kind for kind in KINDS if kind == facts["kind"]), None)
    if kind is None:
        raise ValueError(f"{name}: '{facts['kind']}' is no kind of case")
    home = {"SOUL.md": "# Soul\n\nA quiet helper.\n", "persona.yaml": _settings(facts["owner"])}
    talks: dict[str, tuple[tuple[str, str, str], ...]] = {}
    claims: list[Expected] = []
    for title, lines in sections:
        if title.startswith(_TALK):
            talk, when = title.removeprefix(_TALK).split()
            talks[talk] = _turns(lines, when)
        else:
            written, found = _file(title, lines)
            home[title] = written
            claims += found
    moved = [(key, *value.split(" -> ")) for key, value in fields if key in {"merge", "link"}]
    merges = {f"memory/{a}.md": f"memory/{b}.md" for key, a, b in moved if key == "merge"}
    links = {a: b for key, a, b in moved if key == "link"}
    return Case(
        name, kind, facts["language"], facts["about"], home, talks, tuple(claims), merges, links
    )


def _sections(text: str) -> tuple[list[str], list[tuple[str, list[str]]]]:
    head: list[str] = []
    sections: list[tuple[str, list[str]]] = []
    for line in text.splitlines():
        if found := _SECTION.fullmatch(line):
            sections.append((found[1], []))
        else:
            (sections[-1][1] if sections else head).append(line)
    return head, sections


def _file(path: str, lines: list[str]) -> tuple[str, list[Expected]]:
    """Part a file from what is expected of its claims."""
    written: list[str] = []
    claims: list[Expected] = []
    for line in lines:
        found = _CLAIM.fullmatch(line)
        if found is None:
            written.append(line)
            continue
        claims.append(Expected(path, found["text"], found["becomes"] or "", found["at"] or ""))
        written.append(f"- {found['text']}")
    return "\n".join(written).rstrip("\n") + "\n", claims


def _turns(lines: list[str], when: str) -> tuple[tuple[str, str, str], ...]:
    said: list[tuple[str, str]] = []
    for line in lines:
        if found := _TURN.fullmatch(line):
            said.append((found[1], found[2]))
        elif line.startswith(_INDENT) and said:
            role, text = said[-1]
            said[-1] = (role, f"{text}\n{line.removeprefix(_INDENT)}")
        elif line:
            raise ValueError(f"this is no turn: {line}")
    start = parse_instant(when)
    instants = (format_instant(start + timedelta(minutes=n)) for n in range(len(said)))
    return tuple((role, text, ts) for (role, text), ts in zip(said, instants, strict=True))


def _settings(owner: str) -> str:
    return f"owner: {json.dumps(owner)}\n"


def _line(row: dict[str, str]) -> str:
    return json.dumps(row) + "\n"


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8", newline="")
