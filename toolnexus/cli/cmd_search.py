"""``search``: notes and transcripts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolnexus.cli.arguments import add_home, add_scope, share, whole_number
from toolnexus.cli.commands import Call, Command
from toolnexus.cli.console import Styled, how_many, one_line
from toolnexus.cli.documents import plain
from toolnexus.cli.homes import open_home_before, shown_path
from toolnexus.cli.turns import turn_hit_fields, turn_hit_lines
from toolnexus.errors import UsageError

if TYPE_CHECKING:
    from argparse import ArgumentParser
    from collections.abc import Iterator

    from toolnexus.cli.console import Line
    from toolnexus.index.hit import Hit
    from toolnexus.transcripts.hit import TurnHit

EXAMPLE = 'toolnexus search ava "when does the passport run out"'


def _arguments(parser: ArgumentParser) -> None:
    add_home(parser)
    parser.add_argument("query", metavar="QUERY", help="plain words")
    parser.add_argument(
        "-k", type=whole_number(1, 1000), default=8, metavar="N", help="at most N hits (default: 8)"
    )
    parser.add_argument(
        "--in",
        dest="where",
        choices=("notes", "transcripts", "all"),
        default="notes",
        help="where to search (default: notes)",
    )
    parser.add_argument(
        "--tag", action="append", default=[], metavar="T", help="only notes with this tag"
    )
    parser.add_argument(
        "--min-score", type=share, default=0.0, metavar="S", help="only hits of this score, 0 to 1"
    )
    add_scope(parser)
    parser.add_argument("--archived", action="store_true", help="also notes in the archive")
    parser.add_argument("--explain", action="store_true", help="show what each score is made of")


def _search(call: Call) -> int:
    options = call.arguments
    if not options.query.strip():
        raise UsageError("the query is empty", hint="say what to look for, in plain words")
    found = open_home_before(call, options.query, "QUERY").search(
        options.query,
        k=options.k,
        where=options.where,
        tags=tuple(tag.lstrip("#") for tag in options.tag),
        min_score=options.min_score,
        scope=options.scope,
        archived=options.archived,
    )
    for notice in found.notices:
        call.console.progress(notice)
    if call.console.as_json:
        hits = [_fields(hit, explain=options.explain) for hit in found.hits]
        call.console.document("search", {"hits": hits, "notices": found.notices})
        return 0
    for hit in found.hits:
        call.console.results(_lines(hit, call))
    if not found.hits:
        call.console.progress("nothing found")
    return 0


def _fields(hit: Hit | TurnHit, *, explain: bool) -> dict[str, object]:
    from toolnexus.transcripts.hit import TurnHit

    return turn_hit_fields(hit) if isinstance(hit, TurnHit) else _hit_fields(hit, explain=explain)


def _lines(hit: Hit | TurnHit, call: Call) -> Iterator[Line]:
    from toolnexus.transcripts.hit import TurnHit

    return turn_hit_lines(hit) if isinstance(hit, TurnHit) else _hit_lines(hit, call)


def _hit_fields(hit: Hit, *, explain: bool) -> dict[str, object]:
    fields: dict[str, object] = {
        "in": "notes",
        "path": hit.path,
        "line": hit.line,
        "title": hit.title,
        "heading": hit.heading,
        "text": hit.text,
        "score": round(hit.score, 4),
        "rank": round(hit.rank, 4),
        "stage": hit.weight.stage,
        "proposed": hit.weight.is_proposed,
        "imagined": hit.weight.is_imagined,
    }
    return {**fields, "why": _factors(hit)} if explain else fields


def _factors(hit: Hit) -> dict[str, object]:
    """Return all that a hit's place among the others is made of."""
    why, weight = plain(hit.why), plain(hit.weight)
    assert isinstance(why, dict)
    assert isinstance(weight, dict)
    return {**why, **weight, "score": round(hit.score, 4), "rank": round(hit.rank, 4)}


def _hit_lines(hit: Hit, call: Call) -> Iterator[Line]:
    place = Styled(f"{shown_path(call.arguments.home, hit.path)}:{hit.line}", "cyan")
    mark = "imagined" if hit.weight.is_imagined else "proposed" if hit.weight.is_proposed else ""
    yield f"{hit.score:.2f}  ", place, f"  {one_line(hit.title)}{mark and f'  [{mark}]'}"
    lines = hit.text.splitlines()
    shown = lines if call.console.verbose else _around(lines, hit.at)
    for line in shown:
        yield (f"      {line}",)
    if len(shown) < len(lines):
        hidden = how_many(len(lines) - len(shown), "more line")
        yield (Styled(f"      … {hidden} (--verbose)", "dim"),)
    if call.arguments.explain:
        factors = _factors(hit).items()
        told = [f"{name} {_short(value)}" for name, value in factors if value not in (None, False)]
        yield (Styled(f"      why: {', '.join(told)}", "dim"),)


def _around(lines: list[str], at: int) -> list[str]:
    """Return a passage's best line with one on either side."""
    return lines[max(0, at - 1) : at + 2]


def _short(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.3f}"
    if isinstance(value, list):
        return "/".join(_short(item) for item in value) or "none"
    return str(value)


COMMANDS = (Command("search", EXAMPLE, _arguments, _search),)
