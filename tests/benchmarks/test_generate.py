from __future__ import annotations

import json
from itertools import pairwise

import pytest

from benchmarks.generate import (
    NOTE_LINKS,
    NOTE_WORDS,
    TURN_WORDS,
    queries,
    turn_queries,
    write_conversations,
    write_home,
)
from toolnexus.app.home import Home

NOTES = 40


def contents(root):
    return {path.relative_to(root): path.read_bytes() for path in root.rglob("*") if path.is_file()}


def rules(root):
    return {finding.rule for finding in Home.open(root).check()}


def test_notes_have_the_words_and_links_that_they_are_said_to_have(tmp_path):
    """Every note is found by its path and has exactly 150 words of claims and 5 links."""
    made = write_home(tmp_path, NOTES)
    home = Home.open(tmp_path).read()
    assert len(made) == len({note.path for note in made}) == NOTES
    for note in made:
        document = home.notes[note.path].document
        assert len(document.links) == NOTE_LINKS
        assert sum(len(claim.split()) for claim in note.claims) == NOTE_WORDS


@pytest.mark.parametrize("neglected", [False, True])
def test_the_same_seed_gives_the_same_bytes(tmp_path, neglected):
    """Two homes of one seed are equal byte for byte; another seed gives another home."""
    for name, seed in (("one", 7), ("two", 7), ("other", 8)):
        write_home(tmp_path / name, NOTES, neglected=neglected, seed=seed)
    one, two, other = (contents(tmp_path / name) for name in ("one", "two", "other"))
    assert one == two
    assert one != other


@pytest.mark.slow
def test_a_tidy_home_has_nothing_to_mend_and_a_neglected_one_has(tmp_path):
    """Where nothing is neglected no rule finds anything; else the cap, repeats and links do."""
    write_home(tmp_path / "tidy", NOTES)
    write_home(tmp_path / "neglected", 1_000, neglected=True)
    assert rules(tmp_path / "tidy") == set()
    assert rules(tmp_path / "neglected") >= {"broken-link", "duplicate-claim", "over-cap"}


def test_conversations_have_the_turns_that_they_are_said_to_have(tmp_path):
    """Turns of 40 words are spread over files, in time order; what is said is counted."""
    said = write_conversations(tmp_path, turns=25, turns_each=10)
    files = sorted(tmp_path.iterdir())
    turns = [json.loads(line) for file in files for line in file.read_text().splitlines()]
    assert [len(file.read_text().splitlines()) for file in files] == [10, 10, 5]
    assert {len(turn["content"].split()) for turn in turns} == {TURN_WORDS}
    assert said == sum(len(turn["content"]) for turn in turns)
    assert all(one["ts"] < other["ts"] for one, other in pairwise(turns))


def test_queries_are_made_of_what_was_written(tmp_path):
    """A query's words stand in the notes, but for those that are mistyped on purpose."""
    made = write_home(tmp_path, NOTES)
    written = " ".join(claim.lower() for note in made for claim in note.claims)
    asked = list(queries(made, 20))
    assert asked == list(queries(made, 20))
    for number, query in enumerate(asked):
        words = query.replace('"', "").split()
        assert 2 <= len(words) <= 8
        assert sum(word in written for word in words) >= len(words) - (number % 5 == 4)


def test_queries_for_turns_have_two_or_three_words(tmp_path):
    """They find something: the words are of the language that the turns are written in."""
    write_conversations(tmp_path / "transcripts", turns=4_000)
    written = "".join(path.read_text().lower() for path in (tmp_path / "transcripts").iterdir())
    asked = list(turn_queries(4_000, 20))
    assert {len(query.split()) for query in asked} == {2, 3}
    assert all(any(word in written for word in query.split()) for query in asked)
