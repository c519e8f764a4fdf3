"""The overview: a home in a few numbers."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from toolnexus.app.beating import due_tasks, last_beat
from toolnexus.app.due import due_of
from toolnexus.app.feedback import uses_of
from toolnexus.app.tally import tally_of
from toolnexus.errors import ConfigError
from toolnexus.evolve.ripeness import Ripeness, ripeness_of
from toolnexus.home.memory_index import index_size, over_cap
from toolnexus.home.scope import parse_scope
from toolnexus.home.snapshot import INDEX_FILE

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from toolnexus.app.parts import Parts
    from toolnexus.app.view import View
    from toolnexus.evolve.gates import GateState
    from toolnexus.home.snapshot import Snapshot

OVER_CAP = "MEMORY.md is over its cap: 'toolnexus dream' brings it under"


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
        automation: How far the gates of jobs are that turns set off, by job; those alone that the
            settings ask for.
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
    automation: Mapping[str, GateState] = field(default_factory=dict)


def overview_of(home: View, scope: str = "") -> Overview:
    """Count what is in a home.

    Args:
        home: The home. Its documents are looked at only where any of them changed since the last
            time.
        scope: Count only what lies in this folder below the notes' own; empty for all. The index,
            the conversations, and what was done and waits, are the whole home's all the same.

    Raises:
        UsageError: when there is no such scope.
    """
    outer = home.outer_findings()
    stats, dreams = home.turns.stats(), [e for e in home.store.history() if e.job == "dream"]
    waiting = sum(len(proposal.steps) for proposal in home.proposals())

    def look(snapshot: Snapshot) -> Overview:
        within = parse_scope(scope, snapshot.layout, snapshot.digests)
        whole, uses = tally_of(home, snapshot), uses_of(home, snapshot)
        tally = whole.within(within)
        claims, links, broken = tally.total()
        now, due = home.clock.now(), due_of(home, whole, within, uses)
        ripening = ripeness_of(tally.facts, uses, now, home.lenient_settings, due)
        found = Counter(severity for _, severity in tally.findings)
        found.update(finding.severity for finding in outer if not within)
        found["warning"] += ripening.review
        size, cap = index_size(snapshot.text(INDEX_FILE)), snapshot.cap
        return Overview(
            claims=claims,
            notes=len(tally.facts),
            links=links,
            broken_links=broken,
            index_lines=size.lines,
            index_bytes=size.bytes,
            cap_lines=cap.lines,
            cap_bytes=cap.bytes,
            conversations=stats.conversations,
            turns=sum(stats.turns.values()),
            last_pass=dreams[-1].time if dreams else None,
            last_beat=last_beat(home),
            waiting=waiting,
            findings={name: found[name] for name in ("error", "warning", "info")},
            due=tuple(_to_do(home, snapshot, waiting)),
            ripening=ripening,
            index=glance_at(home, snapshot),
            automation={str(job): state for job, state in home.automation.states().items()},
        )

    return home.steady(look)


def _to_do(home: View, snapshot: Snapshot, waiting: int) -> Iterator[str]:
    """Yield what is due: tasks of HEARTBEAT.md, and what a person or a dream should see to."""
    yield from due_tasks(home, snapshot)
    if waiting:
        yield f"{waiting} change{' waits' if waiting == 1 else 's wait'} for review"
    if over_cap(snapshot) is not None:
        yield OVER_CAP


def glance_at(home: Parts, snapshot: Snapshot) -> IndexGlance:
    """Tell how the search index of a home is; nothing is indexed for it."""
    try:
        seen, current = home.searching.glance(snapshot)
    except ConfigError as error:  # which is a finding
        return IndexGlance(ok=False, problems=(f"it cannot be told: {error.message}",))
    return IndexGlance(seen.ok, current, seen.files, seen.chunks, seen.behind, seen.problems)
