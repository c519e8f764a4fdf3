"""Guesses beside dreams, searches and the persona's own tools: seen as guesses, and left alone."""

from __future__ import annotations

import json
from functools import partial

import pytest
from imagining_homes import FILES, open_home, write

from toolnexus.dream.recalled import recalled_of
from toolnexus.home.operations.read import list_notes, read_target
from toolnexus.testing.model import ScriptedModel, call, use

GUESS = (
    "---\ntitle: Imagined\ntags: [dreamed]\nstatus: proposed\nderived_from: [tea]\n---\n"
    "- The kettle costs 40 euros.\n- The kettle costs 40 euros.\n- See [[gent]].\n"
)
TURN = '{"role": "user", "content": "%s", "ts": "2026-11-20T14:00:00Z"}\n'


@pytest.fixture
def home(tmp_path):
    """A home with a guess that dreams would have much to do with, were it a note."""
    files = {
        **FILES,
        "memory/imagined/imagined-kettle.md": GUESS,
        "memory/imagined-twin.md": GUESS,
        "transcripts/kettle.jsonl": TURN % "The kettle costs 30 euros, not 40.",
    }
    return open_home(tmp_path, files)


def guesses(home):
    return {path: home.read().text(path) for path in home.read().notes if "imagined" in path}


def test_a_dream_leaves_guesses_alone(home):
    """A pass suspects, folds, merges and repairs nothing in a guess, and moves nothing in."""
    before = guesses(home)
    lines = "".join(f"- Imagined kettles, {number}.\n" for number in range(12))
    write(home.root, {"MEMORY.md": f"# Memory\n\n## Imagined\n\n{lines}"})
    write(home.root, {"persona.yaml": "memory: {cap: {lines: 8}}\n"})
    opened = type(home).open(home.root, clock=home.clock)
    done = opened.dream()
    assert {change.kind for change in done.changes} == {"demoted"}
    assert done.suspected == ()
    assert guesses(opened).items() >= before.items()
    assert not any("imagined/" in change.to for change in done.changes)


def test_a_model_cannot_change_a_guess(home):
    """A dreaming model that would correct, merge or fill a guess is told that it waits."""
    cited = [{"conversation": "kettle", "turn": 1, "quote": "The kettle costs 30 euros, not 40."}]
    text = "The kettle costs 40 euros."
    calls = [
        call(
            "memory", action="remove", target="imagined-twin", text="See [[gent]].", evidence=cited
        ),
        call("memory", action="merge", from_=["imagined-kettle"], to="tea"),
        call(
            "memory",
            action="demote",
            text="See [[tea]]",
            to="imagined-kettle",
            with_="[[imagined-kettle]]",
        ),
        call(
            "memory", action="replace", target="imagined-kettle", text="See [[gent]].", with_=text
        ),
    ]
    before = guesses(home)
    model = ScriptedModel(*(use(each) for each in calls), default="HEARTBEAT_OK")
    done = home.dream(model=model, full=True)
    assert not done.wrote
    assert guesses(home) == before
    reasons = [refusal.reason for refusal in done.refused]
    assert sum("waits for a person" in reason for reason in reasons) == len(calls)


def test_what_repeats_a_guess_is_no_evidence(home):
    """A turn that only says what a guess says was read out, and proves nothing."""
    recalled = recalled_of(home.read())
    assert recalled.covers("The kettle costs 40 euros.")
    assert not recalled.covers("The kettle costs 30 euros.")


def test_search_and_tools_mark_a_guess(home):
    """Hits of `search` and what the persona's own tools give tell a guess from a fact."""
    from toolnexus.app.persona_tools import home_search_tool

    hits = [hit for hit in home.search("what does the kettle cost").hits if "imagined" in hit.path]
    assert hits
    assert all(hit.weight.is_imagined and hit.is_guess for hit in hits)
    told = home_search_tool(home).call({"query": "what does the kettle cost"})
    rows = [json.loads(line) for line in str(told).splitlines()]
    marked = {row["path"] for row in rows if row.get("guess")}
    assert marked == {row["path"] for row in rows if "imagined" in row["path"]} != set()
    listed = partial(list_notes, home.read())().reply.splitlines()
    assert sum(line.endswith(", a guess)") for line in listed) == 2
    assert "no fact" in read_target(home.read(), "imagined-kettle").reply.splitlines()[0]


def test_a_guess_draws_nothing_out_of_a_source(home):
    """A daily note that a guess is made of is due for extraction all the same."""
    write(home.root, {"memory/2026-01-02.md": "- Bought a kettle.\n"})
    before = type(home).open(home.root, clock=home.clock).overview().ripening.extraction
    guess = GUESS.replace("[tea]", "[2026-01-02]")
    write(home.root, {"memory/imagined/imagined-kettle.md": guess})
    after = type(home).open(home.root, clock=home.clock).overview().ripening.extraction
    assert (before, after) == (1, 1)
