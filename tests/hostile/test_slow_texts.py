"""Texts that are made to be slow: no pattern and no reader grows with the square of its input.

A text here is so long that one that did would not end while the suite waits: the alarm of the
folder's conftest ends it.
"""

from __future__ import annotations

import json
import os
import pkgutil
import re
from collections import Counter
from dataclasses import replace
from importlib import import_module
from typing import ClassVar

import pytest

import toolnexus
from toolnexus.change.log_reading import read_entries
from toolnexus.home.checks import check
from toolnexus.home.schedule import BadSchedule, parse_schedule
from toolnexus.home.snapshot import Snapshot
from toolnexus.home.tasks import parse_tasks
from toolnexus.index.query import parse_query as parse_note_query
from toolnexus.settings import read_settings
from toolnexus.text.document import parse_document
from toolnexus.text.fold import fold_claim
from toolnexus.text.plain import plain_text
from toolnexus.text.quotes import find_quote
from toolnexus.text.secrets import find_secrets
from toolnexus.text.values import values
from toolnexus.transcripts.query import parse_query as parse_turn_query
from toolnexus.transcripts.turn_parse import parse_line

LONG = 200_000 if os.environ.get("TOOLNEXUS_SOAK") == "full" else 40_000
PUMPS = [
    " ",
    "\t",
    "\n",
    "a",
    "a ",
    "1",
    "1.",
    "1,",
    "-",
    "_",
    "*",
    "`",
    "[",
    "[a",
    "[[",
    "](",
    "(a",
    "<",
    "<a ",
    "<!--",
    "|",
    "\\",
    "\\[",
    "#",
    "# ",
    "> ",
    "- ",
    "1. ",
    "'",
    '"',
    "a.",
    "a@",
    "://",
    "a:",
    "=",
    "~",
    "\r",
    "password ",
    "pin ",
    "password is ",
    "eyJa.",
    "sk-",
    "[a]: ",
    " — a",
    "é",
    "\u202e",
]
EVERY = sorted({*PUMPS, "token=", "-----BEGIN ", "://a:", "Bearer ", "1-", "4 "})


def parse_a_turn(text: str) -> None:
    parse_line(json.dumps({"role": "user", "content": text}).encode())


def parse_a_schedule(text: str) -> None:
    try:
        parse_schedule(text)
    except BadSchedule:
        return


READERS = {
    "secrets": find_secrets,
    "values": values,
    "fold": fold_claim,
    "plain": plain_text,
    "quotes": lambda text: find_quote("x" + text[:50], text),
    "log": lambda text: read_entries(f"- 2026-11-29T03:00:12Z dream: (x)\n  - corrected a{text}x"),
    "settings": read_settings,
    "tasks": parse_tasks,
    "schedule": parse_a_schedule,
    "note query": lambda text: parse_note_query(f"x {text}"),
    "turn query": lambda text: parse_turn_query(f"x {text}"),
    "turn": parse_a_turn,
}


@pytest.mark.slow
@pytest.mark.parametrize("name", READERS)
def test_a_reader_takes_a_long_text_of_anything(name):
    """Each reader gets through a long run of each fragment, with something odd at its end."""
    for pump in EVERY:
        READERS[name]((pump * LONG)[:LONG] + "\x00")


@pytest.mark.slow
def test_a_home_of_long_texts_is_parsed_and_checked():
    """The Markdown reader and all checks get through a long run of each fragment, as a note."""
    for pump in ("[[", "[a](", "- ", "> ", "`", "*", "<!--", "| ", "# a\n", "\\", "a: &a [*a]\n"):
        text = (pump * LONG)[:LONG]
        parse_document(f"---\n{text}")
        assert check(Snapshot(name="ava").with_texts({"MEMORY.md": text})) is not None


def patterns():
    """Return every pattern that stands ready in a module, by its name."""
    found = {}
    for module in pkgutil.walk_packages(toolnexus.__path__, "toolnexus."):
        if not module.name.endswith("__main__"):
            for name, value in vars(import_module(module.name)).items():
                if isinstance(value, re.Pattern):
                    found.setdefault(value, f"{module.name}.{name}")
    return found


@pytest.mark.soak
def test_no_pattern_is_slow_where_it_begins():
    """Every pattern of the code, matched at the start of a long run of each fragment, ends."""
    for pattern in patterns():
        for pump in EVERY:
            for lead in ("", "[", '"', "- ", "("):
                text = lead + (pump * LONG)[:LONG] + "\x00"
                pattern.match(text if isinstance(pattern.pattern, str) else text.encode())


class Counted(tuple):
    """Links that count how often one of them is looked at."""

    __slots__ = ()
    looked: ClassVar[Counter[str]] = Counter()

    def __getitem__(self, at):
        self.looked["links"] += 1
        return tuple.__getitem__(self, at)

    def __iter__(self):
        self.looked["links"] += len(self)
        return tuple.__iter__(self)


def test_a_claim_finds_its_links_without_a_walk_over_all_others():
    """Checking twice as many claims with links looks at about twice as many links."""
    counts = []
    for count in (1_000, 2_000):
        home = Snapshot(name="ava").with_texts(
            {"memory/tea.md": "- Green.\n", "memory/links.md": "- See [[tea]].\n" * count}
        )
        note = home.notes["memory/links.md"]
        document = replace(note.document, links=Counted(note.document.links))
        notes = {**home.notes, note.path: replace(note, document=document)}
        Counted.looked.clear()
        check(replace(home, notes=notes, inherited_graph=None))
        counts.append(Counted.looked["links"])
    assert counts[1] < 3 * counts[0]
