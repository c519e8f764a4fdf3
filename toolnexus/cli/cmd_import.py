"""``import``: other tools' transcripts into a home."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolnexus.cli.commands import Call, Command
from toolnexus.cli.console import Styled, how_many, one_line
from toolnexus.cli.homes import open_home

if TYPE_CHECKING:
    from argparse import ArgumentParser
    from collections.abc import Iterator

    from toolnexus.cli.console import Line
    from toolnexus.transcripts.importers.summary import Imported, SkipCount

_ROLES = ("user", "assistant", "tool", "system")


def _arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "tool",
        metavar="TOOL",
        help="claude-code, codex, chatgpt, openclaw, jsonl, or what a package adds",
    )
    parser.add_argument("sources", metavar="SOURCE", nargs="+", help="its files or folders")
    parser.add_argument(
        "--into", metavar="HOME", default=".", help="the persona's folder (default: .)"
    )
    parser.add_argument("--dry-run", action="store_true", help="read and count, write nothing")


def _run(call: Call) -> int:
    from toolnexus.app.importing import import_transcripts

    options = call.arguments
    done = import_transcripts(
        open_home(call, options.into),
        options.tool,
        options.sources,
        dry_run=options.dry_run,
        progress=lambda sessions, turns: call.console.progress(
            f"{sessions:,} sessions read, {turns:,} new turns so far"
        ),
    )
    if call.console.as_json:
        call.console.document("import", _fields(done, options.tool, options.into))
        return 0
    call.console.results(_lines(done, verbose=call.console.verbose))
    if not done.new + done.grown + done.known + done.empty:
        call.console.progress(f"no sessions of {options.tool} were found there")
    return 0


def _fields(done: Imported, tool: str, into: str) -> dict[str, object]:
    """Return what came of an import as a document's fields."""
    return {
        "tool": tool,
        "into": into,
        "dry_run": done.dry_run,
        "sessions": {
            "new": done.new,
            "grown": done.grown,
            "known": done.known,
            "empty": done.empty,
        },
        "turns": {"new": done.turns, "known": done.turns_known},
        "skipped": done.skipped,
        "changed": done.conversations,
    }


def _lines(done: Imported, *, verbose: bool) -> Iterator[Line]:
    """Write what came of an import for a person."""
    verb = "would import" if done.dry_run else "imported"
    empty = f", {done.empty:,} empty" if done.empty else ""
    landed = done.new + done.grown
    yield (
        Styled(f"{verb} {how_many(landed, 'session')}", "bold"),
        f": {done.new:,} new, {done.grown:,} grown; {done.known:,} known before{empty}",
    )
    roles = ", ".join(f"{getattr(done.turns, role):,} {role}" for role in _ROLES)
    yield (f"turns: {done.turns.total:,} new ({roles}); {done.turns_known:,} known before",)
    if verbose:
        for conversation in done.conversations:
            sign = "new  " if conversation.created else "grown"
            yield f"  {sign} {conversation.turns:>7,} turns  ", Styled(conversation.id, "cyan")
    if done.skipped:
        yield ("skipped:",)
        yield from (_skip_line(skip) for skip in done.skipped)


def _skip_line(skip: SkipCount) -> Line:
    place = f"{skip.path}:{skip.line}" if skip.line else skip.path
    first = f", first at {place}" if skip.count > 1 else f", at {place}"
    return f"  {skip.count:>7,}  {one_line(skip.reason, 100)}", Styled(one_line(first), "dim")


COMMANDS = (
    Command(
        "import",
        "toolnexus import jsonl ava/transcripts/2026-01-11-boiler.jsonl --into ava",
        _arguments,
        _run,
    ),
)
