"""``evaluate``: a scorecard of a model as a dreamer."""

from __future__ import annotations

import os
from dataclasses import asdict
from typing import TYPE_CHECKING

from toolnexus.cli.arguments import amount, whole_number
from toolnexus.cli.commands import Call, Command
from toolnexus.cli.console import Styled
from toolnexus.cli.progress import Progress
from toolnexus.errors import UsageError

if TYPE_CHECKING:
    from argparse import ArgumentParser
    from collections.abc import Iterator

    from toolnexus.cli.console import Line
    from toolnexus.evaluation import Scorecard, Tally

UNREACHABLE = 69
_KINDS = ("right", "wrong", "stale", "unmentioned", "duplicated", "look-alike", "injected")
_LANGUAGES = ("en", "de", "fr", "es", "pt")
_HEAD = ("", "homes", "score", "corrected", "waiting", "missed", "harmed", "conserved")
_WIDTHS = (12, 6, 7, 10, 8, 7, 7, 10)


def _arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--model", metavar="M", help="a litellm model (default: $TOOLNEXUS_MODEL); none is offline"
    )
    parser.add_argument("--only", choices=_KINDS, action="append", help="only homes of this kind")
    parser.add_argument("--language", choices=_LANGUAGES, help="only homes in this language")
    parser.add_argument("--limit", metavar="N", type=whole_number(1), help="at most so many homes")
    parser.add_argument(
        "--budget-usd", metavar="N", type=amount, help="what all of it may cost, in US dollars"
    )


def _evaluate(call: Call) -> int:
    from toolnexus.app.thinker import load_model
    from toolnexus.evaluation import evaluate, read_cases

    options = call.arguments
    name = options.model or os.environ.get("TOOLNEXUS_MODEL") or ""
    if not name:
        raise UsageError("no model is named", hint="name one: --model M; none is offline")
    cases = read_cases(options.only or (), language=options.language or "", limit=options.limit)
    if not cases:
        raise UsageError("there is no such home", hint="leave --only or --language out")
    progress = Progress(call.console, len(cases))
    model = None if name == "none" else load_model(name)
    card = evaluate(
        cases,
        lambda _: model,
        name=name,
        budget_usd=options.budget_usd,
        begin=lambda case: progress.step(f"{case.kind}: {case.about} ({case.language})"),
    )
    progress.clear()
    if call.console.as_json:
        call.console.document("evaluate", card_fields(card))
    else:
        call.console.results(card_lines(card, verbose=call.console.verbose))
    if card.stopped:
        call.console.progress(f"ended early: {card.stopped}")
    return UNREACHABLE if card.stopped and "dollars are spent" not in card.stopped else 0


def card_fields(card: Scorecard) -> dict[str, object]:
    """Return a scorecard as a document's fields."""
    return {
        "model": card.model,
        "all": _tally_fields(card.all),
        "kinds": {kind: _tally_fields(tally) for kind, tally in card.kinds.items()},
        "homes": [
            {
                "name": home.name,
                "kind": home.kind,
                "language": home.language,
                **_tally_fields(home.tally),
                "missed_claims": home.missed,
                "harmed_claims": home.harmed,
            }
            for home in card.homes
        ],
        "stopped": card.stopped or None,
    }


def _tally_fields(tally: Tally) -> dict[str, object]:
    return {"score": round(tally.score, 4), **asdict(tally)}


def card_lines(card: Scorecard, *, verbose: bool = False) -> Iterator[Line]:
    """Write a scorecard as a table, kind by kind, with what it cost."""
    yield (Styled(_row(_HEAD), "bold"),)
    for kind, tally in card.kinds.items():
        yield (_row(_cells(kind, tally)),)
    everything = card.all
    yield (Styled(_row(_cells("all", everything)), "bold"),)
    merged = f"{everything.merged} of {everything.merges} notes merged"
    yield (f"{merged}, {everything.repaired} of {everything.links} links repaired",)
    read = f"{everything.model_calls} calls, {everything.tokens_in:,} tokens read"
    cost = f"{everything.tokens_out:,} written, {everything.usd:.4f} US dollars"
    yield (f"{card.model}: {read}, {cost}, {everything.seconds:.0f} s",)
    if verbose:
        yield from _detail(card)


def _detail(card: Scorecard) -> Iterator[Line]:
    for home in card.homes:
        for text in home.harmed:
            yield (Styled("harmed", "red"), f" {home.name}: {text}")
        for text in home.missed:
            yield (Styled("missed", "yellow"), f" {home.name}: {text}")


def _cells(name: str, tally: Tally) -> tuple[str, ...]:
    return (
        name,
        str(tally.homes),
        f"{100 * tally.score:.0f} %",
        f"{tally.corrected}/{tally.wanted}",
        str(tally.waiting),
        str(tally.missed),
        str(tally.harmed),
        f"{tally.conserved}/{tally.standing}",
    )


def _row(cells: tuple[str, ...]) -> str:
    first, *rest = zip(cells, _WIDTHS, strict=True)
    return f"{first[0]:<{first[1]}}" + "".join(f"{cell:>{width}}" for cell, width in rest)


COMMANDS = (
    Command("evaluate", "toolnexus evaluate --model none --limit 3", _arguments, _evaluate),
)
