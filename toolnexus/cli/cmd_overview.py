"""``overview``: a home at a glance."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolnexus.cli.arguments import add_homes, add_scope
from toolnexus.cli.commands import Call, Command
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
            for label, text in _rows(seen):
                call.console.result(f"  {label:<12} {text}")

        return Report(named, {"name": home.name, **fields}, 0, show)

    return run_homes(call, work)


def _rows(seen: Overview) -> Iterator[tuple[str, str]]:
    """Write each thing worth knowing as a label and a text."""
    broken = f", {seen.broken_links} of them broken" if seen.broken_links else ""
    yield "memory", f"{_count(seen.claims, 'claim')} in {_count(seen.notes, 'note')}"
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
        (f"{_count(seen.turns, 'turn')} in {_count(seen.conversations, 'conversation')}"),
    )
    yield from _ripening(seen.ripening)
    yield "index", _index(seen.index)
    for job, state in seen.automation.items():
        dropped = f", {_count(state.dropped, 'trigger')} dropped" if state.dropped else ""
        yield job, f"by itself: {_count(state.turns, 'turn')} since the last time{dropped}"
    yield "last pass", seen.last_pass or "none yet"
    yield "last beat", seen.last_beat or "none yet"
    yield "findings", counted(seen.findings)
    yield "due", ", ".join(seen.due) or "nothing"
    yield "waiting", f"{seen.waiting} (toolnexus review)" if seen.waiting else "nothing"


def _ripening(seen: Ripeness) -> Iterator[tuple[str, str]]:
    """Write how far the memory has come."""
    stages = [f"{count:,} {stage}" for stage, count in seen.stages.items() if count]
    stages += [f"{seen.archived:,} archived"] if seen.archived else []
    yield "stages", ", ".join(stages) or "no notes yet"
    sources = [
        _count(number, noun)
        for number, noun in ((seen.extraction, "note"), (seen.talks, "conversation"))
        if number
    ]
    told = [f"{' and '.join(sources)} for extraction"] if sources else []
    due = {"merge": seen.merge, "distillation": seen.distillation, "archive": seen.faded}
    told += [f"{count:,} for {what}" for what, count in due.items() if count]
    yield "ripening", ", ".join(told) or "nothing is due"
    if seen.fading:
        yield "fading", _count(seen.fading, "note")
    if seen.proposed:
        yield "proposed", f"{_count(seen.proposed, 'note')}, {seen.imagined:,} of them imagined"
    if seen.review:
        shown = [f"{each.path}{each.reason and f' ({each.reason})'}" for each in seen.wanting[:3]]
        more = f" and {seen.review - len(shown):,} more" if seen.review > len(shown) else ""
        yield "to review", f"{', '.join(shown)}{more}"


def _index(seen: IndexGlance) -> str:
    """Write how the search index is."""
    if seen.problems:
        return "; ".join(seen.problems)
    held = f"{_count(seen.files, 'file')}, {_count(seen.passages, 'passage')}"
    return held if seen.current else f"{held}; the next search brings it up to date"


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def _arguments(parser: ArgumentParser) -> None:
    add_homes(parser)
    add_scope(parser)


COMMANDS = (Command("overview", "toolnexus overview ava", _arguments, _overview),)
