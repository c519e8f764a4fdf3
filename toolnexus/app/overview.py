"""The overview: a home in a few numbers."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from toolnexus.errors import ConfigError
from toolnexus.evolve.ripeness import Ripeness
from toolnexus.home.claims import holds_claims
from toolnexus.home.memory_index import index_size
from toolnexus.home.snapshot import INDEX_FILE

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from toolnexus.app.parts import Parts
    from toolnexus.home.finding import Finding
    from toolnexus.home.snapshot import Snapshot


@dataclass(frozen=True, slots=True)
class IndexGlance:
    """How the search index is, as far as that is quick to tell.

    Attributes:
        ok: Whether nothing is wrong with it.
        current: Whether it is in step with the home; else the next search brings it there.
        files: How many files it holds; `passages` how many passages; `behind` of them wait for
            their vectors.
        problems: What is wrong, a line each, with its fix.
    """

    ok: bool = True
    current: bool = False
    files: int = 0
    passages: int = 0
    behind: int = 0
    problems: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Overview:
    """What there is in a home.

    Attributes:
        claims: Claims in MEMORY.md, USER.md and notes.
        notes: Notes, daily ones included.
        links: Links; `broken_links` of them lead nowhere or to several notes.
        index_lines: Lines of MEMORY.md; `index_bytes` its bytes; `cap_lines`, `cap_bytes` its cap.
        conversations: Conversations; `turns` their turns.
        last_pass: When the last dream wrote something, as RFC 3339; None when none did.
        last_beat: When the last heartbeat was, skipped or not, as RFC 3339; None when none was.
        waiting: Changes that wait for a person.
        findings: How many findings of each severity `check` has.
        due: What is due: tasks of HEARTBEAT.md, and what a person or a dream should see to.
        ripening: How far the memory has come: notes by stage, and what is due of them.
        index: How the search index is.
    """

    claims: int
    notes: int
    links: int
    broken_links: int
    index_lines: int
    index_bytes: int
    cap_lines: int
    cap_bytes: int
    conversations: int
    turns: int
    last_pass: str | None
    last_beat: str | None
    waiting: int
    findings: Mapping[str, int] = field(default_factory=dict)
    due: tuple[str, ...] = ()
    ripening: Ripeness = field(default_factory=Ripeness)
    index: IndexGlance = field(default_factory=IndexGlance)


def summarise(
    home: Snapshot,
    findings: Iterable[Finding],
    *,
    conversations: int,
    turns: int,
    last_pass: str | None,
    waiting: int,
    last_beat: str | None = None,
    tasks: tuple[str, ...] = (),
    ripening: Ripeness,
    index: IndexGlance,
) -> Overview:
    """Count what is in a home.

    Args:
        home: The home as read.
        findings: What `check` finds in it.
        conversations: How many conversations it has.
        turns: How many turns they have.
        last_pass: When the last dream wrote something.
        waiting: How many changes wait for a person.
        last_beat: When the last heartbeat was, skipped or not.
        tasks: The tasks of HEARTBEAT.md that are due.
        ripening: How far the memory has come.
        index: How the search index is.
    """
    lines, size_bytes = index_size(home.text(INDEX_FILE)) if home.memory else (0, 0)
    severities = Counter(finding.severity for finding in findings)
    resolutions = [found for each in home.resolutions.values() for found in each]
    over = lines > home.cap.lines or size_bytes > home.cap.bytes
    due = [*tasks]
    due += [f"{waiting} changes wait for review"] if waiting else []
    due += ["MEMORY.md is over its cap: 'toolnexus dream' brings it under"] if over else []
    return Overview(
        claims=sum(len(n.document.claims) for n in home.notes.values() if holds_claims(n)),
        notes=sum(1 for note in home.notes.values() if note.kind != "soul"),
        links=len(resolutions),
        broken_links=sum(1 for found in resolutions if found.path is None),
        index_lines=lines,
        index_bytes=size_bytes,
        cap_lines=home.cap.lines,
        cap_bytes=home.cap.bytes,
        conversations=conversations,
        turns=turns,
        last_pass=last_pass,
        last_beat=last_beat,
        waiting=waiting,
        findings={name: severities[name] for name in ("error", "warning", "info")},
        due=tuple(due),
        ripening=ripening,
        index=index,
    )


def glance_at(home: Parts, snapshot: Snapshot) -> IndexGlance:
    """Tell how the search index of a home is; nothing is indexed for it."""
    try:
        seen, current = home.searching.glance(snapshot)
    except ConfigError as error:  # which is a finding
        return IndexGlance(ok=False, problems=(f"it cannot be told: {error.message}",))
    return IndexGlance(seen.ok, current, seen.files, seen.chunks, seen.behind, seen.problems)
