"""``overview``: a home at a glance."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from toolnexus.cli.arguments import add_homes, add_scope
from toolnexus.cli.commands import Call, Command
from toolnexus.cli.console import how_many
from toolnexus.cli.documents import plain
from toolnexus.cli.findings import counted
from toolnexus.cli.homes import Report, run_homes

if TYPE_CHECKING:
    from argparse import ArgumentParser
    from collections.abc import Iterator

    from toolnexus.app import Home
    from toolnexus.app.overview import IndexGlance, Overview
    from toolnexus.evolve.ripeness import Ripeness


def _overview(call: Call) -> int:
    def work(home: Home, named: str) -> Report:
        seen = home.overview(call.arguments.scope)
        fields = plain(seen)
        assert isinstance(fields, dict)

        def show() -> None:
            call.console.result(f"{home.name} ({named})")
            for label, text in _rows(seen, named):
                call.console.result(f"  {label:<12} {text}")

        return Report(named, {"name": home.name, **fields}, 0, show)

    return run_homes(call, work)


def _rows(seen: Overview, named: str) -> Iterator[tuple[str, str]]:
    """Write each thing worth knowing as a label and a text."""
    ripening = _ripening_due(seen.ripening)
    broken = f", {seen.broken_links} of them broken" if seen.broken_links else ""
    yield "memory", f"{how_many(seen.claims, 'claim')} in {how_many(seen.notes, 'note')}"
    yield "links", f"{seen.links}{broken}"
    yield (
        "MEMORY.md",
        (
            f"{seen.index_lines} of {seen.cap_lines} lines,"
            f" {seen.index_bytes:,} of {seen.cap_bytes:,} bytes"
        ),
    )
    yield (
        "transcripts",
        (f"{how_many(seen.turns, 'turn')} in {how_many(seen.conversations, 'conversation')}"),
    )
    yield from _ripening(seen.ripening, ripening)
    yield "index", _index(seen.index)
    for job, state in seen.automation.items():
        dropped = f", {how_many(state.dropped, 'trigger')} dropped" if state.dropped else ""
        yield job, f"by itself: {how_many(state.turns, 'turn')} since the last time{dropped}"
    yield "last pass", seen.last_pass or "none yet"
    yield "last beat", seen.last_beat or "none yet"
    yield "findings", counted(seen.findings)
    compact = [f"memory to ripen (toolnexus compact {shlex.quote(named)})"] if ripening else []
    yield "due", ", ".join([*seen.due, *compact]) or "nothing"
    yield "waiting", f"{seen.waiting} (toolnexus review)" if seen.waiting else "nothing"


def _ripening(seen: Ripeness, due: list[str]) -> Iterator[tuple[str, str]]:
    """Write how far the memory has come."""
    stages = [f"{count:,} {stage}" for stage, count in seen.stages.items() if count]
    stages += [f"{seen.archived:,} archived"] if seen.archived else []
    yield "stages", ", ".join(stages) or "no notes yet"
    yield "ripening", ", ".join(due) or "nothing is due"
    if seen.fading:
        yield "fading", how_many(seen.fading, "note")
    if seen.proposed:
        yield "proposed", f"{how_many(seen.proposed, 'note')}, {seen.imagined:,} of them imagined"
    if seen.review:
        shown = [f"{each.path}{each.reason and f' ({each.reason})'}" for each in seen.wanting[:3]]
        more = f" and {seen.review - len(shown):,} more" if seen.review > len(shown) else ""
        yield "to review", f"{', '.join(shown)}{more}"


def _ripening_due(seen: Ripeness) -> list[str]:
    """Write what `compact` would find to do."""
    sources = [
        how_many(number, noun)
        for number, noun in ((seen.extraction, "note"), (seen.talks, "conversation"))
        if number
    ]
    told = [f"{' and '.join(sources)} for extraction"] if sources else []
    due = {"merge": seen.merge, "distillation": seen.distillation, "archive": seen.faded}
    return told + [f"{count:,} for {what}" for what, count in due.items() if count]


def _index(seen: IndexGlance) -> str:
    """Write how the search index is."""
    if seen.problems:
        return "; ".join(seen.problems)
    held = f"{how_many(seen.files, 'file')}, {how_many(seen.passages, 'passage')}"
    return held if seen.current else f"{held}; the next search brings it up to date"


def _arguments(parser: ArgumentParser) -> None:
    add_homes(parser)
    add_scope(parser)


COMMANDS = (Command("overview", "toolnexus overview ava", _arguments, _overview),)
