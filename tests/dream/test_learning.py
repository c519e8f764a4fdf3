"""Learning: facts that users state in new turns are added with their quotes, and nothing else."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolnexus.app import Home
from toolnexus.change.plan import Evidence
from toolnexus.clock import FixedClock, parse_instant
from toolnexus.dream.learning.secret import holds_secret
from toolnexus.home.drafts.draft import Draft
from toolnexus.home.operations.edit import add_claim
from toolnexus.home.snapshot import Snapshot
from toolnexus.testing.model import ScriptedModel, call, use

if TYPE_CHECKING:
    from pathlib import Path

    from toolnexus.dream.types import Pass
    from toolnexus.models.completion import Completion

MEMORY = "# Memory\n\n- Lives in Paris.\n- Plays the flute in the town's wind band.\n"
WHEN = "2026-11-20T14:03:11Z"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A home that learns, of an owner called Maria."""
    root = tmp_path / "ava"
    (root / "transcripts").mkdir(parents=True)
    (root / "SOUL.md").write_text("You are Ava.\n")
    (root / "persona.yaml").write_text("owner: Maria\ndream: {learn: true}\n")
    (root / "MEMORY.md").write_text(MEMORY)
    return root


def open_home(root: Path) -> Home:
    return Home.open(root, clock=FixedClock(parse_instant("2026-11-29T03:00:00Z")))


def say(root: Path, *turns: tuple[str, str], conversation: str = "m") -> None:
    """Append turns, given as role and words."""
    with (root / "transcripts" / f"{conversation}.jsonl").open("a") as file:
        for role, text in turns:
            file.write(json.dumps({"role": role, "content": text, "ts": WHEN}) + "\n")


def add(text: str, quote: str, turn: int = 1, **more: Any) -> Completion:
    cited = {"conversation": "m", "turn": turn, "quote": quote}
    return use(call("memory", action="add", text=text, evidence=[cited], **more))


def learn(root: Path, *replies: Completion, full: bool = False) -> Pass:
    """Make a pass in which the model has these replies to the lesson, and nothing to verify."""
    asked = list(replies)

    def reply(request: Any) -> Any:
        is_lesson = "These turns are new" in str(request.messages)
        return asked.pop(0) if is_lesson and asked else "HEARTBEAT_OK"

    return open_home(root).dream(full=full, model=ScriptedModel(default=reply))


ADDED = [
    ("I work at a bakery in Ghent.", "Works at a bakery in Ghent."),
    ("By the way, I'm allergic to penicillin, sadly.", "Allergic to penicillin."),
    ("My sister Clara plays the cello.", "Sister Clara plays the cello."),
    ("I don't eat meat.", "Does not eat meat."),
    ("We got a dog last week.", "Got a dog in November 2026."),
    ("My birthday is on 3 May.", "Birthday is on 3 May."),
    ("Ich arbeite seit März in einer Bäckerei in Gent.", "Arbeitet seit März in einer Bäckerei."),
    ("J'ai deux chats, Minou et Figaro.", "A deux chats, Minou et Figaro."),
    ("Soy alérgico a la penicilina.", "Alérgico a la penicilina."),
    ("Toco violão numa banda de Lisboa.", "Toco violão numa banda de Lisboa."),
]


@pytest.mark.parametrize(("said", "fact"), ADDED)
def test_a_fact_that_the_user_states_is_added(root: Path, said: str, fact: str) -> None:
    """It stands in memory, told as added with its quote, in the log too, and nothing else moved."""
    say(root, ("user", said))
    done = learn(root, add(fact, said))
    assert done.refused == ()
    assert [(c.kind, c.after, c.evidence[0].quote) for c in done.changes] == [("added", fact, said)]
    assert (root / "MEMORY.md").read_text() == MEMORY + f"- {fact}\n"
    assert f'added MEMORY.md: "{fact}"' in (root / "memory" / "log.md").read_text()


REFUSED = [
    ("Do I work at a bakery in Ghent?", "Works at a bakery in Ghent.", "only asks"),
    ("If I worked at a bakery I would be happy.", "Worked at a bakery.", "only supposes"),
    ("I will work at a bakery in Ghent.", "Works at a bakery in Ghent.", "only supposes"),
    ("I'd work at a bakery in Ghent.", "Works at a bakery in Ghent.", "only supposes"),
    ("Once I work at a bakery, I rest.", "Works at a bakery.", "only supposes"),
    ("I doubt that I work at a bakery.", "Works at a bakery.", "only supposes"),
    ("You are a baker in this game.", "A baker in this game.", "only supposes"),
    ("I might move to Lyon.", "Move to Lyon.", "only supposes"),
    ("I'm thinking about moving to Lyon.", "Moving to Lyon.", "only supposes"),
    ("Ich möchte nach Lyon ziehen.", "Nach Lyon ziehen.", "only supposes"),
    ("Je voudrais habiter à Lyon.", "Habiter à Lyon.", "only supposes"),
    ('My boss said: "I work at a bakery in Ghent".', "Works at a bakery in Ghent.", "quoted"),
    ("> I work at a bakery in Ghent.\nFunny mail.", "Works at a bakery in Ghent.", "quoted"),
    ("My boss says the bakery in Ghent is closing.", "Bakery in Ghent is closing.", "somebody"),
    ("She works at a bakery in Ghent.", "Works at a bakery in Ghent.", "somebody else"),
    ("I don't work at a bakery in Ghent.", "Works at a bakery in Ghent.", "denies"),
    ("My wifi password is hunter2go.", "Wifi password is hunter2go.", "secret"),
    ("My card is 4111 1111 1111 1111.", "Card is 4111 1111 1111 1111.", "secret"),
    ("The door code is 4471 here.", "Door code is 4471.", "secret"),
    ("The key is sk-abcdef0123456789.", "Key is sk-abcdef0123456789.", "secret"),
    ("We got a dog last week.", "Got a dog last week.", "another day tomorrow"),
    ("Wir haben seit gestern einen Hund.", "Haben seit gestern einen Hund.", "another day"),
    ("I live in Paris.", "Live in Paris.", "already"),
    ("I play flute in a wind band of my town.", "Plays flute in a wind band.", "already"),
    ("I work at a bakery.", "Works at a bakery in Ghent.", "Ghent"),
    ("I work at a bakery.", "Works at a bakery. <!-- keep -->", "plain"),
    ("I work at a bakery. Rent is due.", "Works at a bakery with rent.", "quote"),
]


@pytest.mark.parametrize(("said", "fact", "reason"), REFUSED)
def test_what_is_no_fact_is_refused(root: Path, said: str, fact: str, reason: str) -> None:
    """Questions, suppositions, other people's words, secrets and what is known add nothing."""
    say(root, ("user", said))
    quote = said.removeprefix("> ").partition("\n")[0].partition(". ")[0]
    done = learn(root, add(fact, quote))
    assert (done.changes, done.waiting) == ((), ())
    assert reason.casefold() in (done.refused[0].reason + done.refused[0].next).casefold()
    assert done.refused[0].next
    assert (root / "MEMORY.md").read_text() == MEMORY


WAITING = [
    ("My sister moved to Lyon.", "Moved to Lyon.", "somebody else"),
    ("I got a dog. His name is Rex.", "Got a dog, name Rex.", "several sentences"),
    ("I live in Lyon.", "Lives in Lyon.", "memory says otherwise"),
    ("I was a smoker.", "Is a smoker.", "what was so"),
    ("Act as a baker in Ghent from now on.", "A baker in Ghent.", "somebody else's words"),
    ("I eat fish but no meat.", "Eats no fish.", "does not deny"),
    ("I quit smoking.", "Smoking.", "an end"),
]


@pytest.mark.parametrize(("said", "fact", "reason"), WAITING)
def test_what_may_be_one_waits(root: Path, said: str, fact: str, reason: str) -> None:
    """What cannot be proved becomes a proposal with its quote, and is not proposed again."""
    say(root, ("user", said))
    done = learn(root, add(fact, said))
    assert (done.changes, [c.after for c in done.waiting]) == ((), [fact])
    assert reason in done.waiting[0].reason
    assert done.waiting[0].evidence
    again = learn(root, add(fact, said), full=True)
    assert (again.waiting, "waits" in again.refused[0].reason) == ((), True)


def test_a_later_denial_is_the_last_word(root: Path) -> None:
    """What a later turn takes back is left to a person."""
    say(root, ("user", "I love sushi rolls."), ("assistant", "Noted."))
    say(root, ("user", "I no longer love sushi rolls."))
    done = learn(root, add("Loves sushi rolls.", "I love sushi rolls."))
    assert "later turn" in done.waiting[0].reason


@pytest.mark.parametrize("role", ["assistant", "tool", "system"])
def test_only_the_user_states_facts(root: Path, role: str) -> None:
    """What tools, pages or the persona said is never learnt."""
    say(root, ("user", "Tell me something."), (role, "I work at a bakery in Ghent."))
    done = learn(root, add("Works at a bakery in Ghent.", "I work at a bakery in Ghent.", 2))
    assert not done.wrote
    assert done.refused


def test_an_answer_counts_with_the_users_assent(root: Path) -> None:
    """What the persona says and the user confirms is a fact, both turns cited."""
    asked = "So you work at a bakery in Ghent."
    say(root, ("user", "Guess!"), ("assistant", asked), ("user", "Yes, exactly!"))
    cited = [
        {"conversation": "m", "turn": 2, "quote": asked},
        {"conversation": "m", "turn": 3, "quote": "Yes, exactly!"},
    ]
    fact = "Works at a bakery in Ghent."
    done = learn(root, use(call("memory", action="add", text=fact, evidence=cited)))
    assert [change.after for change in done.changes] == [fact]


def test_it_is_off_by_default(root: Path) -> None:
    """Without `dream.learn` no lesson is given, and an addition is refused."""
    (root / "persona.yaml").write_text("owner: Maria\n")
    say(root, ("user", "I work at a bakery in Paris."))
    model = ScriptedModel(
        add("Works at a bakery.", "I work at a bakery in Paris."), default="HEARTBEAT_OK"
    )
    done = open_home(root).dream(model=model)
    assert not done.wrote
    assert done.refused[0].reason == "a dream writes nothing new"
    assert "These turns are new" not in str(model.requests)


def test_offline_nothing_is_learnt(root: Path) -> None:
    """Without a model a pass adds nothing, whatever was said."""
    say(root, ("user", "I work at a bakery in Ghent."))
    assert open_home(root).dream().changes == ()


def test_turns_are_learnt_from_once(root: Path) -> None:
    """A second pass asks nothing, new turns alone make a lesson, and `--full` gives all again."""
    say(root, ("user", "I work at a bakery in Ghent."))
    learn(root)
    idle = ScriptedModel()
    assert open_home(root).dream(model=idle).reply == "HEARTBEAT_OK"
    say(root, ("user", "My cat is called Figaro."))
    model = ScriptedModel(default="HEARTBEAT_OK")
    open_home(root).dream(model=model)
    assert "Figaro" in str(model.requests)
    assert "I work at a bakery" not in str(model.requests)
    full = ScriptedModel(default="HEARTBEAT_OK")
    open_home(root).dream(model=full, full=True)
    assert "I work at a bakery" in str(full.requests)


def test_turns_of_before_are_not_dug_up(root: Path) -> None:
    """Where learning is turned on later, and in old turns, nothing is added."""
    (root / "persona.yaml").write_text("owner: Maria\n")
    say(root, ("user", "I work at a bakery in Ghent."))
    learn(root)
    (root / "persona.yaml").write_text("owner: Maria\ndream: {learn: true}\n")
    say(root, ("user", "My cat is called Figaro."))
    done = learn(root, add("Works at a bakery in Ghent.", "I work at a bakery in Ghent."))
    assert not done.wrote
    assert "not among the new ones" in done.refused[0].reason


def test_a_spent_budget_leaves_the_rest_for_the_next_pass(root: Path) -> None:
    """No turn is passed over in silence: what is left is counted and learnt from next time."""
    for number in range(3):
        say(
            root,
            ("user", f"Story {number}: " + "so it went on. " * 1500),
            conversation=f"c{number}",
        )
    yaml = "owner: Maria\ndream: {learn: true, budget: {calls: 1}}\n"
    (root / "persona.yaml").write_text(yaml)
    done = learn(root)
    assert done.outcome == "partial"
    (root / "persona.yaml").write_text("owner: Maria\ndream: {learn: true}\n")
    rest = ScriptedModel(default="HEARTBEAT_OK")
    open_home(root).dream(model=rest)
    assert "Story 2" in str(rest.requests)


def test_a_turn_too_long_to_be_shown_is_told(root: Path) -> None:
    """Its end is left out, which the model and the person are told."""
    say(root, ("user", "So it went on. " * 2000))
    model = ScriptedModel(default="HEARTBEAT_OK")
    done = open_home(root).dream(model=model)
    assert "characters left out" in str(model.requests[0].messages)
    assert done.refused[0].action == "learn from m#1"


def test_what_a_person_takes_back_is_not_learnt_again(root: Path) -> None:
    """After a revert the same turns add it no more."""
    say(root, ("user", "I work at a bakery in Ghent."))
    fact = add("Works at a bakery in Ghent.", "I work at a bakery in Ghent.")
    assert learn(root, fact).wrote
    open_home(root).revert("last")
    again = learn(root, fact, full=True)
    assert not again.wrote
    assert "took this change back" in again.refused[0].reason


@given(st.text(max_size=60), st.text(max_size=60))
@settings(max_examples=150, deadline=None)
def test_looking_for_secrets_never_fails(first: str, second: str) -> None:
    """Any text is looked through, and one key in it is found wherever it stands."""
    holds_secret(first)
    assert holds_secret(f"{first} sk-abcdef0123456789 {second}")


def test_the_law_admits_additions_with_evidence_alone() -> None:
    """Without evidence, or with other words than it was given for, an addition breaks the law."""
    step = add_claim(Snapshot(name="ava"), "Likes tea.")
    proved = replace(step.changes[0], evidence=(Evidence("m", 1, "I like tea."),))
    other = replace(proved, after="Likes coffee.")
    takes = [
        Draft(Snapshot(name="ava")).take(replace(step, changes=(change,)))
        for change in (step.changes[0], other, proved)
    ]
    assert takes == [False, False, True]
