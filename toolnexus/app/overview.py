"""The overview: a home in a few numbers."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from toolnexus.home.claims import holds_claims
from toolnexus.home.memory_index import index_size
from toolnexus.home.snapshot import INDEX_FILE

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from toolnexus.home.finding import Finding
    from toolnexus.home.snapshot import Snapshot


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
    )
