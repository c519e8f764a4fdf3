"""Secrets in a conversation: a model that tries to carry one into memory, and a pass that won't."""

from __future__ import annotations

import json

import pytest
from pasted_secrets import PASTED, VALUES

from toolnexus.app import Home
from toolnexus.clock import FixedClock, parse_instant
from toolnexus.testing.model import ScriptedModel, call, use

KEY = VALUES["an AWS key"]
PASSWORD = VALUES["a password said"]
SAID = (
    f"We moved to Berlin, the wifi password there is {PASSWORD} and my key is {KEY}.",
    "I play the cello in the Berlin town orchestra now.",
)


@pytest.fixture
def root(home):
    """A home that learns, with a claim that the conversation corrects beside two secrets."""
    (home / "persona.yaml").write_text("owner: Maria\ndream: {learn: true, max_change: 1.0}\n")
    (home / "MEMORY.md").write_text("# Memory\n\n- Lives in Paris.\n- Drinks tea: [[tea]]\n")
    turns = [{"role": "user", "content": text, "ts": "2026-11-20T14:00:00Z"} for text in SAID]
    file = home / "transcripts" / "talk.jsonl"
    file.write_text("".join(json.dumps(turn) + "\n" for turn in turns))
    return home


def dream(root, **arguments):
    """Make a pass in which a model asks for one thing first, and for nothing else."""
    model = ScriptedModel(use(call("memory", **arguments)), default="HEARTBEAT_OK")
    home = Home.open(root, clock=FixedClock(parse_instant("2026-11-29T03:00:00Z")))
    return home.dream(model=model, full=True), model


def places_of(root, value):
    """Return the files of a home, its state included, that hold a value; what was said aside."""
    return [
        path.relative_to(root).as_posix()
        for path in root.rglob("*")
        if path.is_file()
        and "transcripts" not in path.as_posix()
        and value.encode() in path.read_bytes()
    ]


def cited(quote):
    return [{"conversation": "talk", "turn": 1, "quote": quote}]


MOVED = "We moved to Berlin"
TRIES = {
    "a correction": {
        "action": "replace", "text": "Lives in Paris.",
        "with": f"Lives in Berlin, the wifi password there is {PASSWORD}.",
        "evidence": cited(MOVED),
    },
    "a quote": {
        "action": "replace", "text": "Lives in Paris.", "with": "Lives in Berlin.",
        "evidence": cited(SAID[0]),
    },
    "half a quote": {
        "action": "replace", "text": "Lives in Paris.", "with": "Lives in Berlin.",
        "evidence": [*cited(MOVED), *cited(f"my key is {KEY}")],
    },
    "an addition": {
        "action": "add", "text": f"Her key is {KEY}.", "evidence": cited(f"my key is {KEY}"),
    },
    "an addition elsewhere": {
        "action": "add", "target": "tea", "text": f"The wifi password is {PASSWORD}.",
        "evidence": cited(f"the wifi password there is {PASSWORD}"),
    },
    "a removal's quote": {
        "action": "remove", "text": "Lives in Paris.", "evidence": cited(SAID[0]),
    },
    "a note's title": {
        "action": "demote", "text": "Lives in Paris.", "to": "places", "title": f"Key {KEY}",
    },
    "a note's name": {"action": "demote", "text": "Lives in Paris.", "to": KEY},
    "a pointer": {
        "action": "demote", "text": "Lives in Paris.", "to": "tea", "with": f"{KEY}: [[tea]]",
    },
    "a link": {"action": "relink", "text": "tea", "with": KEY},
    "a body": {"action": "write", "target": "wifi", "text": f"- {KEY}\n- {SAID[0]}\n"},
}  # fmt: skip


@pytest.mark.parametrize("what", TRIES)
def test_no_pass_copies_a_secret(root, what):
    """By none of its words can a model bring a secret of a turn into memory, log or proposals."""
    done, _ = dream(root, **TRIES[what])
    assert done.refused
    for value in (KEY, PASSWORD):
        assert places_of(root, value) == []
        assert value not in repr(done)


def test_the_same_change_without_the_secret_is_made(root):
    """A correction that leaves the secret out, of words and quote, is accepted as ever."""
    done, _ = dream(
        root,
        action="replace",
        text="Lives in Paris.",
        with_="Lives in Berlin.",
        evidence=cited(MOVED),
    )
    assert done.wrote
    assert "- Lives in Berlin.\n" in (root / "MEMORY.md").read_text()


def test_the_model_of_a_pass_is_told_no_secret(root):
    """Claims and turns go to the model with their secrets masked, and so do its searches."""
    (root / "MEMORY.md").write_text(f"# Memory\n\n- Lives in Paris; {PASTED['a PIN']}.\n")
    model = ScriptedModel(
        use(call("transcript_search", query="wifi password key")),
        use(call("memory", action="read")),
        default="HEARTBEAT_OK",
    )
    Home.open(root).dream(model=model, full=True)
    told = "".join(message.text for request in model.requests for message in request.messages)
    assert "[redacted]" in told
    assert [each for each in (KEY, PASSWORD, VALUES["a PIN"]) if each in told] == []


def test_offline_suspicions_mask_what_they_quote(root):
    """A suspicion quotes the turn that speaks against a claim, and not the secret in it."""
    done = Home.open(root).dream()
    assert done.suspected
    assert KEY not in repr(done)
    assert PASSWORD not in repr(done)
    assert places_of(root, KEY) == places_of(root, PASSWORD) == []


def test_a_secret_that_memory_has_may_move_with_its_claim(root):
    """What a person wrote into memory is moved like all else, byte for byte, and lost nowhere."""
    claim = f"- Lives in Paris; {PASTED['a password said']}.\n"
    (root / "MEMORY.md").write_text(f"# Memory\n\n{claim}")
    done, _ = dream(root, action="demote", text=claim[2:].strip(), to="places")
    assert done.wrote
    assert claim in (root / "memory" / "places.md").read_text()
    assert PASSWORD not in (root / "memory" / "log.md").read_text()
