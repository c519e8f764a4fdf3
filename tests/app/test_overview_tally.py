"""The tally that an overview keeps: it never says anything but what looking anew would say."""

from __future__ import annotations

import json
import shutil
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from generated_homes import homes
from hypothesis import given, settings
from hypothesis import strategies as st
from small_homes import CLOCK, make_home, write_files

from toolnexus.app import Home
from toolnexus.app.overview import Overview, overview_of
from toolnexus.app.tally import STATE, tally_of
from toolnexus.errors import UsageError
from toolnexus.evolve.facts import NoteFacts, facts_of, from_rows, to_rows
from toolnexus.home.ripening import STABILITIES, STAGES, Ripening

FILES = {
    "SOUL.md": "You are Ava.\n",
    "MEMORY.md": "- Tea: [[tea]] [[nowhere]]\n",
    "memory/tea.md": "---\nstage: raw\ncreated: 2026-01-01\n---\n- Green.\n",
    "memory/cup.md": "---\ncreated: 2026-01-01\n---\n1. Fill it.\n2. Drink. [[tea]]\n",
    "memory/fact.md": "---\nstage: extracted\nderived_from: [x]\n---\n- Hot. [[cup]]\n",
    "transcripts/t.jsonl": '{"role":"user","content":"The tea is green.","id":"a"}\n',
}


@pytest.fixture
def ava(tmp_path: Path) -> Home:
    """Return a home that was looked at before."""
    home = make_home(tmp_path / "ava", FILES)
    home.overview()
    return home


def fresh(root: Path) -> Overview:
    """Look at a home of which nothing was kept: at a copy, with what the state folder knows."""
    with TemporaryDirectory() as folder:
        copy = Path(folder) / root.name
        shutil.copytree(root, copy, symlinks=True)
        (copy / ".toolnexus" / "state" / f"{STATE}.json").unlink(missing_ok=True)
        return Home.open(copy, clock=CLOCK).overview()


def looked(root: Path) -> Overview:
    """Look at a home in a process of its own, as it were."""
    return overview_of(Home.open(root, clock=CLOCK))


CHANGES: dict[str, dict[str, str]] = {
    "a note changes": {"memory/tea.md": "- Green, no sugar. [[gone]]\n"},
    "a note comes": {"memory/archive/old.md": "- Old.\n"},
    "a soul file changes": {"MEMORY.md": "- [[tea]]\n- [[tea]]\n- [[lost]]\n"},
    "a turn comes": {"transcripts/t.jsonl": FILES["transcripts/t.jsonl"] * 2},
    "a conversation comes": {"transcripts/x.jsonl": '{"role":"user","content":"Hi."}\n'},
    "a transcript is torn": {"transcripts/t.jsonl": '{"role":\n'},
    "settings change": {"persona.yaml": "memory: {cap: {lines: 1}}\nevolve: {faded_below: 0.9}\n"},
    "settings are wrong": {"persona.yaml": "what: 1\n"},
    "a basis is found": {"memory/x.md": "- The ground. [[fact]]\n"},
    "an asset comes": {"memory/plan.png": "no picture"},
    "a file is no text": {"memory/bad.md": "\udcff"},
}


@pytest.mark.parametrize("change", CHANGES)
def test_whatever_changes_is_seen(ava: Home, change: str):
    """After any change an overview says what one says that has kept nothing."""
    for path, text in CHANGES[change].items():
        (ava.root / path).parent.mkdir(exist_ok=True, parents=True)
        (ava.root / path).write_bytes(text.encode("utf-8", "surrogateescape"))
    assert looked(ava.root) == fresh(ava.root)


def test_what_our_own_commands_change_is_seen(ava: Home):
    """Renames, feedback, new claims, dreams and reverts show at once."""
    ava.rename("cup", "mug")
    assert looked(ava.root) == fresh(ava.root)
    ava.feedback("tea", -1, "it was black")
    assert looked(ava.root) == fresh(ava.root)
    assert looked(ava.root).ripening.review == 1
    kept = ava.remember("Likes tea: [[mugg]]")
    ava.dream(model="none")
    assert looked(ava.root) == fresh(ava.root)
    ava.revert(kept.id)
    assert looked(ava.root) == fresh(ava.root)


def test_a_scope_is_counted_by_itself(ava: Home):
    """In a scope only its own notes, claims, links and findings are counted."""
    write_files(
        ava.root,
        {"memory/a/x.md": "- One. [[tea]]\n- Two. [[lost]]\n", "memory/ab/y.md": "- Three.\n"},
    )
    seen = ava.overview(scope="a")
    assert (seen.notes, seen.claims, seen.links, seen.broken_links) == (1, 2, 2, 1)
    assert seen.ripening.stages == {"raw": 0, "extracted": 0, "knowledge": 1, "skill": 0}
    assert seen.findings == {"error": 1, "warning": 1, "info": 0}
    assert ava.overview().notes == 5
    with pytest.raises(UsageError):
        ava.overview(scope="b")


def test_an_unchanged_home_is_not_read_again(ava: Home, monkeypatch: pytest.MonkeyPatch):
    """Where nothing changed, no document is looked at."""

    def unwanted(*_: object) -> None:
        raise AssertionError("a document was looked at")

    monkeypatch.setattr("toolnexus.app.tally._made", unwanted)
    assert looked(ava.root) == ava.overview()
    write_files(ava.root, {"memory/new.md": "- New.\n"})
    with pytest.raises(AssertionError, match="looked at"):
        looked(ava.root)


@pytest.mark.parametrize(
    "damage",
    [
        lambda kept: {**kept, "tally": kept["tally"][:-5]},
        lambda kept: {**kept, "tally": "[]"},
        lambda kept: {"key": kept["key"]},
        lambda kept: {**kept, "tally": json.dumps({**json.loads(kept["tally"]), "facts": [[1]]})},
        lambda kept: {**kept, "tally": json.dumps({**json.loads(kept["tally"]), "counts": "x"})},
        lambda _kept: [],
    ],
)
def test_a_damaged_tally_is_made_again(ava: Home, damage: Any):
    """What is kept may be torn, cut or another's: then it is not believed."""
    ava.store.write_state(STATE, damage(ava.store.read_state(STATE)))
    assert looked(ava.root) == fresh(ava.root)


def test_a_home_that_cannot_be_written_is_looked_at_all_the_same(
    ava: Home, monkeypatch: pytest.MonkeyPatch
):
    """Where a tally cannot be kept, the overview is made without."""
    from toolnexus.errors import DiskError

    def full(*_: object, **__: object) -> None:
        raise DiskError("the disk is full")

    write_files(ava.root, {"memory/new.md": "- New.\n"})
    monkeypatch.setattr("toolnexus.store.door.Store.write_state", full)
    assert ava.overview().notes == 4


@pytest.mark.slow
@settings(max_examples=15)
@given(homes())
def test_generated_homes_are_told_the_same_twice(home: Any):
    """Whatever people write, what is kept of it says the same as what was made."""
    with TemporaryDirectory() as folder:
        files = {path: home.text(path) for path in home.notes}
        opened = make_home(Path(folder) / "ava", {"SOUL.md": "Ava.\n", **files})
        snapshot = opened.read()
        made = tally_of(opened, snapshot)
        assert tally_of(Home.open(opened.root, clock=CLOCK), snapshot) == made
        assert tuple(from_rows(json.loads(json.dumps(to_rows(facts_of(snapshot)))))) == made.facts


instants = st.none() | st.integers(0, 4 * 10**9).map(lambda at: datetime.fromtimestamp(at, UTC))


@given(
    st.builds(
        NoteFacts,
        st.text(max_size=9),
        st.builds(
            Ripening,
            st.sampled_from(STAGES),
            st.sampled_from(STABILITIES),
            is_proposed=st.booleans(),
            is_archived=st.booleans(),
            created=instants,
            updated=instants,
        ),
        st.booleans(),
        instants,
        st.booleans(),
        st.booleans(),
    )
)
def test_facts_are_read_back_as_they_were_written(facts: NoteFacts):
    """No fact changes on its way through JSON."""
    assert list(from_rows(json.loads(json.dumps(to_rows([facts]))))) == [facts]
