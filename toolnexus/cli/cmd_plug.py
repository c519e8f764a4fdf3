"""``plug``: outside knowledge into a home, as notes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolnexus.cli.commands import Call, Command
from toolnexus.cli.console import Styled, how_many, one_line
from toolnexus.cli.documents import plain
from toolnexus.cli.homes import open_home, shown_path, undo_command

if TYPE_CHECKING:
    from argparse import ArgumentParser
    from collections.abc import Iterator, Sequence

    from toolnexus.change.plan import Plan
    from toolnexus.cli.console import Line
    from toolnexus.evolve.plugging.summary import Plugged

_SHOWN = 20


def _arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "plug", metavar="PLUG", help="markdown, jsonl, documents, or what a package adds"
    )
    parser.add_argument("source", metavar="SOURCE", help="its file or folder")
    parser.add_argument(
        "--into", metavar="HOME", default=".", help="the persona's folder (default: .)"
    )
    parser.add_argument(
        "--scope",
        default="",
        metavar="FOLDER",
        help="the folder below the notes' own for all of it, whatever the source says",
    )
    parser.add_argument(
        "--dry-run", action="store_true", help="show what would be written, as a diff"
    )


def _plug(call: Call) -> int:
    from toolnexus.evolve.plugs.registry import load_plug

    options = call.arguments

    def preview(plan: Plan) -> None:
        from toolnexus.cli.patches import unified_patch

        if plan.writes and not call.console.as_json:
            patch = unified_patch(options.into, plan.writes, plan.changes)
            call.console.block(patch.decode("utf-8", "replace").removesuffix("\n"))

    written_so_far = "to write so far" if options.dry_run else "written so far"
    done = open_home(call, options.into).plug(
        load_plug(options.plug, options.source),
        scope=options.scope,
        dry_run=options.dry_run,
        progress=lambda read, written: call.console.progress(
            f"{how_many(read, 'event')} read, {how_many(written, 'note')} {written_so_far}"
        ),
        preview=preview,
    )
    if call.console.as_json:
        fields = plain(done)
        assert isinstance(fields, dict)
        call.console.document("plug", {"into": options.into, **fields, "wrote": done.wrote})
        return 0
    call.console.results(_lines(done, options.into, verbose=call.console.verbose))
    return 0


def _lines(done: Plugged, into: str, *, verbose: bool) -> Iterator[Line]:
    """Write what came of it for a person."""
    verb = "would write" if done.dry_run else "wrote"
    written = done.added + done.updated
    yield (
        Styled(f"{verb} {how_many(written, 'note')}", "bold"),
        f": {done.added:,} new, {done.updated:,} updated; {done.unchanged:,} unchanged",
    )
    if done.secrets:
        what = f"{done.secrets:,} of them {'hold' if done.secrets > 1 else 'holds'}"
        yield (f"{what} what looks like a secret; 'toolnexus check {into}' names the lines",)
    if done.left:
        yield (f"left as they are: {len(done.left):,}",)
        shown = done.left if verbose else done.left[:_SHOWN]
        for note in shown:
            place = shown_path(into, note.path) if note.path else "-"
            yield "  ", Styled(place, "cyan"), f"  {note.reason}"
        if len(shown) < len(done.left):
            yield (Styled(f"  … {len(done.left) - len(shown)} more (--verbose)", "dim"),)
    if done.gone:
        yield (f"no more in the source, and kept: {done.gone:,}",)
    if done.skipped:
        yield ("skipped:",)
        for skip in done.skipped:
            at = f", first at {one_line(skip.place, 80)}" if skip.place else ""
            yield f"  {skip.count:>7,}  {one_line(skip.reason, 100)}", Styled(at, "dim")
    yield from _undoing(done.ids, into, verbose=verbose)


def _undoing(ids: Sequence[str], into: str, *, verbose: bool) -> Iterator[Line]:
    """Say how what was written is undone: each part by itself, the newest first."""
    if len(ids) == 1:
        yield (f"undo it with: {undo_command(into, ids[0])}",)
    elif ids:
        yield (f"undo its {len(ids):,} parts with:",)
        shown = ids[::-1] if verbose else ids[: -_SHOWN - 1 : -1]
        for each in shown:
            yield (f"  {undo_command(into, each)}",)
        if len(shown) < len(ids):
            yield (Styled(f"  … {len(ids) - len(shown)} more (--verbose)", "dim"),)


COMMANDS = (
    Command(
        "plug", "toolnexus plug documents ava/IDENTITY.md --into ava --dry-run", _arguments, _plug
    ),
)
