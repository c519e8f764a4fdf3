"""Suspicions of a whole home: found, kept, settled, and at the cost of what is new."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from toolnexus.app.home import Home
from toolnexus.dream.suspect import Checked, find_suspicions
from toolnexus.home.snapshot import Snapshot
from toolnexus.transcripts.search_index import TranscriptIndex

if TYPE_CHECKING:
    from pathlib import Path

    from toolnexus.transcripts.cursor import Cursor, NewTurns
    from toolnexus.transcripts.hit import TurnHit

MEMORY = "# Memory\n\n- The rent is 900 euros.\n- Lives in Paris.\n- Plays the cello in a trio.\n"
RENT = "My rent went up to 1,050 euros."


class CountingIndex(TranscriptIndex):
    """A transcript index that counts what is asked of it."""

    searches = 0
    reads = 0

    def search(self, query: str, **options: Any) -> list[TurnHit]:
        """Search, and count it."""
        self.searches += 1
        return super().search(query, **options)

    def turns_since(self, cursor: Cursor, *, limit: int | None = None) -> NewTurns:
        """Read on, and count it."""
        self.reads += 1
        return super().turns_since(cursor, limit=limit)


class Talks:
    """Transcripts on the disk, with their index and the ledger of the last check."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "transcripts"
        self.folder.mkdir(parents=True)
        self.index = CountingIndex(self.folder, folder / "transcripts.sqlite")
        self.hour = 0
        self.ledger: object = None

    def say(self, *texts: str, name: str = "first", role: str = "user") -> None:
        """Append turns, an hour apart."""
        with (self.folder / f"{name}.jsonl").open("a", encoding="utf-8") as out:
            for text in texts:
                self.hour += 1
                ts = f"2026-11-{1 + self.hour // 24:02}T{self.hour % 24:02}:00:00Z"
                out.write(json.dumps({"role": role, "content": text, "ts": ts}) + "\n")

    def check(self, home: Snapshot, **options: Any) -> Checked:
        """Check a home; the ledger goes through JSON as it does through the state folder."""
        self.index.refresh()
        found = find_suspicions(home, self.index, known=self.ledger, **options)
        if found.ledger is not self.ledger:
            self.ledger = json.loads(json.dumps(found.ledger))
        return found


@pytest.fixture
def talks(tmp_path: Path) -> Talks:
    return Talks(tmp_path)


def home_of(**files: str) -> Snapshot:
    named = {name.replace("__", "/") + ".md": text for name, text in files.items()}
    return Snapshot(name="ava").with_texts(named)


def claims_of(checked: Checked) -> list[str]:
    return [suspicion.claim for suspicion in checked.suspicions]


def test_a_suspicion_tells_the_claim_its_place_and_the_words(talks: Talks) -> None:
    """A suspected claim comes with file, line, turn, role, time and quote."""
    talks.say("Good morning.", RENT)
    (suspicion,) = talks.check(home_of(MEMORY=MEMORY)).suspicions
    assert (suspicion.path, suspicion.line) == ("MEMORY.md", 3)
    assert suspicion.claim == "The rent is 900 euros."
    (evidence,) = suspicion.evidence
    assert (evidence.conversation, evidence.turn, evidence.role) == ("first", 2, "user")
    assert (evidence.quote, evidence.ts) == (RENT, "2026-11-01T02:00:00Z")


def test_without_transcripts_nothing_is_done(tmp_path: Path) -> None:
    """A home without transcripts makes no database, no ledger and no check."""
    (tmp_path / "transcripts").mkdir()
    index = CountingIndex(tmp_path / "transcripts", tmp_path / "transcripts.sqlite")
    index.refresh()
    assert find_suspicions(home_of(MEMORY=MEMORY), index) == Checked()
    assert (index.searches, index.reads) == (0, 0)
    assert not (tmp_path / "transcripts.sqlite").exists()


def test_claims_of_index_owner_and_notes_are_checked_and_no_others(talks: Talks) -> None:
    """MEMORY.md, USER.md and notes hold claims; the soul and sources do not."""
    talks.say(RENT)
    claim = "- The rent is 900 euros.\n"
    home = home_of(MEMORY=claim, USER=claim, SOUL=claim, memory__flat=claim, sources__lease=claim)
    paths = {suspicion.path for suspicion in talks.check(home).suspicions}
    assert paths == {"MEMORY.md", "USER.md", "memory/flat.md"}


def test_nothing_new_costs_nothing_and_keeps_the_suspicions(talks: Talks) -> None:
    """A second check of the same reads no turn, searches nothing and returns the same ledger."""
    talks.say(RENT)
    home = home_of(MEMORY=MEMORY)
    first = talks.check(home)
    talks.index.searches = talks.index.reads = 0
    known = talks.ledger
    again = talks.check(home)
    assert again.suspicions == first.suspicions
    assert again.ledger is known
    assert (again.checked, talks.index.searches, talks.index.reads) == (0, 0, 0)


def test_new_turns_are_put_only_to_the_claims_they_touch(talks: Talks) -> None:
    """A new turn re-checks the claims that share words with it, and none is searched for."""
    talks.say("Hello there.")
    home = home_of(MEMORY=MEMORY)
    assert talks.check(home).checked == 3
    talks.index.searches = 0
    talks.say(RENT)
    found = talks.check(home)
    assert (found.checked, found.turns_new, talks.index.searches) == (1, 1, 0)
    assert claims_of(found) == ["The rent is 900 euros."]


def test_a_newer_turn_settles_a_suspicion(talks: Talks) -> None:
    """When the person says again what the claim says, it is no longer suspected."""
    talks.say(RENT)
    home = home_of(MEMORY=MEMORY)
    assert claims_of(talks.check(home)) == ["The rent is 900 euros."]
    talks.say("They took it back, my rent is 900 euros again.")
    assert claims_of(talks.check(home)) == []


def test_a_corrected_claim_is_checked_anew(talks: Talks) -> None:
    """A changed claim is searched for by itself; the others are left alone."""
    talks.say(*["Nothing to tell today."] * 600, RENT)
    talks.check(home_of(MEMORY=MEMORY))
    found = talks.check(home_of(MEMORY=MEMORY.replace("900", "1,050")))
    assert (claims_of(found), found.checked) == ([], 1)
    assert talks.index.searches > 0
    again = talks.check(home_of(MEMORY=MEMORY.replace("900", "880")))
    assert claims_of(again) == ["The rent is 880 euros."]


def test_a_claim_that_moved_keeps_its_suspicion_where_it_stands(talks: Talks) -> None:
    """Lines above a suspected claim move it; it is told at its new line and not checked again."""
    talks.say(RENT)
    talks.check(home_of(MEMORY=MEMORY))
    found = talks.check(home_of(MEMORY="# Memory\n\nSee below.\n" + MEMORY[9:]))
    assert [(s.line, s.claim) for s in found.suspicions] == [(5, "The rent is 900 euros.")]
    assert found.checked == 1


def test_a_deleted_or_rewritten_conversation_proves_nothing_any_more(talks: Talks) -> None:
    """What a conversation said is forgotten with it."""
    home = home_of(MEMORY=MEMORY)
    talks.say("Hello.", name="second")
    talks.say(RENT)
    assert talks.check(home).suspicions
    path = talks.folder / "first.jsonl"
    path.write_text(path.read_text().replace("1,050", "900"))
    assert talks.check(home).suspicions == ()
    talks.say("Now my rent is 990 euros.")
    assert talks.check(home).suspicions
    path.unlink()
    assert talks.check(home).suspicions == ()


def test_an_assent_may_come_with_the_next_check(talks: Talks) -> None:
    """An answer that was read before counts as soon as the person confirms it."""
    home = home_of(MEMORY=MEMORY)
    talks.say("So your rent is 1,050 euros now.", role="assistant")
    assert talks.check(home).suspicions == ()
    talks.say("Yes, sadly.")
    (suspicion,) = talks.check(home).suspicions
    assert [evidence.role for evidence in suspicion.evidence] == ["assistant", "user"]


def test_other_roles_check_everything_anew(talks: Talks) -> None:
    """Whose words count is part of what a ledger rests on."""
    talks.say("The rent is now 1,050 euros.", role="assistant")
    home = home_of(MEMORY=MEMORY)
    assert talks.check(home).suspicions == ()
    found = talks.check(home, evidence_roles=("user", "assistant"))
    assert (len(found.suspicions), found.checked) == (1, 3)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=8,
)


@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(damage=json_values, key=st.sampled_from(["basis", "cursors", "files", "MEMORY.md", ""]))
def test_a_damaged_ledger_is_a_full_check(talks: Talks, damage: object, key: str) -> None:
    """Whatever stands in the ledger, the check gives what it gives without one."""
    if not talks.folder.joinpath("first.jsonl").exists():
        talks.say(RENT)
    home = home_of(MEMORY=MEMORY)
    talks.ledger = None
    whole = talks.check(home)
    ledger = json.loads(json.dumps(talks.ledger))
    if key == "MEMORY.md":
        ledger["files"][key] = damage
    else:
        ledger = {**ledger, key: damage} if key else damage
    talks.ledger = ledger
    assert talks.check(home).suspicions == whole.suspicions
    talks.ledger = damage
    assert talks.check(home).suspicions == whole.suspicions


sayings = st.sampled_from(
    [
        RENT,
        "My rent is 900 euros.",
        "I live in Berlin now.",
        "I live in Paris again.",
        "Is my rent 990 euros?",
        "We play the cello.",
        "I do not play the cello in a trio.",
    ]
)


@settings(max_examples=15, deadline=None)
@given(steps=st.lists(st.lists(sayings, max_size=3), min_size=1, max_size=4))
def test_step_by_step_finds_what_one_check_finds(
    tmp_path_factory: pytest.TempPathFactory, steps: list[list[str]]
) -> None:
    """Checks after each few turns end at what one check of everything finds."""
    talks = Talks(tmp_path_factory.mktemp("talks"))
    home = home_of(MEMORY=MEMORY)
    for step in steps:
        talks.say(*step)
        found = talks.check(home)
    assert found.suspicions == find_suspicions(home, talks.index).suspicions


def write_home(root: Path) -> Path:
    (root / "transcripts").mkdir(parents=True)
    (root / "SOUL.md").write_text("You remember.\n")
    (root / "MEMORY.md").write_text(MEMORY)
    turn = {"role": "user", "content": RENT, "ts": "2026-11-01T08:00:00Z"}
    (root / "transcripts" / "talk.jsonl").write_text(json.dumps(turn) + "\n")
    return root


def test_a_pass_reports_suspicions_and_edits_nothing(tmp_path: Path) -> None:
    """Offline, a contradicted claim stays as it is and is reported, pass after pass."""
    home = Home.open(write_home(tmp_path / "ava"))
    for _ in range(2):
        done = home.dream()
        assert [suspicion.claim for suspicion in done.suspected] == ["The rent is 900 euros."]
        assert (done.outcome, done.wrote) == ("nothing", False)
    assert (tmp_path / "ava" / "MEMORY.md").read_text() == MEMORY
    assert done.stats.checked == 0
    assert home.dream(full=True).stats.checked == 3


def test_a_dry_run_keeps_no_ledger(tmp_path: Path) -> None:
    """A dry run tells the same and leaves the ledger as it was."""
    home = Home.open(write_home(tmp_path / "ava"))
    done = home.dream(dry_run=True)
    assert len(done.suspected) == 1
    assert home.store.read_state("verified") is None
