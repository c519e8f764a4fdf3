"""``why``: what a note or a claim rests on, and how far that lets it be believed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolnexus.cli.arguments import add_format, add_home, add_scope, chosen_format, whole_number
from toolnexus.cli.commands import Call, Command
from toolnexus.cli.documents import plain
from toolnexus.cli.homes import open_home_before
from toolnexus.evolve.chains.chain import MAX_DEPTH
from toolnexus.evolve.chains.render import chain_notes, chain_tree, mermaid

if TYPE_CHECKING:
    from argparse import ArgumentParser

    from toolnexus.evolve.chains.chain import EvidenceChain


def _arguments(parser: ArgumentParser) -> None:
    add_home(parser)
    parser.add_argument(
        "ref", metavar="REF", help="a note's slug, a claim's words, or transcript:CONVERSATION#TURN"
    )
    parser.add_argument(
        "--max-depth",
        type=whole_number(0, 1000),
        default=MAX_DEPTH,
        metavar="N",
        help=f"follow at most N links (default: {MAX_DEPTH})",
    )
    add_scope(parser)
    add_format(parser, ("text", "json", "mermaid"))


def _why(call: Call) -> int:
    options = call.arguments
    how = chosen_format(options)
    chain = open_home_before(call, options.ref, "REF").evidence_chain(
        options.ref, options.max_depth, scope=options.scope
    )
    if how == "json":
        call.console.document("why", _fields(chain))
    elif how == "mermaid":
        for line in mermaid(chain):
            call.console.result(line)
    else:
        for line in chain_tree(chain):
            call.console.result(line)
        for label, text in chain_notes(chain):
            call.console.result(f"  {label:<12} {text}")
    return 0


def _fields(chain: EvidenceChain) -> dict[str, object]:
    """Return a chain as a document's fields, with what is derived from them."""
    fields = plain(chain)
    assert isinstance(fields, dict)
    return {
        **fields,
        "needs_reverification": chain.needs_reverification,
        "max_depth": chain.max_depth,
        "sources": chain.sources,
    }


COMMANDS = (Command("why", "toolnexus why ava balcony", _arguments, _why),)
