"""Feedback and uses: what is kept of them, and what search, check and overview make of it."""

from __future__ import annotations

import math
import os
from typing import TYPE_CHECKING

import pytest
from small_homes import files_of, make_home, write_files

from toolnexus.app import Home
from toolnexus.errors import DiskError, UsageError
from toolnexus.evolve.strength import strength
from toolnexus.home.ripening import ripening_of
from toolnexus.store.uses import KEPT_REASONS
from toolnexus.testing.model import ScriptedModel, call, use

if TYPE_CHECKING:
    from pathlib import Path

FILES = {
    "SOUL.md": "You are Ava.\n",
    "MEMORY.md": "- [[tea]] [[cup]] [[soup]]\n",
    "memory/tea.md": "# Tea\n\n- The green tea steeps for two minutes at 80 degrees.\n",
    "memory/cup.md": "# Cup\n\n- The green tea steeps for two minutes at 80 degrees.\n",
    "memory/soup.md": "---\nstage: raw\naliases: [broth]\n---\n# Soup\n\n- Lentils, no salt.\n",
    "memory/deep/down/cellar.md": "---\nstage: extracted\n---\n# Cellar\n\n- Dry and cool.\n",
}


@pytest.fixture
def ava(tmp_path: Path) -> Home:
    """Return a home of a few notes."""
    return make_home(tmp_path / "ava", FILES)


def reviewed(home: Home) -> list[str]:
    """Return the notes that a person is asked to look at."""
    return [found.path for found in home.check() if found.rule == "needs-review"]


def found_by(home: Home, query: str, **options) -> list[str]:
    """Return the notes that a search finds, the best first."""
    return [hit.path for hit in home.search(query, **options).hits]  # type: ignore[union-attr]


def test_feedback_is_kept_and_the_note_is_not_touched(ava: Home):
    """A score moves the boost, and no file of the home changes."""
    before = files_of(ava.root)
    given = ava.feedback("tea", 0.5, "it  was\nright")
    assert (given.path, given.score, given.boost, given.feedbacks) == ("memory/tea.md", 0.5, 1.5, 1)
    assert ava.feedback("tea", -0.25).boost == 1.25
    kept = Home.open(ava.root).uses.read().of("memory/tea.md")
    assert [reason.text for reason in kept.reasons] == ["it was right"]
    assert files_of(ava.root) == before


@pytest.mark.parametrize("score", [1.01, -2, math.nan, math.inf, -math.inf, "0.5", True, None])
def test_what_is_no_score_is_refused(ava: Home, score: float):
    """Only numbers from -1 to 1 are scores; nothing is kept of anything else."""
    with pytest.raises(UsageError, match="is no score"):
        ava.feedback("tea", score)
    assert ava.uses.read().by_path == {}


@pytest.mark.parametrize("score", [-1, 1, 0, 0.0])
def test_the_ends_are_scores(ava: Home, score: float):
    """-1 and 1 are the worst and the best that can be said."""
    assert ava.feedback("tea", score).boost == max(0.1, 1 + score)


@pytest.mark.parametrize("slug", ["", "  ", "nowhere", "../tea", "/etc/passwd", "a\0b", "log", "."])
def test_what_names_no_note_is_refused(ava: Home, slug: str):
    """A slug that is no note's, or climbs out of the home, is wrong usage and kept nowhere."""
    with pytest.raises(UsageError):
        ava.feedback(slug, 1)
    assert ava.uses.read().by_path == {}


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("soup", "memory/soup.md"),
        ("[[soup]]", "memory/soup.md"),
        ("SOUP", "memory/soup.md"),
        ("broth", "memory/soup.md"),
        ("memory/soup.md", "memory/soup.md"),
        ("cellar", "memory/deep/down/cellar.md"),
        ("deep/down/cellar", "memory/deep/down/cellar.md"),
        ("self", "MEMORY.md"),
    ],
)
def test_a_note_may_be_named_in_many_ways(ava: Home, name: str, path: str):
    """Slug, path, title and alias all mean the note, as they do for the other commands."""
    assert ava.feedback(name, 0.1).path == path


def test_two_notes_of_one_name_are_asked_about(ava: Home):
    """A slug that two notes have is refused, with both of them named."""
    write_files(ava.root, {"memory/wide/cellar.md": "- Damp.\n"})
    with pytest.raises(UsageError, match="memory/wide/cellar"):
        ava.feedback("cellar", 1)
    assert ava.feedback("wide/cellar", 1).path == "memory/wide/cellar.md"


def test_a_note_behind_a_symbolic_link_is_found_by_reading(ava: Home):
    """A folder that is linked inside the home leads to one note, and feedback finds it."""
    (ava.root / "memory/other").symlink_to(ava.root / "memory/deep")
    assert ava.feedback("cellar", 1).path == "memory/deep/down/cellar.md"


def test_a_reason_is_bounded_and_holds_no_secret(ava: Home):
    """Reasons are one line, no essay, and a key that was pasted into one is masked."""
    ava.feedback("tea", -1, "wrong, the key is sk-proj-0123456789abcdefghijABCDEFGHIJ0123456789")
    with pytest.raises(UsageError, match="1,001 characters"):
        ava.feedback("tea", 1, "x" * 1_001)
    with pytest.raises(UsageError, match="a reason is a text"):
        ava.feedback("tea", 1, None)  # type: ignore[arg-type]
    [reason] = ava.uses.read().of("memory/tea.md").reasons
    assert "0123456789" not in reason.text
    for number in range(KEPT_REASONS + 5):
        ava.feedback("tea", 0, f"reason {number}")
    assert len(ava.uses.read().of("memory/tea.md").reasons) == KEPT_REASONS


def test_blame_on_what_is_not_ripe_asks_for_a_review(ava: Home):
    """Below 0, raw and extracted notes are findings with the reason; knowledge is none."""
    assert ava.feedback("soup", -0.5, "there was salt in it").needs_review
    assert ava.feedback("cellar", -0.1).needs_review
    assert not ava.feedback("tea", -1).needs_review
    assert reviewed(ava) == ["memory/deep/down/cellar.md", "memory/soup.md"]
    [finding] = [f for f in ava.check() if f.path == "memory/soup.md" and f.rule == "needs-review"]
    assert "there was salt in it" in finding.message
    assert finding.severity == "warning"
    seen = ava.overview().ripening
    assert (seen.review, [each.reason for each in seen.wanting]) == (
        2,
        ["", "there was salt in it"],
    )


def test_a_review_ends_with_praise_or_a_person_s_care(ava: Home):
    """A better word, a later `updated` or a higher stage take the finding away."""
    ava.feedback("soup", -0.5)
    ava.feedback("cellar", -0.5)
    assert not ava.feedback("soup", 0.2).needs_review
    assert reviewed(ava) == ["memory/deep/down/cellar.md"]
    text = "---\nstage: extracted\nupdated: 2026-11-30\n---\n- Dry.\n"
    write_files(ava.root, {"memory/deep/down/cellar.md": text})
    assert reviewed(ava) == []
    ava.feedback("soup", -0.5)
    write_files(ava.root, {"memory/soup.md": "---\nstage: knowledge\n---\n- Lentils.\n"})
    assert reviewed(ava) == []


@pytest.mark.slow
def test_feedback_reorders_what_is_equally_relevant(ava: Home):
    """Of two notes that say the same, the praised one comes first; scores stay what they were."""
    query = "how long does green tea steep"
    before = {hit.path: hit.score for hit in ava.search(query).hits}  # type: ignore[union-attr]
    for praised, blamed in (("cup", "tea"), ("tea", "cup")):
        for _ in range(5):
            ava.feedback(praised, 1)
            ava.feedback(blamed, -1)
        assert found_by(ava, query)[:2] == [f"memory/{praised}.md", f"memory/{blamed}.md"]
    after = {hit.path: hit.score for hit in ava.search(query).hits}  # type: ignore[union-attr]
    assert after == before


@pytest.mark.slow
def test_no_feedback_lifts_what_is_beside_the_point(ava: Home):
    """The best-loved note does not come before one that answers, however badly that was rated."""
    for _ in range(10):
        ava.feedback("cellar", 1)
        ava.feedback("tea", -1)
        ava.feedback("cup", -1)
    assert set(found_by(ava, "how long does green tea steep")[:2]) == {
        "memory/tea.md",
        "memory/cup.md",
    }


def test_riper_notes_come_first(ava: Home):
    """Of two notes that say the same, the skill comes before the raw one."""
    text = "# Tea\n\n- The green tea steeps for two minutes at 80 degrees.\n"
    write_files(ava.root, {"memory/cup.md": f"---\nstage: raw\n---\n{text}"})
    assert found_by(ava, "how long does green tea steep")[0] == "memory/tea.md"
    write_files(ava.root, {"memory/cup.md": f"---\nstage: skill\n---\n{text}"})
    assert found_by(ava, "how long does green tea steep")[0] == "memory/cup.md"


def test_min_score_judges_relevance_alone(ava: Home):
    """What is relevant enough is found, however raw and badly rated; what is not stays out."""
    query = "lentils without salt"
    [hit] = [hit for hit in ava.search(query).hits if hit.path == "memory/soup.md"]  # type: ignore[union-attr]
    ava.feedback("soup", -1)
    assert "memory/soup.md" in found_by(ava, query, min_score=hit.score)
    assert "memory/soup.md" not in found_by(ava, query, min_score=min(1, hit.score + 0.01))


def test_feedback_goes_along_with_a_renamed_note(ava: Home):
    """A note that is renamed, twice even, keeps its feedback, and gets more under its new name."""
    ava.feedback("tea", 1, "the first")
    ava.rename("tea", "green-tea")
    ava.rename("green-tea", "sencha")
    assert ava.feedback("sencha", 1, "the second").boost == 3
    home = Home.open(ava.root)
    hits = home.search("green tea").hits
    assert {h.weight.boost for h in hits if h.path == "memory/sencha.md"} == {3}  # type: ignore[union-attr]


def test_feedback_goes_back_with_a_rename_that_is_undone(ava: Home):
    """What a note got under a name that it has no more is known of it when that is undone."""
    ava.feedback("tea", 1)
    ava.rename("tea", "green-tea")
    renamed = ava.rename("green-tea", "sencha")
    ava.feedback("sencha", 0.5)
    ava.revert(renamed.id)
    assert ava.feedback("green-tea", 0.25).boost == 2.75


def test_a_home_that_cannot_be_written_keeps_no_feedback(ava: Home, monkeypatch):
    """Where the journal cannot be written, feedback is an error and not lost in silence."""
    ava.feedback("tea", 1)

    def full(*_: object) -> None:
        raise OSError(28, os.strerror(28))

    monkeypatch.setattr("toolnexus.store.use_journal.UseJournal._write", full)
    with pytest.raises(DiskError):
        ava.feedback("tea", 1)
    monkeypatch.undo()
    assert ava.uses.read().of("memory/tea.md").feedbacks == 1


def test_what_an_answer_drew_on_is_a_use(ava: Home):
    """Notes that the persona read or found on the way to its answer count as used, once each."""
    model = ScriptedModel(
        use(call("memory", action="read", target="cellar")),
        use(call("note_search", query="how long does green tea steep", limit=2)),
        use(call("memory", action="read", target="self")),
        "Two minutes.",
    )
    ava.ask("How long does the tea steep?", model=model)
    found = ava.uses.read().by_path
    assert {path: uses.uses for path, uses in found.items()} == {
        "memory/deep/down/cellar.md": 1,
        "memory/tea.md": 1,
        "memory/cup.md": 1,
    }
    assert found["memory/tea.md"].last_used == ava.clock.now()


def test_what_a_beat_says_is_a_use_and_silence_is_none(ava: Home):
    """Notes behind a delivered beat count as used; those behind a silent one do not."""
    write_files(ava.root, {"HEARTBEAT.md": "- Look after the tea.\n"})
    reading = use(call("memory", action="read", target="tea"))
    silent = ava.beat(force=True, model=ScriptedModel(reading, "HEARTBEAT_OK"), say=lambda _: None)
    assert silent.outcome == "silent"
    assert ava.uses.read().by_path == {}
    told = ava.beat(force=True, model=ScriptedModel(reading, "Drink."), say=lambda _: None)
    assert told.outcome == "delivered"
    assert ava.uses.read().of("memory/tea.md").uses == 1


def test_no_answer_is_no_use(ava: Home):
    """What was read for an answer that never came was not used in one."""
    model = ScriptedModel(use(call("memory", action="read", target="tea")))
    with pytest.raises(AssertionError, match="script"):
        ava.ask("How long does the tea steep?", model=model)
    assert ava.uses.read().by_path == {}


def test_an_answer_is_given_where_no_use_can_be_kept(ava: Home, monkeypatch):
    """A journal that cannot be written hinders no answer."""

    def full(*_: object) -> int:
        raise OSError(28, os.strerror(28))

    model = ScriptedModel(use(call("memory", action="read", target="tea")), "Two minutes.")
    real = type(ava.uses._disk).append
    monkeypatch.setattr("toolnexus.store.use_journal.UseJournal._write", lambda *_: full(real))
    assert ava.ask("How long?", model=model).text == "Two minutes."
    assert ava.uses.read().by_path == {}


def test_a_use_moves_no_rank(ava: Home):
    """However often a note is used, it is ranked as before."""
    before = [(h.path, h.rank) for h in ava.search("green tea").hits]  # type: ignore[union-attr]
    for _ in range(3):
        model = ScriptedModel(use(call("memory", action="read", target="cup")), "Two minutes.")
        ava.ask("How long?", model=model)
    after = [(h.path, h.rank) for h in ava.search("green tea").hits]  # type: ignore[union-attr]
    assert after == before


def test_a_use_refreshes_a_note(ava: Home):
    """A note that fades is strong again when an answer draws on it; its file is not touched."""
    text = "---\ncreated: 2026-01-01\nstability: transient\n---\n- Green.\n"
    write_files(ava.root, {"memory/tea.md": text})
    note = ava.read().notes["memory/tea.md"]
    ripe, now = ripening_of(note), ava.clock.now()
    assert strength(note, ripe, ava.uses.read(), now) < 0.1
    assert ava.overview().ripening.fading == 1
    model = ScriptedModel(use(call("memory", action="read", target="tea")), "Green.")
    ava.ask("Which tea?", model=model)
    assert strength(note, ripe, ava.uses.read(), now) == 1
    assert ava.overview().ripening.fading == 0
    assert (ava.root / "memory/tea.md").read_text() == text
