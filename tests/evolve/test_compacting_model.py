"""Compacting with a model: what it may do, what waits, what is refused, and what is asked once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from compacting_homes import ALIKE, QUOTE, SAID, STEPS, add_talk, files, kinds, lay_out, opened

from toolnexus.errors import Unreachable
from toolnexus.store.uses import Use
from toolnexus.testing.model import ScriptedModel, call, say, use

if TYPE_CHECKING:
    from pathlib import Path

    from toolnexus.app import Home
    from toolnexus.models.completion import Completion

OK = say("HEARTBEAT_OK")
FACT = "Ines sold the old piano to Marta."
PIANO = "memory/extracted-2026-01-05-piano.md"


def merge(*names: str, to: str = "tea") -> Completion:
    return use(call("memory", action="merge", from_=list(names), to=to))


def add(text: str, evidence: list[dict[str, object]] = QUOTE) -> Completion:
    return use(call("memory", action="add", text=text, evidence=evidence))


def draft(text: str, title: str = "Brewing tea") -> Completion:
    return use(call("memory", action="write", target="brew-skill", title=title, text=text))


def with_piano(root: Path, *parts: dict[str, str], settings: str = "") -> Home:
    """Open a home with an old conversation in which a piano was sold."""
    lay_out(root, *parts, settings=settings)
    add_talk(root, "2026-01-05-piano", SAID)
    return opened(root)


def with_brew(root: Path) -> Home:
    """Open a home with a procedure that is often used and well rated."""
    home = opened(lay_out(root, {"memory/brew.md": STEPS}))
    home.store.ensure_state()
    home.uses.append(*(Use("memory/brew.md", home.clock.now()) for _ in range(5)))
    home.feedback("brew", 1)
    return home


# Near-duplicates


def test_a_cluster_is_merged_on_the_models_word(tmp_path: Path) -> None:
    """One note of knowledge is left, which holds every claim and names what it was merged from."""
    root = lay_out(tmp_path, ALIKE)
    model = ScriptedModel(merge("ines-tea"), OK)
    done = opened(root).compact(model=model)
    assert (done.outcome, kinds(done)) == ("done", ["merged"])
    text = (root / "memory/tea.md").read_text()
    assert "merged_from: [ines-tea]" in text
    for claim in ("Ines drinks green tea in the morning.", "In the morning Ines drinks green tea."):
        assert f"- {claim}" in text
    assert "memory/ines-tea.md" not in files(root)


def test_a_model_that_says_no_is_not_asked_again(tmp_path: Path) -> None:
    """Its no is kept until one of the notes changes."""
    root = lay_out(tmp_path, ALIKE)
    assert opened(root).compact(model=ScriptedModel(OK)).outcome == "nothing"
    assert opened(root).compact(model=ScriptedModel()).outcome == "nothing"
    (root / "memory/tea.md").write_text("# Tea\n\n- Ines drinks green tea in the early morning.\n")
    assert opened(root).compact(model=ScriptedModel(OK)).stats.clusters == 1


@pytest.mark.parametrize(
    "wish",
    [
        merge("plans"),
        merge("ines-tea", "plans"),
        merge("nowhere"),
        merge("tea"),
        use(call("memory", action="merge", from_=["ines-tea"], to="tea", text="# Tea\n\n- None.")),
        use(call("memory", action="remove", text="Ines drinks green tea in the morning.")),
        use(call("memory", action="write", target="x", title="X", text="- Y.")),
        use(call("shell", command="rm -rf /")),
    ],
)
def test_nothing_but_merging_what_was_shown_is_let_in(tmp_path: Path, wish: Completion) -> None:
    """Other notes, other actions and a body of the model's own are refused, and nothing changes."""
    root = lay_out(tmp_path, ALIKE, {"memory/plans.md": "# Plans\n\n- A garden.\n"})
    before = files(root)
    done = opened(root).compact(model=ScriptedModel(wish, OK))
    assert done.outcome == "nothing"
    assert done.refused
    assert files(root) == before


def test_a_cluster_is_merged_once(tmp_path: Path) -> None:
    """A note that is gone cannot be merged again."""
    root = lay_out(tmp_path, ALIKE)
    done = opened(root).compact(model=ScriptedModel(merge("ines-tea"), merge("ines-tea"), OK))
    assert kinds(done) == ["merged"]
    assert len(done.refused) == 1


# Extraction


def test_an_old_conversation_is_extracted_once(tmp_path: Path) -> None:
    """A new note holds the fact and names the turn; the second run asks nobody."""
    home = with_piano(tmp_path)
    done = home.compact(model=ScriptedModel(add(FACT), OK))
    assert (done.outcome, kinds(done), done.stats.sources) == ("done", ["extracted"], 1)
    text = (tmp_path / PIANO).read_text()
    assert "stage: extracted" in text
    assert 'derived_from: ["transcript:2026-01-05-piano#1"]' in text
    assert f"- {FACT}\n" in text
    assert done.changes[0].evidence[0].quote == SAID
    assert home.compact(model=ScriptedModel()).outcome == "nothing"


def test_without_our_state_the_note_tells_that_it_was_done(tmp_path: Path) -> None:
    """A source that an extracted note names is not extracted again."""
    home = with_piano(tmp_path)
    home.compact(model=ScriptedModel(add(FACT), OK))
    home.store.write_state("compacted", None)
    assert home.compact(model=ScriptedModel()).outcome == "nothing"


def test_what_comes_later_is_extracted_by_itself(tmp_path: Path) -> None:
    """A conversation that went on, and is old again, is extracted from where it was left."""
    home = with_piano(tmp_path)
    home.compact(model=ScriptedModel(add(FACT), OK))
    add_talk(tmp_path, "2026-01-05-piano", SAID, "We moved to Ghent in March.")
    quote = [
        {"conversation": "2026-01-05-piano", "turn": 2, "quote": "We moved to Ghent in March."}
    ]
    model = ScriptedModel(add("Moved to Ghent in March.", quote), OK)
    done = home.compact(model=model)
    assert [change.after for change in done.changes] == ["Moved to Ghent in March."]
    assert SAID not in str(model.requests[0].messages)


@pytest.mark.parametrize(
    "wish",
    [
        add("Ines sold the old piano to Paula."),
        add("Ines sold the old piano for 900 euros."),
        add(FACT, []),
        add(FACT, [{"conversation": "2026-01-05-piano", "turn": 1, "quote": "sold my new piano"}]),
        add(FACT, [{"conversation": "elsewhere", "turn": 1, "quote": SAID}]),
        add("Ines sold [[piano|the old piano]] to Marta."),
        use(call("memory", action="write", target="x", title="X", text=f"- {FACT}")),
    ],
)
def test_a_fact_needs_the_words_that_it_rests_on(tmp_path: Path, wish: Completion) -> None:
    """A value, a quote or a turn that is not there, or another action: refused as in a dream."""
    home = with_piano(tmp_path)
    before = files(tmp_path)
    done = home.compact(model=ScriptedModel(wish, OK))
    assert done.outcome == "nothing"
    assert done.refused
    assert files(tmp_path) == before


def test_what_memory_knows_is_not_extracted(tmp_path: Path) -> None:
    """A fact that stands in a note already is refused."""
    home = with_piano(tmp_path, {"memory/piano.md": f"# Piano\n\n- {FACT}\n"})
    done = home.compact(model=ScriptedModel(add(FACT), OK))
    assert "memory says so already" in done.refused[0].reason


def test_a_doubtful_fact_waits_for_a_person(tmp_path: Path) -> None:
    """What the guard would leave to a person waits as a note of its own."""
    says = {"USER.md": "# User\n\n- Ines sold the old piano to Paula.\n"}
    home = with_piano(tmp_path, says)
    done = home.compact(model=ScriptedModel(add(FACT), OK))
    assert (done.outcome, kinds(done)) == ("proposed", [])
    assert [change.kind for change in done.waiting] == ["extracted"]
    assert "memory says otherwise" in done.waiting[0].why
    home.apply(done.id)
    assert FACT in (tmp_path / PIANO).read_text()


def test_a_raw_note_is_extracted_and_stays(tmp_path: Path) -> None:
    """A daily note gives its facts once, is named as the source, and keeps every byte."""
    daily = "memory/2026-01-02.md"
    said = "Clara moved to Lyon in May 2025."
    root = lay_out(tmp_path, {daily: f"- {said}\n- Rain.\n"})
    before = files(root)[daily]
    home = opened(root)
    model = ScriptedModel(add(said, [{"conversation": daily, "turn": 1, "quote": said}]), OK)
    done = home.compact(model=model)
    assert kinds(done) == ["extracted"]
    text = (root / "memory/extracted-2026-01-02.md").read_text()
    assert "derived_from: [2026-01-02]" in text
    assert files(root)[daily] == before
    assert home.compact(model=ScriptedModel()).outcome == "nothing"


def test_a_young_source_is_left_until_it_is_old(tmp_path: Path) -> None:
    """The age is a setting."""
    home = with_piano(tmp_path, settings="compact: {extract_after: 365d}\n")
    assert home.compact(model=ScriptedModel()).outcome == "nothing"
    later = opened(tmp_path, "2027-02-01T00:00:00Z")
    assert kinds(later.compact(model=ScriptedModel(add(FACT), OK))) == ["extracted"]


# Skills


def test_a_skill_is_a_draft_until_a_person_takes_it(tmp_path: Path) -> None:
    """It waits, names what it was distilled from, and is asked for once."""
    home = with_brew(tmp_path)
    done = home.compact(model=ScriptedModel(draft("1. Boil water.\n2. Wait 3 minutes."), OK))
    assert (done.outcome, kinds(done)) == ("proposed", [])
    assert [change.kind for change in done.waiting] == ["distilled"]
    assert home.compact(model=ScriptedModel()).outcome == "nothing"
    home.apply(done.id)
    text = (tmp_path / "memory/skill-brewing-tea.md").read_text()
    assert "stage: skill" in text
    assert "distilled_from: [brew]" in text
    assert "2. Wait 3 minutes." in text
    home.store.write_state("compacted", None)
    assert home.compact(model=ScriptedModel()).outcome == "nothing"


@pytest.mark.parametrize(
    "wish",
    [
        draft("1. Boil water.\n2. Wait 5 minutes."),
        draft("1. Boil water.\n2. Ask Marta."),
        draft("1. Boil water.\n2. Never wait."),
        draft("```\nrm -rf /\n```\n1. Boil water."),
        draft("1. Boil water, see [[plans]]."),
        draft("1. Boil water.", title="Tea for Marta at 8:15"),
        use(call("memory", action="merge", from_=["brew"], to="plans")),
    ],
)
def test_a_skill_says_nothing_of_its_own(tmp_path: Path, wish: Completion) -> None:
    """A number, a name, a negation, code or a link that the note lacks is refused."""
    home = with_brew(tmp_path)
    done = home.compact(model=ScriptedModel(wish, OK))
    assert (done.outcome, done.waiting) == ("nothing", ())
    assert done.refused


# How a run ends


def test_a_model_that_cannot_be_reached_is_told_and_asked_again(tmp_path: Path) -> None:
    """What was done without it is kept; what it was to do stays due."""
    root = lay_out(tmp_path, ALIKE, {"memory/plans.md": "# Plans\n\n- A garden.\n- A garden.\n"})
    done = opened(root).compact(model=ScriptedModel(Unreachable("no route")))
    assert (done.outcome, done.wrote, kinds(done)) == ("failed", True, ["merged"])
    assert "no route" in done.reply
    assert opened(root).compact(model=ScriptedModel(OK)).stats.clusters == 1


def test_a_spent_budget_ends_it_early_and_the_next_run_goes_on(tmp_path: Path) -> None:
    """What was finished is kept, and the rest is due the next time."""
    more = {
        "memory/tyres.md": "# Tyres\n\n- The winter tyres of the car are in the cellar.\n",
        "memory/cellar.md": "# Cellar\n\n- In the cellar are the winter tyres of the car.\n",
    }
    root = lay_out(tmp_path, ALIKE, more, settings="dream: {budget: {calls: 1}}\n")
    done = opened(root).compact(model=ScriptedModel(OK))
    assert (done.outcome, done.stats.model_calls) == ("partial", 1)
    assert opened(root).compact(model=ScriptedModel(OK)).stats.model_calls == 1
    assert opened(root).compact(model=ScriptedModel()).outcome == "nothing"


def test_a_dry_run_with_a_model_keeps_nothing(tmp_path: Path) -> None:
    """It asks, shows what would come of it, and leaves all as it was, our own state included."""
    home = with_piano(tmp_path)
    before = files(tmp_path)
    assert kinds(home.compact(model=ScriptedModel(add(FACT), OK), dry_run=True)) == ["extracted"]
    assert files(tmp_path) == before
    assert home.store.read_state("compacted") is None
    assert not list((home.store.state / "runs").glob("*"))


def test_after_an_offline_run_a_model_looks_at_all_of_it(tmp_path: Path) -> None:
    """What was only proposed waits still; other clusters are put to the model that is new."""
    home = opened(lay_out(tmp_path, ALIKE))
    home.discard(home.compact().id)
    done = home.compact(model=ScriptedModel(merge("ines-tea"), OK))
    assert done.outcome == "nothing"
    assert "taken back" in done.refused[0].reason
