from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from toolnexus.errors import UsageError
from toolnexus.transcripts import search
from toolnexus.transcripts.candidates import Candidate, candidates
from toolnexus.transcripts.search_index import TranscriptIndex
from toolnexus.transcripts.store import FileConversationStore

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

CLAIM = "Noor pays 40 euros a month for the bouldering gym."


def turn(role: str, content: str, day: int, month: int = 1) -> dict[str, object]:
    return {"role": role, "content": content, "ts": f"2026-{month:02}-{day:02}T09:00:00Z"}


def indexed(folder: Path, talks: dict[str, list[dict[str, object]]]) -> TranscriptIndex:
    store = FileConversationStore(folder / "transcripts")
    for conversation, turns in talks.items():
        store.save(conversation, turns)
    index = TranscriptIndex(folder / "transcripts", folder / "state" / "turns.sqlite")
    index.refresh()
    return index


def many(talk: str, count: int, month: int = 1) -> list[dict[str, object]]:
    """Turns that have many of the claim's words, over and over."""
    text = f"In {talk} I paid 40 euros this month for the bouldering gym again"
    return [turn("user", f"{text}, visit {n}.", 1 + n % 28, month) for n in range(count)]


def texts(found: Iterable[Candidate]) -> list[str]:
    return [candidate.turn.text for candidate in found]


def test_the_latest_mention_is_there_however_many_turns_match_better(tmp_path: Path):
    """The newest turn about the subject is a candidate among hundreds that have more words."""
    update = "The gym went up, bouldering is 55 now."
    index = indexed(tmp_path, {"b-late": [turn("user", update, 3, 9)], "a-early": many("May", 300)})
    found = candidates(index, CLAIM)
    assert update in texts(found)
    assert {each.turn.text: each.why for each in found}[update] == "latest"
    assert len(found) == 10


def test_named_subject_words_decide_what_the_latest_is_about(tmp_path: Path):
    """With the subject named, its latest turn is there although later turns share other words."""
    update = "Cancelled my gym membership!"
    later = [
        turn("user", "Bouldering 40 euros month pays, in the park.", day, 11) for day in range(1, 9)
    ]
    talks = {"x": [turn("user", update, 2, 10)], "y": later, "z": many("June", 60)}
    index = indexed(tmp_path, talks)
    assert update in texts(candidates(index, CLAIM, subject_words=["gym"]))


def test_candidates_stand_in_time_order_whatever_their_files_are_called(tmp_path: Path):
    """Order is by instant, undated first; the file's name only decides among equals."""
    talks = {
        "a": [turn("user", "The bouldering gym is 50 euros.", 5, 8)],
        "b": [{"role": "user", "content": "A bouldering gym would be 30 euros."}],
        "c": [turn("user", "The bouldering gym is 40 euros.", 5, 2)],
    }
    found = candidates(indexed(tmp_path, talks), CLAIM)
    assert [candidate.turn.conversation for candidate in found] == ["b", "c", "a"]


def test_each_candidate_has_its_neighbours(tmp_path: Path):
    """One turn before and two after it, none beyond the conversation's ends."""
    talk = [
        turn("assistant", "How was the day?", 1),
        turn("user", "I joined a bouldering gym.", 2),
        turn("assistant", "Lovely!", 3),
        turn("user", "Isn't it?", 4),
        turn("assistant", "It is.", 5),
    ]
    (found,) = candidates(indexed(tmp_path, {"talk": talk}), CLAIM)
    assert [each.text for each in found.before] == ["How was the day?"]
    assert [each.text for each in found.after] == ["Lovely!", "Isn't it?"]


def test_an_answer_comes_with_the_turn_that_may_confirm_it(tmp_path: Path):
    """The assistant's words about the claim are shown, with the person's assent behind them."""
    talk = [
        turn("user", "Remind me what I spend on sports?", 1),
        turn("assistant", "Noor pays 45 euros for the bouldering gym, I believe.", 2),
        turn("user", "Right.", 3),
    ]
    (found,) = candidates(indexed(tmp_path, {"talk": talk}), CLAIM)
    assert (found.why, found.after[0].text) == ("answer", "Right.")


def test_quotation_marks_in_a_claim_demand_nothing(tmp_path: Path):
    """What a claim puts in quotation marks need not stand in a turn word by word."""
    index = indexed(tmp_path, {"t": [turn("user", "The sign says closed on Sundays.", 1)]})
    assert texts(candidates(index, 'The sign says "closed on Mondays".'))


def test_other_roles_are_left_out_unless_asked_for(tmp_path: Path):
    """Tool output is a candidate only where its role is among those that are evidence."""
    index = indexed(tmp_path, {"t": [turn("tool", "bouldering gym: 41 euros", 1)]})
    assert candidates(index, CLAIM) == []
    assert texts(candidates(index, CLAIM, roles=("user", "tool"))) == ["bouldering gym: 41 euros"]


def test_very_common_subjects_are_looked_up_file_by_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """Where a subject has too many rows to sort, the file with the latest turn is asked first."""
    monkeypatch.setattr(search, "_COUNT_ROWS", 20)
    update = "Gym news: bouldering went down."
    talks = {"a-new": [turn("user", update, 9, 9)], "b": many("May", 40), "c": many("July", 40, 7)}
    assert update in texts(candidates(indexed(tmp_path, talks), CLAIM))


@pytest.mark.parametrize(
    "wrong", [{"count": 9}, {"count": 51}, {"roles": ("poet",)}, {"roles": ()}]
)
def test_senseless_arguments_are_refused(tmp_path: Path, wrong: dict[str, object]):
    """A count out of bounds, an unknown role and no role at all are usage errors."""
    with pytest.raises(UsageError):
        candidates(indexed(tmp_path, {}), CLAIM, **wrong)


def test_a_home_without_transcripts_has_no_candidates(tmp_path: Path):
    """Nothing to search is nothing found, and nothing is made on the disk."""
    index = TranscriptIndex(tmp_path / "transcripts", tmp_path / "state" / "turns.sqlite")
    assert candidates(index, CLAIM) == []
    assert list(tmp_path.iterdir()) == []


@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(claim=st.text(max_size=80), subject=st.lists(st.text(max_size=12), max_size=3))
def test_any_text_may_be_a_claim(index: TranscriptIndex, claim: str, subject: list[str]):
    """No claim is a syntax error, none gives a turn twice or more than asked for."""
    found = candidates(index, claim, subject_words=subject)
    places = [each.turn.address for each in found]
    assert len(places) == len(set(places)) <= 12


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> TranscriptIndex:
    return indexed(tmp_path_factory.mktemp("any"), {"a": many("May", 30), "b": many("June", 9, 6)})
