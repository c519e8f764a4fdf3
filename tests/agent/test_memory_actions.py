"""The memory tool, its words and what they do to a home."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolnexus.agent.arguments import parse_arguments
from toolnexus.agent.memory_actions import (
    DREAMER_ACTIONS,
    PERSONA_ACTIONS,
    CitedTurn,
    MemoryArguments,
    parse_memory_arguments,
    step_for,
)
from toolnexus.agent.memory_tool import memory_tool
from toolnexus.errors import UsageError
from toolnexus.home.snapshot import Snapshot

HOME = Snapshot(name="ava").with_texts(
    {
        "MEMORY.md": "# Memory\n\n- Lives in Paris.\n- Prefers window seats.\n- See [[flihgts]].\n",
        "USER.md": "- Maria.\n",
        "memory/travel.md": "---\ntags: [a]\n---\n- Likes trains.\n",
        "memory/trips.md": "- Likes trains.\n- Likes ferries.\n",
        "memory/flights.md": "- LH-1234.\n",
    }
)
CITED = [{"conversation": "c", "turn": 1, "quote": "we moved to Berlin"}]


class HomeDoor:
    """Performs on a home in memory and keeps what came of it."""

    def __init__(self, home: Snapshot = HOME) -> None:
        self.home = home
        self.seen: list[tuple[str, MemoryArguments]] = []

    def perform(self, action: str, arguments: MemoryArguments) -> str:
        """Do it."""
        self.seen.append((action, arguments))
        step = step_for(self.home, action, arguments)
        self.home = self.home.with_texts(step.texts)
        return step.reply


def use(door: HomeDoor, variant: str = "dreamer", **arguments) -> str:
    """Call the tool as the loop does: arguments checked first."""
    tool = memory_tool(door, variant)
    named = {name.removesuffix("_"): value for name, value in arguments.items()}
    return str(tool.call(parse_arguments(json.dumps(named), tool.spec.parameters)))


def test_reading_tells_what_there_is():
    """List names the notes, read numbers a target's claims."""
    door = HomeDoor()
    assert "travel: travel [a]" in use(door, action="list")
    assert "1. Lives in Paris." in use(door, action="read")
    assert "1. Maria." in use(door, action="read", target="user")


@pytest.mark.parametrize(
    ("arguments", "path", "text"),
    [
        ({"action": "add", "text": "Likes tea."}, "MEMORY.md", "- Likes tea."),
        ({"action": "add", "text": "Tall.", "target": "user"}, "USER.md", "- Tall."),
        ({"action": "replace", "text": "paris", "with_": "Berlin"}, "MEMORY.md", "in Berlin."),
        ({"action": "write", "target": "tea", "text": "- Green."}, "memory/tea.md", "- Green."),
        (
            {
                "action": "demote",
                "text": "Prefers window seats.",
                "to": "seats",
                "with_": "Seats: [[seats]]",
            },
            "memory/seats.md",
            "- Prefers window seats.",
        ),
        (
            {
                "action": "demote",
                "text": ["Prefers window seats.", "Lives in Paris."],
                "to": "facts",
                "with_": "Facts: [[facts]]",
            },
            "memory/facts.md",
            "- Lives in Paris.",
        ),
        ({"action": "merge", "from_": ["trips"], "to": "travel"}, "memory/travel.md", "ferries"),
        ({"action": "merge", "from_": "trips", "to": "travel"}, "memory/travel.md", "ferries"),
        ({"action": "relink", "text": "flihgts", "with_": "flights"}, "MEMORY.md", "[[flights]]"),
    ],
)
def test_each_word_does_what_it_says(arguments, path, text):
    """Each action changes the file that it names, and says so."""
    door = HomeDoor()
    assert use(door, **arguments)
    assert text in door.home.text(path)


def test_removing_removes():
    """Remove deletes the claim and leaves the others."""
    door = HomeDoor()
    use(door, action="remove", text="Lives in Paris.", evidence=CITED)
    assert door.home.text("MEMORY.md") == HOME.text("MEMORY.md").replace("- Lives in Paris.\n", "")


def test_a_merge_can_be_given_its_body():
    """A body in a merge's text replaces the joined one, under the joined front matter."""
    door = HomeDoor()
    body = "- Likes trains.\n- Likes ferries.\n- And see [[flights]].\n"
    use(door, action="merge", from_=["trips"], to="travel", text=body)
    text = door.home.text("memory/travel.md")
    assert text.endswith(body)
    assert "tags:" in text
    assert "trips" in text.split(body)[0]
    assert "memory/trips.md" not in door.home.notes


def test_a_merge_whose_body_loses_a_claim_is_refused():
    """A body that leaves a claim out changes nothing."""
    door = HomeDoor()
    with pytest.raises(UsageError, match="ferries"):
        use(door, action="merge", from_=["trips"], to="travel", text="- Likes trains.")
    assert door.home is HOME


def test_evidence_is_handed_on():
    """The dreamer's door gets the evidence as the model cited it."""
    door = HomeDoor()
    use(door, action="replace", text="Paris", with_="Berlin", evidence=CITED)
    assert door.seen[0][1].evidence == (CitedTurn("c", 1, "we moved to Berlin"),)


@pytest.mark.parametrize("action", sorted(set(DREAMER_ACTIONS) - set(PERSONA_ACTIONS)))
def test_a_persona_has_six_actions(action):
    """What only a dream may do is an unknown action outside one."""
    with pytest.raises(UsageError, match="'action' must be one of"):
        use(HomeDoor(), "persona", action=action, text="x", to="y")


def test_a_persona_gives_no_evidence():
    """Outside dreams evidence is an unknown argument, checked by schema or not."""
    with pytest.raises(UsageError, match="'evidence' is unknown"):
        use(HomeDoor(), "persona", action="add", text="x", evidence=CITED)
    with pytest.raises(UsageError, match="takes no 'evidence'"):
        memory_tool(HomeDoor()).call({"action": "add", "text": "x", "evidence": CITED})


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"action": "forget", "text": "x"}, "must be one of"),
        ({"action": "add", "text": "x", "target": "nowhere"}, "no note 'nowhere'"),
        ({"action": "add", "text": "x", "colour": "red"}, "'colour' is unknown"),
        ({"action": "add", "text": " "}, "'text' is empty"),
        ({"action": "add"}, "'text' is missing"),
        ({"action": "add", "text": "half \ud83d"}, "half of a character"),
        ({"action": "add", "text": "x" * 65_537}, "65,537 bytes"),
        ({"action": "add", "text": "é" * 32_769}, "65,538 bytes"),
        ({"action": "add", "text": "x", "with_": "y"}, "takes no 'with'"),
        ({"action": "add", "text": ["x", "y"]}, "takes one 'text'"),
        ({"action": "replace", "text": "Paris"}, "'with' is missing"),
        ({"action": "replace", "text": "Paris", "with_": ""}, "'with' is empty"),
        ({"action": "replace", "text": "Rome", "with_": "y"}, "no claim reads 'Rome'"),
        ({"action": "replace", "text": "Par", "with_": "y"}, "no claim reads 'Par'"),
        ({"action": "write", "text": "x"}, "'target' is missing"),
        ({"action": "write", "text": "x", "target": "../up"}, "cannot name a note"),
        ({"action": "demote", "text": "x", "to": "y", "target": "user"}, "of MEMORY.md"),
        ({"action": "remove", "text": "Maria", "evidence": [{"turn": 1}]}, "conversation"),
        ({"action": "relink", "text": "nothing", "with_": "flights"}, "no broken link"),
    ],
)
def test_a_bad_call_is_an_error_and_changes_nothing(arguments, said):
    """The error says what is wrong in words that a model can act on."""
    door = HomeDoor()
    with pytest.raises(UsageError) as caught:
        use(door, **arguments)
    assert said in f"{caught.value} ({caught.value.hint})"
    assert door.home is HOME


def test_what_models_fill_in_needlessly_is_no_error():
    """Nulls, empty texts and the default target count as left out."""
    door = HomeDoor()
    said = use(
        door, action="list", target="self", text=None, with_="", evidence=[], title=None, to=""
    )
    assert "travel" in said


words = st.sampled_from(
    ["self", "user", "travel", "trips", "", "Paris", "Lives in Paris.", "[[travel]]", "../x", "é\n"]
)
anything = st.one_of(words, st.none(), st.integers(), st.lists(words, max_size=2), st.text())
keys = ["target", "text", "with", "to", "title", "from", "evidence", "colour"]


@given(
    st.sampled_from([*DREAMER_ACTIONS, "forget"]), st.dictionaries(st.sampled_from(keys), anything)
)
def test_any_call_is_done_or_refused(action, given_arguments):
    """Whatever a model sends gives a step with a reply or a UsageError, and never a crash."""
    try:
        step = step_for(HOME, action, parse_memory_arguments(action, given_arguments))
    except UsageError:
        return
    assert step.reply
