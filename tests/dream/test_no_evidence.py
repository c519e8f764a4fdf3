"""What never is evidence: the persona's own words, and memory's, wherever a transcript has them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from toolnexus.app import Home
from toolnexus.clock import FixedClock, parse_instant
from toolnexus.testing.model import ScriptedModel, call, use

if TYPE_CHECKING:
    from pathlib import Path

    from toolnexus.dream.types import Pass

CLAIM = "The internet contract with Nordlicht costs 39 euros a month."
RIGHT = CLAIM.replace("39", "44")
RIGHT_LINE = f"- {RIGHT}"
SAID = "Our internet contract with Nordlicht costs 44 euros a month."

Row = dict[str, Any]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """The folder of a home whose memory holds one claim that could be wrong."""
    folder = tmp_path / "ava"
    (folder / "transcripts").mkdir(parents=True)
    (folder / "SOUL.md").write_text("You are Ava.\n")
    (folder / "MEMORY.md").write_text(f"# Memory\n\n- {CLAIM}\n- Likes green tea.\n")
    return folder


def talk(root: Path, *rows: Row) -> Home:
    """Write the one conversation, and open the home."""
    lines = ({"ts": f"2026-11-20T10:0{n}:00Z", **row} for n, row in enumerate(rows))
    path = root / "transcripts" / "talk.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return Home.open(root, clock=FixedClock(parse_instant("2026-11-29T03:00:00Z")))


def correct(home: Home, *turns: int) -> Pass:
    """Let a model ask for the correction, with the turns quoted as they stand."""
    lines = (home.root / "transcripts" / "talk.jsonl").read_text().splitlines()
    evidence = [
        {"conversation": "talk", "turn": n, "quote": json.loads(lines[n - 1])["content"]}
        for n in turns
    ]
    asked = call("memory", action="replace", text=CLAIM, with_=RIGHT, evidence=evidence)
    return home.dream(full=True, model=ScriptedModel(use(asked), default="HEARTBEAT_OK"))


def user(text: str, **more: object) -> Row:
    return {"role": "user", "content": text, **more}


def persona(text: str, **more: object) -> Row:
    return {"role": "assistant", "content": text, **more}


def test_the_users_own_word_is_evidence(root: Path) -> None:
    """The same words, said by the user, correct the claim and are suspected offline."""
    assert [one.claim for one in talk(root, user(SAID)).dream().suspected] == [CLAIM]
    assert correct(talk(root, user(SAID)), 1).wrote


@pytest.mark.parametrize(
    "rows",
    [
        pytest.param((persona(SAID),), id="never confirmed"),
        pytest.param((persona(SAID), user("Hm, is that so?")), id="not assented to"),
        pytest.param((persona(SAID, unprompted=True), user("Yes.")), id="said unprompted"),
        pytest.param((user(SAID, unprompted=True),), id="unprompted, whatever its role"),
        pytest.param(({"role": "tool", "content": SAID},), id="a tool's output"),
        pytest.param(({"role": "system", "content": SAID},), id="a system prompt"),
    ],
)
def test_the_personas_own_words_are_none(root: Path, rows: tuple[Row, ...]) -> None:
    """With and without a model, they neither correct a claim nor make it suspect."""
    offline = talk(root, *rows).dream()
    assert offline.suspected == ()
    with_model = correct(talk(root, *rows), *range(1, len(rows) + 1))
    assert not with_model.wrote
    assert with_model.waiting == ()
    assert CLAIM in (root / "MEMORY.md").read_text()


def test_an_answer_that_the_user_confirms_is_evidence(root: Path) -> None:
    """A persona's prompted turn with the user's assent behind it counts."""
    rows = (persona(SAID), user("Yes, exactly."))
    assert talk(root, *rows).dream().suspected
    assert correct(talk(root, *rows), 1, 2).wrote


@pytest.mark.parametrize("place", ["MEMORY.md", "SOUL.md", "USER.md", "AGENTS.md"])
def test_what_stands_in_the_soul_proves_nothing(root: Path, place: str) -> None:
    """A turn that repeats soul or memory, as a host puts them into prompts, is no evidence."""
    path = root / place
    path.write_text((path.read_text() if path.exists() else "") + RIGHT_LINE + "\n")
    prompt = user(f"What you know:\n{RIGHT_LINE}\n\nWhat shall I cook tonight?")
    alone = user(RIGHT)
    for row in (prompt, alone):
        home = talk(root, row)
        assert CLAIM not in {one.claim for one in home.dream().suspected}
        asked = call(
            "memory",
            action="replace",
            text=CLAIM,
            with_=RIGHT,
            evidence=[{"conversation": "talk", "turn": 1, "quote": RIGHT}],
        )
        done = home.dream(full=True, model=ScriptedModel(use(asked), default="HEARTBEAT_OK"))
        assert not done.wrote
        assert done.waiting == ()


def test_what_stood_in_memory_before_proves_nothing(root: Path) -> None:
    """A prompt that still held what was corrected since does not bring it back."""
    assert correct(talk(root, user(SAID)), 1).wrote
    old = user(f"- {CLAIM}\n- Likes green tea.", ts="2026-11-25T10:00:00Z")
    home = talk(root, user(SAID), old)
    assert home.dream(full=True).suspected == ()
    back = call(
        "memory",
        action="replace",
        text=RIGHT,
        with_=CLAIM,
        evidence=[{"conversation": "talk", "turn": 2, "quote": CLAIM}],
    )
    done = home.dream(full=True, model=ScriptedModel(use(back), default="HEARTBEAT_OK"))
    assert not done.wrote
    assert done.waiting == ()
    assert any("repeats what memory says" in one.reason for one in done.refused)
