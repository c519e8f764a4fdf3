"""Names, claims and turns that would act on a terminal, or read as what they do not say."""

from __future__ import annotations

import json
import re

import pytest

from toolnexus.text.slug import fold_name

FORGED = "::error file=x::forged"
TRICKS = {
    "an escape": "\x1b[2J\x1b]0;owned\x07",
    "a control": "\x08\x08\x7f\x9b31m",
    "a carriage return": "safe\rrm -rf",
    "an override": "\u202etxt.exe\u202c",
    "isolates": "\u2066a\u2069\u2067b",
    "zero width": "te\u200ba\u200d\u2060\ufeff",
    "tags": "\U000e0001\U000e0041",
    "a line separator": "a\u2028::error::b\u2029",
    "a command": f"\n{FORGED}",
}
_ACTING = re.compile(
    "[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff"
    "\U000e0000-\U000e007f]"
)


@pytest.fixture
def tricky(home):
    """A home whose names, claims, titles and turns hold every trick."""
    claims = "".join(
        f"- Says {trick.strip()} twice\n- See [[{trick.strip()}]]\n" for trick in TRICKS.values()
    )
    (home / "MEMORY.md").write_text(f"# Memory\n\n{claims}{claims}", newline="")
    for number, trick in enumerate(TRICKS.values()):
        name = trick.replace("/", "").strip("\n")
        (home / "memory" / f"n{number}{name}.md").write_text(
            f"# {trick}\n\n- {trick}\n", newline=""
        )
    turns = [
        json.dumps({"role": "user", "content": t, "name": t, "id": t}) for t in TRICKS.values()
    ]
    (home / "transcripts" / "talk\x1b[2J\u202e.jsonl").write_text("\n".join(turns) + "\n")
    return home


COMMANDS = [
    ("check", "ava"),
    ("check", "ava", "--format", "github"),
    ("overview", "ava"),
    ("dream", "ava", "--dry-run"),
    ("dream", "ava", "--dry-run", "--format", "github"),
    ("dream", "ava", "--dry-run", "--format", "markdown"),
    ("dream", "ava", "--propose"),
    ("review", "ava"),
    ("transcripts", "list", "ava"),
    ("transcripts", "show", "ava", "talk\x1b[2J\u202e"),
    ("transcripts", "search", "ava", "safe owned txt"),
    ("rename", "ava", "\x1b[2Jgone", "x"),
    ("remember", "ava", "x", "--to", "\u202egone"),
    ("log", "ava"),
    ("watch", "ava", "--once"),
    ("nothing\x1b[2J", "ava"),
]


def test_nothing_acts_on_a_terminal(tricky, run):
    """No command lets a control, an escape or a mark of direction through, whoever wrote it."""
    for words in COMMANDS:
        ran = run(*words)
        assert ran.code != 70, (words, ran)
        for said in (ran.out, ran.err):
            assert _ACTING.findall(said) == [], words
            assert not any(line.strip() == FORGED for line in said.splitlines()), words


def test_names_that_look_alike_are_told(run, home):
    """Names that differ in composition alone are a finding; confusable ones stay two notes."""
    (home / "memory" / "caf\u00e9.md").write_text("- One.\n")
    (home / "memory" / "cafe\u0301.md").write_text("- Two.\n")
    (home / "memory" / "t\u0435a.md").write_text("- Cyrillic.\n")
    found = json.loads(run("check", "ava", "--json").out)["findings"]
    assert "duplicate-slug" in {each["rule"] for each in found if "caf" in each["path"]}
    assert fold_name("t\u0435a") != fold_name("tea")


def test_surrogates_and_nul_are_refused_and_change_nothing(run, home):
    """Half a character or a NUL in a claim is an error, and the file is as it was."""
    before = (home / "MEMORY.md").read_bytes()
    for text in ("half \ud83d of it", "\udcff"):
        assert run("remember", "ava", text).code == 2
    assert (home / "MEMORY.md").read_bytes() == before
