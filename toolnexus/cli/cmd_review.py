"""``review``: what waits for a person."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from toolnexus.cli.arguments import add_home, whole_number
from toolnexus.cli.changes import change_fields, change_hunks, change_line
from toolnexus.cli.commands import Call, Command
from toolnexus.cli.console import Styled
from toolnexus.cli.homes import open_home, undo_hint
from toolnexus.errors import UsageError

if TYPE_CHECKING:
    from argparse import ArgumentParser
    from collections.abc import Iterator, Sequence

    from toolnexus.app import Home
    from toolnexus.cli.console import Line
    from toolnexus.home.drafts.proposal import Proposal

LEFT = 3
_PROPOSAL_ID = re.compile(r"\d{8}T\d{6}Z-\w+")


def _arguments(parser: ArgumentParser) -> None:
    add_home(parser)
    parser.add_argument(
        "id", metavar="ID", nargs="?", help="one proposal; may be left out where one alone waits"
    )
    decision = parser.add_mutually_exclusive_group()
    for name, what in (("--apply", "make"), ("--discard", "turn down")):
        decision.add_argument(
            name,
            nargs="*",
            type=whole_number(1),
            metavar="N",
            help=f"{what} all its changes, or those with these numbers",
        )


def _review(call: Call) -> int:
    options = call.arguments
    if (
        options.id is None
        and _PROPOSAL_ID.fullmatch(options.home)
        and not Path(options.home).exists()
    ):
        options.home, options.id = ".", options.home  # 'toolnexus review ID' in the home itself
    home = open_home(call, options.home)
    proposals = home.proposals()
    if options.apply is None and options.discard is None:
        return _list(call, _chosen(proposals, options.id) if options.id else proposals)
    return _decide(call, home, _one(proposals, options.id))


def _list(call: Call, proposals: Sequence[Proposal]) -> int:
    """Show proposals, each change with its number."""
    if call.console.as_json:
        shown = [_fields(proposal, call.arguments.home) for proposal in proposals]
        call.console.document("review", {"proposals": shown})
        return 0
    for proposal in proposals:
        call.console.results(_lines(proposal, call.arguments.home))
    if not proposals:
        call.console.result("nothing waits")
    return 0


def _decide(call: Call, home: Home, proposal: Proposal) -> int:
    """Apply or discard a proposal's changes, all or those that were numbered."""
    options = call.arguments
    if options.apply is not None:
        done = home.apply(proposal.id, tuple(options.apply) or None)
    else:
        done = home.discard(proposal.id, tuple(options.discard) or None)
    for notice in home.store.notices:
        call.console.progress(notice)
    code = LEFT if done.left else 0
    if call.console.as_json:
        applied = [change_fields(change) for change in done.applied]
        left = {"left": done.left, "waiting": done.waiting, "numbers": done.numbers}
        decided = {"id": done.id or None, "applied": applied, "discarded": done.discarded}
        call.console.document("review", {**decided, **left})
        return code
    for change in done.applied:
        call.console.result(change_line(change))
    for number in done.left:
        call.console.result(f"[{number}] no longer fits the home and goes on waiting")
    counts = f"{len(done.applied)} applied, {len(done.discarded)} discarded"
    numbers = "".join(f" [{number}]" for number in done.numbers)
    waiting = f"{done.waiting} still waiting{numbers and ':'}{numbers}"
    call.console.result(f"{counts}, {waiting}{undo_hint(options.home, done.id)}")
    return code


def _one(proposals: Sequence[Proposal], wanted: str | None) -> Proposal:
    """Find the proposal to decide on."""
    if wanted:
        return _chosen(proposals, wanted)[0]
    if len(proposals) == 1:
        return proposals[0]
    if not proposals:
        raise UsageError("nothing waits for review", hint="'toolnexus dream' makes a pass")
    known = ", ".join(proposal.id for proposal in proposals)
    raise UsageError("several proposals wait: say which", hint=f"one of: {known}")


def _chosen(proposals: Sequence[Proposal], wanted: str) -> list[Proposal]:
    found = [proposal for proposal in proposals if proposal.id == wanted]
    if not found:
        known = ", ".join(proposal.id for proposal in proposals)
        hint = f"these wait: {known}" if known else "nothing waits"
        raise UsageError(f"no proposal '{wanted}' waits", hint=hint)
    return found


def _fields(proposal: Proposal, named: str) -> dict[str, object]:
    """Return a proposal as a document's field."""
    numbered = zip(proposal.numbers, proposal.changes, strict=True)
    return {
        "id": proposal.id,
        "created": proposal.created,
        "reason": proposal.reason,
        "changes": [{"number": number, **change_fields(change)} for number, change in numbered],
        "next": f"toolnexus review {named} {proposal.id} --apply",
    }


def _lines(proposal: Proposal, named: str) -> Iterator[Line]:
    """Write a proposal for a person."""
    yield (Styled(proposal.id, "bold"), f"  {proposal.reason}")
    yield from change_hunks(proposal.changes, proposal.numbers)
    yield (f"  toolnexus review {named} {proposal.id} --apply [N …] | --discard [N …]",)


COMMANDS = (Command("review", "toolnexus review ava", _arguments, _review),)
