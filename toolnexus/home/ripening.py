"""Ripening: what a note's front matter says of how far it has come, how long it lasts, and whence.

    stage: raw | extracted | knowledge | skill
    stability: permanent | stable | transient | ephemeral
    status: proposed
    confidence: 0.35
    created: 2026-03-01
    updated: 2026-11-20
    derived_from: [tea, "transcript:trip#4"]

All of it is optional. What cannot be read counts as absent, and `ripening_problems` tells it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeVar, get_args

from toolnexus.clock import parse_instant

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from datetime import datetime

    from toolnexus.home.note import Note

Stage = Literal["raw", "extracted", "knowledge", "skill"]
Stability = Literal["permanent", "stable", "transient", "ephemeral"]
LinkKind = Literal["derived_from", "supported_by", "merged_from", "distilled_from", "refuted_by"]

STAGES: tuple[Stage, ...] = get_args(Stage)
STABILITIES: tuple[Stability, ...] = get_args(Stability)
LINK_KINDS: tuple[LinkKind, ...] = get_args(LinkKind)

PROPOSED = "proposed"
DREAMED = "dreamed"
"""The tag of what a persona imagined."""
PLUGGED = "plugged"
"""The front-matter key that names the plug that a note came by."""
TRANSCRIPT = "transcript:"
"""How a typed link begins that leads to a turn: ``transcript:conversation#turn``."""
ARCHIVE = "archive"
"""The folder below the notes' own that faded notes are moved to."""

_KINDS = frozenset(LINK_KINDS)
_Name = TypeVar("_Name", bound=str)
_DATES = ("created", "updated")
_DEFAULT_STABILITY: dict[Stage, Stability] = {
    "raw": "stable",
    "extracted": "transient",
    "knowledge": "stable",
    "skill": "permanent",
}


@dataclass(frozen=True, slots=True)
class Ripening:
    """How ripe a note is.

    Attributes:
        stage: How far it has come. Where nothing is said, sources are raw and notes knowledge.
        stability: How long it lasts. Where nothing is said, that hangs on the stage: what was
            extracted is transient, a skill permanent, the rest stable; soul files are permanent.
        is_proposed: It waits for a person's word: ``status: proposed``.
        is_archived: It lies in the archive.
        confidence: How sure its author was, 0 to 1; None when that is not said.
        links: What it rests on, by the kind of link: slugs and ``transcript:conversation#turn``.
        created: When it was made; a day stands for its first instant in UTC.
        updated: When it was last looked after.
    """

    stage: Stage = "knowledge"
    stability: Stability = "stable"
    is_proposed: bool = False
    is_archived: bool = False
    confidence: float | None = None
    links: Mapping[LinkKind, tuple[str, ...]] = field(default_factory=dict)
    created: datetime | None = None
    updated: datetime | None = None


class RipeningProblem(NamedTuple):
    """A front-matter value that cannot be read: its key, what is wrong, and what to do."""

    key: str
    message: str
    hint: str


def ripening_of(note: Note) -> Ripening:
    r"""Read how ripe a note is; a value that cannot be read counts as absent.

    Args:
        note: The note.

    Example:
        >>> from toolnexus.home.snapshot import Snapshot
        >>> text = "---\nstage: raw\nderived_from: [tea]\n---\n- Green.\n"
        >>> home = Snapshot(name="ava").with_texts({"memory/cup.md": text})
        >>> ripe = ripening_of(home.notes["memory/cup.md"])
        >>> ripe.stage, ripe.stability, dict(ripe.links)
        ('raw', 'stable', {'derived_from': ('tea',)})
    """
    fields = note.document.front.fields
    archived = is_archived(note.path)
    if not fields:
        stage = _default_stage(note)
        return Ripening(stage, _default_stability(note, stage), is_archived=archived)
    stage = _choice(fields.get("stage"), STAGES) or _default_stage(note)
    return Ripening(
        stage,
        _choice(fields.get("stability"), STABILITIES) or _default_stability(note, stage),
        is_proposed=is_proposed(note),
        is_archived=archived,
        confidence=_share(fields.get("confidence")),
        links={kind: found for kind in LINK_KINDS if (found := _refs(fields.get(kind)) or ())},
        created=_instant(fields.get("created")),
        updated=_instant(fields.get("updated")),
    )


def is_proposed(note: Note) -> bool:
    r"""Tell whether a note waits for a person's word: what it says is a guess, and no fact.

    Example:
        >>> from toolnexus.home.snapshot import Snapshot
        >>> home = Snapshot("ava").with_texts({"memory/a.md": "---\nstatus: proposed\n---\n"})
        >>> is_proposed(home.notes["memory/a.md"])
        True
    """
    return _folded(note.document.front.fields.get("status")) == PROPOSED


def is_plugged(note: Note) -> bool:
    r"""Tell whether a note was plugged in from outside, by what its front matter says.

    Example:
        >>> from toolnexus.home.snapshot import Snapshot
        >>> home = Snapshot("ava").with_texts({"memory/a.md": "---\nplugged: web\n---\n"})
        >>> is_plugged(home.notes["memory/a.md"])
        True
    """
    return bool(_folded(note.document.front.fields.get(PLUGGED)))


def states_basis(note: Note) -> bool:
    r"""Tell whether a note says what it rests on, or what refutes it, in whatever way.

    Example:
        >>> from toolnexus.home.snapshot import Snapshot
        >>> home = Snapshot("ava").with_texts({"memory/a.md": "---\nderived_from: [tea]\n---\n"})
        >>> states_basis(home.notes["memory/a.md"])
        True
    """
    return not _KINDS.isdisjoint(note.document.front.fields)


def is_archived(path: str) -> bool:
    """Tell whether a note lies in the archive: the folder ``archive`` beside the other notes.

    Example:
        >>> is_archived("memory/archive/tea.md"), is_archived("memory/archives/tea.md")
        (True, False)
    """
    return path.startswith((f"memory/{ARCHIVE}/", f"{ARCHIVE}/"))


def ripening_problems(note: Note) -> Iterator[RipeningProblem]:
    """Yield the values of a note's front matter that say nothing of how ripe it is."""
    fields = note.document.front.fields
    for key, known in (("stage", STAGES), ("stability", STABILITIES)):
        value = fields.get(key)
        if value is not None and _choice(value, known) is None:
            yield RipeningProblem(
                key, f"'{key}' should be {_either(known)}", _nearest(value, known)
            )
    value = fields.get("confidence")
    if value is not None and _share(value) is None:
        yield RipeningProblem(
            "confidence", "'confidence' should be from 0 to 1", "write it as in 'confidence: 0.8'"
        )
    for key in _DATES:
        value = fields.get(key)
        if value is not None and _instant(value) is None:
            hint = f"write it as in '{key}: 2026-03-01'"
            yield RipeningProblem(key, f"'{key}' should be a date", hint)
    for kind in LINK_KINDS:
        if fields.get(kind) is not None and _refs(fields[kind]) is None:
            hint = f"write it as in '{kind}: [travel, \"transcript:trip#4\"]'"
            yield RipeningProblem(kind, f"'{kind}' should be a list of notes and turns", hint)


def _default_stage(note: Note) -> Stage:
    return "raw" if note.kind == "source" else "knowledge"


def _default_stability(note: Note, stage: Stage) -> Stability:
    return "permanent" if note.kind == "soul" else _DEFAULT_STABILITY[stage]


def _folded(value: object) -> str:
    return value.strip().casefold() if isinstance(value, str) else ""


def _choice(value: object, known: tuple[_Name, ...]) -> _Name | None:
    folded = _folded(value)
    return next((name for name in known if name == folded), None)


def _share(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if math.isfinite(value) and 0 <= value <= 1 else None


def _instant(value: object) -> datetime | None:
    try:
        return parse_instant(value) if isinstance(value, str) else None
    except (ValueError, OverflowError):
        return None


def _refs(value: object) -> tuple[str, ...] | None:
    """Read what a link names: one text, or a list; None when it is neither.

    ``[[tea]]``, as people write links, is to YAML a list in a list: it is read as it is meant.
    """
    if value is None:
        return ()
    items = value if isinstance(value, list) else [value]
    flat: list[object] = []
    for item in items:
        flat += item if isinstance(item, list) else [item]
    if not all(isinstance(item, str | int | float) and not isinstance(item, bool) for item in flat):
        return None
    named = (_bare(str(item)) for item in flat)
    return tuple(dict.fromkeys(name for name in named if name))


def _bare(text: str) -> str:
    """Take the wiki brackets and the label off a link, and ``.md`` off a file's name."""
    bare = text.strip()
    if bare.startswith("[[") and bare.endswith("]]"):
        bare = bare[2:-2].partition("|")[0].strip()
    return bare if bare.startswith(TRANSCRIPT) else bare.removesuffix(".md")


def _either(known: tuple[str, ...]) -> str:
    return f"{', '.join(known[:-1])} or {known[-1]}"


def _nearest(value: object, known: tuple[str, ...]) -> str:
    from difflib import get_close_matches

    near = get_close_matches(_folded(value), known, n=1, cutoff=0.5)
    return f"did you mean '{near[0]}'?" if near else f"write one of: {', '.join(known)}"
