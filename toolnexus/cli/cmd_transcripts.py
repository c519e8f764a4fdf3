"""``transcripts list``, ``show`` and ``search``: the conversations of a home."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolnexus.cli.arguments import add_home, moment, whole_number
from toolnexus.cli.commands import Call, Command
from toolnexus.cli.console import Styled
from toolnexus.cli.documents import plain
from toolnexus.cli.homes import open_home, open_home_before
from toolnexus.cli.turns import turn_hit_fields, turn_hit_lines

if TYPE_CHECKING:
    from argparse import ArgumentParser
    from collections.abc import Iterator

    from toolnexus.transcripts.turn import Turn

ROLES = ("user", "assistant", "tool", "system")


def _list(call: Call) -> int:
    records = open_home(call, call.arguments.home).conversations()
    if call.console.as_json:
        call.console.document(call.command.name, {"conversations": records})
        return 0
    for record in records:
        turns = f"{record.turns:>6} turns" if record.turns != 1 else f"{1:>6} turn "
        call.console.result(f"{plain(record.updated_at)}  {turns}  {record.id}")
    if not records:
        call.console.progress("no conversations yet")
    return 0


def _show_arguments(parser: ArgumentParser) -> None:
    add_home(parser)
    parser.add_argument("conversation", metavar="CONVERSATION", help="its id, as 'list' shows it")


def _show(call: Call) -> int:
    wanted = call.arguments.conversation
    conversation = open_home_before(call, wanted, "CONVERSATION").conversation(wanted)
    if call.console.as_json:
        turns = [
            {
                "turn": turn.number,
                "role": turn.role,
                "name": turn.name,
                "ts": plain(turn.ts),
                "id": turn.id,
                "text": turn.text,
                "tool_text": turn.tool_text,
            }
            for turn in conversation.turns
        ]
        fields = {"id": conversation.id, "turns": turns, "problems": conversation.problems}
        call.console.document(call.command.name, fields)
        return 0
    for turn in conversation.turns:
        who = turn.name or turn.role
        when = f"  {plain(turn.ts)}" if turn.ts else ""
        call.console.result(Styled(f"#{turn.number} {who}{when}", "cyan"))
        call.console.block(turn.text or turn.tool_text or "\n".join(_wishes(turn)))
    for problem in conversation.problems:
        call.console.progress(f"line {problem.line}: {problem.message}")
    return 0


def _wishes(turn: Turn) -> Iterator[str]:
    """Yield the tools that a turn calls, each with its arguments as they were written."""
    calls = turn.record.get("tool_calls")
    for each in calls if isinstance(calls, list) else ():
        function = each.get("function") if isinstance(each, dict) else None
        if isinstance(function, dict):
            yield f"calls {function.get('name', '?')} {function.get('arguments', '')}"


def _search_arguments(parser: ArgumentParser) -> None:
    add_home(parser)
    parser.add_argument("query", metavar="QUERY", help="plain words")
    parser.add_argument(
        "-k", type=whole_number(1, 50), default=8, metavar="N", help="at most N hits (default: 8)"
    )
    parser.add_argument("--role", choices=ROLES, help="only turns of this role")
    parser.add_argument("--after", type=moment, metavar="D", help="only turns from this date on")
    parser.add_argument("--before", type=moment, metavar="D", help="only turns before this date")
    parser.add_argument("--conversation", metavar="ID", help="only turns of this conversation")


def _search(call: Call) -> int:
    options = call.arguments
    hits = open_home_before(call, options.query, "QUERY").search_transcripts(
        options.query,
        limit=options.k,
        role=options.role,
        after=options.after,
        before=options.before,
        conversation=options.conversation,
    )
    if call.console.as_json:
        fields = {"hits": [turn_hit_fields(hit) for hit in hits]}
        call.console.document(call.command.name, fields)
        return 0
    for hit in hits:
        call.console.results(turn_hit_lines(hit))
    if not hits:
        call.console.progress("nothing found")
    return 0


COMMANDS = (
    Command("transcripts list", "toolnexus transcripts list ava", add_home, _list),
    Command(
        "transcripts show",
        "toolnexus transcripts show ava 2026-01-11-boiler",
        _show_arguments,
        _show,
    ),
    Command(
        "transcripts search",
        'toolnexus transcripts search ava "flight to Lisbon" --role user',
        _search_arguments,
        _search,
    ),
)
