"""What is fuzzed: each reader of text from elsewhere, what it is fed, and what it may raise."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from hypothesis import strategies as st

from toolnexus import safe_yaml
from toolnexus.agent.arguments import parse_arguments, parse_json_object
from toolnexus.agent.memory_actions import parse_memory_arguments
from toolnexus.agent.memory_tool import memory_tool
from toolnexus.change.log_reading import read_entries
from toolnexus.clock import format_instant, parse_instant
from toolnexus.dream.asked import asked_value, read_asked
from toolnexus.dream.hand import hand_value, read_hand
from toolnexus.dream.verified import ledger_value, read_ledger
from toolnexus.errors import ToolnexusError, UsageError
from toolnexus.heartbeat.state import parse_state, render_state
from toolnexus.home.drafts.proposal import from_payload
from toolnexus.home.schedule import BadSchedule, parse_schedule
from toolnexus.home.tasks import parse_tasks
from toolnexus.index.query import parse_query as parse_note_query
from toolnexus.models.wire import parse_completion, parse_message
from toolnexus.settings import read_settings
from toolnexus.settings.cron import parse_cron
from toolnexus.store.record import DamagedRecordError, decode_entry, decode_head, decode_record
from toolnexus.text.document import parse_document
from toolnexus.text.fold import fold_claim
from toolnexus.text.frontmatter import read_front_matter
from toolnexus.text.quotes import closest_passage, find_quote
from toolnexus.text.secrets import find_secrets
from toolnexus.text.values import values
from toolnexus.transcripts.query import parse_query as parse_turn_query
from toolnexus.transcripts.timestamp import from_microseconds, parse_timestamp, to_microseconds
from toolnexus.transcripts.turn_parse import parse_line

if TYPE_CHECKING:
    from collections.abc import Callable

    from hypothesis.strategies import SearchStrategy

ATOMS = [
    "---\n",
    "...\n",
    "- ",
    "  - ",
    "\t",
    "# ",
    "## ",
    "=\n",
    "> ",
    "| ",
    "|-|\n",
    "```\n",
    "~~~\n",
    "<!-- keep -->",
    "<!--",
    "-->",
    "[[",
    "]]",
    "[",
    "](",
    ")",
    "![[",
    "|",
    "\\|",
    "#^",
    "^id",
    "`",
    "``",
    "**",
    "_",
    "~~",
    "title: ",
    "aliases: [a, b]\n",
    "&a ",
    "*a ",
    "!!python/object ",
    "{",
    "}",
    "key: ",
    "\r\n",
    "\n",
    "\n\n",
    " ",
    "a",
    "é",
    "e\u0301",
    "\u202e",
    "\u200b",
    "\ufeff",
    "\x00",
    "\x1b[",
    "\ud83d",
    "\U0001f600",
    "1. ",
    "99999999999999999999",
    "2026-11-20",
    "T14:03:11Z",
    "+99:99",
    "every 30m",
    "at 2026-13-45 25:61",
    "cron: * * * * *",
    "*/0",
    "@",
    "://",
    "sk-",
    "password: ",
    "%2e",
    '"',
    "'",
    "user",
    "\\u0000",
    "1e999",
    "NaN",
    "null",
    "true",
    ":",
    ",",
    ";",
    "dream: no\n",
    "[x] ",
]
TEXTS = st.one_of(st.text(max_size=60), st.lists(st.sampled_from(ATOMS), max_size=40).map("".join))
PLAIN = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(10**30), 10**30),
    st.floats(),
    st.text(max_size=12),
    st.sampled_from(
        ["basis", "cursors", "claims", "files", "2026-11-20T00:00:00Z", "user", "done"]
    ),
)
KEYS = st.one_of(
    st.text(max_size=6),
    st.sampled_from(
        [
            "role",
            "content",
            "ts",
            "id",
            "tool_calls",
            "name",
            "basis",
            "cursors",
            "claims",
            "files",
            "notes",
            "known",
            "edited",
            "undone",
            "unmade",
            "id",
            "steps",
            "changes",
            "writes",
            "kind",
            "path",
            "line",
            "before",
            "after",
            "evidence",
            "quote",
            "turn",
            "action",
            "text",
            "with",
            "target",
            "usage",
            "finish",
            "last",
            "failures",
            "type",
            "function",
            "arguments",
            "created",
        ]
    ),
)
VALUES = st.recursive(
    PLAIN,
    lambda inner: st.one_of(st.lists(inner, max_size=5), st.dictionaries(KEYS, inner, max_size=6)),
    max_leaves=24,
)
LINES = st.one_of(
    st.binary(max_size=80),
    VALUES.map(lambda value: json.dumps(value).encode()),
    TEXTS.map(lambda text: text.encode("utf-8", "surrogatepass")),
    st.integers(1, 3000).map(lambda depth: b"[" * depth + b"]" * depth),
    st.integers(1, 3000).map(lambda depth: b'{"role":' * depth),
)


@dataclass(frozen=True)
class Target:
    """A reader under fuzzing.

    Attributes:
        feed: What it is given.
        read: The reader; what it returns may be checked here.
        raises: What it is documented to raise.
    """

    feed: SearchStrategy[Any]
    read: Callable[[Any], object]
    raises: tuple[type[BaseException], ...] = field(default=())


def _document(text: str) -> None:
    document = parse_document(text)
    for claim in document.claims:
        assert 0 <= claim.start <= claim.body_start <= claim.body_end <= claim.end <= len(text)
    for link in document.links:
        assert 0 <= link.start < link.end <= len(text)
    for part in document.structure:
        assert 0 <= part.start <= part.end <= len(text)


def _front(text: str) -> None:
    front, _ = read_front_matter(text)
    assert 0 <= front.start <= front.end <= len(text)


def _folds_once(text: str) -> None:
    assert fold_claim(fold_claim(text)) == fold_claim(text)


def _values_of(text: str) -> None:
    values(text)
    find_secrets(text)


def _quotes(text: str) -> None:
    span = find_quote(text[:20], text)
    if span is not None:
        start, length = span
        assert 0 <= start <= start + length <= len(text)
    assert len(closest_passage(text[::-1], text)) <= len(text)


def _instant(text: str) -> None:
    instant = parse_instant(text)
    assert parse_instant(format_instant(instant)) == instant.replace(microsecond=0)


def _timestamp(value: object) -> None:
    instant = parse_timestamp(value)
    assert from_microseconds(to_microseconds(instant)) == instant


def _turn(line: bytes) -> None:
    turn, problems = parse_line(line, conversation="talk", number=3)
    assert turn is None or turn.role in {"user", "assistant", "tool", "system"}
    assert all(problem.line == 3 for problem in problems)


def _asked(value: object) -> None:
    asked = read_asked(value, ())
    assert read_asked(asked_value(asked, ()), ()) == asked


def _hand(value: object) -> None:
    hand = read_hand(value)
    assert read_hand(hand_value(hand)) == hand


def _ledger(value: object) -> None:
    ledger = read_ledger(value, ())
    assert read_ledger(ledger_value(ledger, ()), ()) == ledger


def _state(value: object) -> None:
    state = parse_state(value)
    assert parse_state(render_state(state)) == state


class _Door:
    """A memory that does nothing."""

    def perform(self, action: str, arguments: object) -> str:
        return f"{action} {arguments}"


def _memory_call(arguments: object) -> None:
    tool = memory_tool(_Door(), "dreamer")
    tool.call(parse_arguments(json.dumps(arguments), tool.spec.parameters))


SCHEMA = {
    "type": "object",
    "properties": {"text": {"type": "string"}, "turn": {"anyOf": [{"type": "integer"}]}},
    "required": ["text"],
}

TARGETS: dict[str, Target] = {
    "the text reader": Target(TEXTS, _document),
    "front matter": Target(TEXTS.map(lambda text: f"---\n{text}\n---\n"), _front),
    "YAML": Target(TEXTS, safe_yaml.load, (safe_yaml.YamlProblem,)),
    "YAML's spans": Target(TEXTS, safe_yaml.value_spans, (safe_yaml.YamlProblem,)),
    "claims, folded": Target(TEXTS, _folds_once),
    "values and secrets": Target(TEXTS, _values_of),
    "quotes": Target(TEXTS, _quotes),
    "persona.yaml": Target(TEXTS, read_settings),
    "the tasks of HEARTBEAT.md": Target(TEXTS, parse_tasks),
    "schedules": Target(TEXTS, parse_schedule, (BadSchedule,)),
    "cron": Target(TEXTS, parse_cron, (ValueError,)),
    "entries of the log": Target(TEXTS, read_entries),
    "lines of a transcript": Target(LINES, _turn),
    "queries of notes": Target(TEXTS, parse_note_query, (UsageError,)),
    "queries of turns": Target(TEXTS, parse_turn_query, (UsageError,)),
    "instants": Target(TEXTS, _instant, (ValueError,)),
    "timestamps": Target(st.one_of(PLAIN, TEXTS), _timestamp, (ValueError,)),
    "what was asked": Target(VALUES, _asked),
    "what a person did": Target(VALUES, _hand),
    "the ledger": Target(VALUES, _ledger),
    "the state of beats": Target(VALUES, _state),
    "proposals": Target(st.dictionaries(KEYS, VALUES, max_size=6), from_payload, (ValueError,)),
    "heads of records": Target(LINES, decode_head, (DamagedRecordError,)),
    "entries of records": Target(LINES, decode_entry, (DamagedRecordError,)),
    "records": Target(LINES, lambda data: decode_record(data, data), (DamagedRecordError,)),
    "a call's arguments": Target(
        LINES.map(lambda line: line.decode("utf-8", "replace")), parse_json_object, (UsageError,)
    ),
    "a call's arguments by a schema": Target(
        VALUES.map(json.dumps), lambda text: parse_arguments(text, SCHEMA), (UsageError,)
    ),
    "a memory call": Target(VALUES, _memory_call, (ToolnexusError,)),
    "memory actions": Target(
        st.dictionaries(KEYS, VALUES, max_size=5),
        lambda given: parse_memory_arguments("replace", given),
        (UsageError,),
    ),
    "a model's message": Target(VALUES, parse_message, (ValueError,)),
    "a model's completion": Target(VALUES, parse_completion, (ValueError,)),
}
