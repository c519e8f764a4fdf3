"""Ripening: what front matter says of a note's stage, stability, confidence and grounds."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolnexus.home.checks import check
from toolnexus.home.layout import LAYOUTS
from toolnexus.home.ripening import LINK_KINDS, Ripening, ripening_of, ripening_problems
from toolnexus.home.snapshot import Snapshot

if TYPE_CHECKING:
    from toolnexus.home.note import Note


def note_of(front: str = "", path: str = "memory/tea.md") -> Note:
    """Return a note with this front matter."""
    text = f"---\n{front}---\n- Green.\n" if front else "- Green.\n"
    return Snapshot(name="ava").with_texts({path: text}).notes[path]


def ripe(front: str = "", path: str = "memory/tea.md") -> Ripening:
    """Return how ripe such a note is."""
    return ripening_of(note_of(front, path))


def findings(front: str) -> list[tuple[int, str, str]]:
    """Check a home with such a note; return line, message and hint of what is wrong with it."""
    texts = {"MEMORY.md": "- [[tea]]\n", "memory/tea.md": f"---\n{front}---\n- Green.\n"}
    found = check(Snapshot(name="ava").with_texts(texts))
    assert {each.rule for each in found} <= {"bad-front-matter"}
    assert {each.severity for each in found} <= {"warning"}
    return [(each.line, each.message, each.hint) for each in found]


def test_nothing_said_is_knowledge():
    """A note without front matter is knowledge, stable, live and rests on nothing."""
    assert ripe() == ripe("title: Tea\n") == Ripening()


def test_sources_are_raw():
    """Daily notes, and notes that no dream may touch, are raw until they say otherwise."""
    assert ripe(path="memory/2026-03-14.md").stage == "raw"
    assert ripe("dream: false\n").stage == "raw"
    assert ripe("dream: false\nstage: skill\n").stage == "skill"


def test_stability_hangs_on_the_stage():
    """What was extracted is transient, skills and soul files permanent, the rest stable."""
    said = {stage: ripe(f"stage: {stage}\n").stability for stage in ("raw", "extracted", "skill")}
    assert said == {"raw": "stable", "extracted": "transient", "skill": "permanent"}
    assert ripe("stage: skill\nstability: ephemeral\n").stability == "ephemeral"
    assert ripe(path="USER.md").stability == "permanent"


def test_every_field_is_read():
    """All that front matter may say is read, folded and in UTC."""
    front = (
        "stage: Extracted\nstability: STABLE\nstatus: Proposed\nconfidence: 0.35\n"
        "created: 2026-03-01\nupdated: 2026-03-02T01:00:00+01:00\n"
        'derived_from: [tea.md, "transcript:trip#4"]\n'
    )
    assert ripe(front) == Ripening(
        "extracted",
        "stable",
        is_proposed=True,
        confidence=0.35,
        links={"derived_from": ("tea", "transcript:trip#4")},
        created=datetime(2026, 3, 1, tzinfo=UTC),
        updated=datetime(2026, 3, 2, tzinfo=UTC),
    )


@pytest.mark.parametrize(
    "written", ["tea", "[tea]", '"[[tea]]"', "[[tea]]", '["[[tea|my tea]]", tea]', "\n  - tea.md"]
)
def test_links_are_read_however_people_write_them(written: str):
    """A slug, a list, wiki brackets and YAML's own reading of them all name one note."""
    assert ripe(f"supported_by: {written}\n").links == {"supported_by": ("tea",)}


def test_the_archive_is_one_folder():
    """Only what lies in `archive` beside the other notes is archived."""
    assert ripe(path="memory/archive/tea.md").is_archived
    assert ripe(path="memory/archive/2025/tea.md").is_archived
    assert not ripe(path="memory/archives/tea.md").is_archived
    assert not ripe(path="memory/tea/archive/tea.md").is_archived
    vault = Snapshot(name="ava", layout=LAYOUTS["vault"]).with_texts({"archive/tea.md": ""})
    assert ripening_of(vault.notes["archive/tea.md"]).is_archived


@pytest.mark.parametrize(
    ("front", "line", "said", "hint"),
    [
        ("stage: knowlege\n", 2, "raw, extracted, knowledge or skill", "did you mean 'knowledge'?"),
        ("title: T\nstage: 7\n", 3, "'stage' should be", "write one of"),
        ("stability: for ever\n", 2, "permanent, stable", "write one of"),
        ("confidence: 1.5\n", 2, "from 0 to 1", "confidence: 0.8"),
        ("confidence: .nan\n", 2, "from 0 to 1", "confidence: 0.8"),
        ("confidence: true\n", 2, "from 0 to 1", "confidence: 0.8"),
        ("created: yesterday\n", 2, "a date", "created: 2026-03-01"),
        ("updated: 2026-02-30\n", 2, "a date", "updated: 2026-03-01"),
        ("derived_from: {tea: 1}\n", 2, "a list of notes", "derived_from: [travel"),
        ("refuted_by: [{tea: 1}]\n", 2, "a list of notes", "refuted_by: [travel"),
    ],
)
def test_bad_values_are_told_and_count_as_absent(front: str, line: int, said: str, hint: str):
    """Each gives one warning with its line and what to write, and is read as if it were absent."""
    [(found_line, message, found_hint)] = findings(front)
    assert found_line == line
    assert said in message
    assert hint in found_hint
    assert ripe(front) == Ripening()


def test_good_values_are_no_findings():
    """A note that says everything as it should has nothing wrong with it."""
    assert findings("stage: raw\nstability: stable\nconfidence: 1\ncreated: 2026-03-01\n") == []
    assert findings("status: done\nderived_from: []\nsupported_by: [tea]\n") == []


values = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=20)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=3), inner, max_size=2)
    ),
    max_leaves=6,
)
KEYS = ["stage", "stability", "status", "confidence", "created", "updated", *LINK_KINDS]


@given(st.dictionaries(st.sampled_from(KEYS), values, max_size=6))
def test_no_front_matter_breaks_the_reader(fields: dict[str, object]):
    """Whatever YAML may give is read, or is a problem that names its key; never an error."""
    note = note_of()
    front = replace(note.document.front, fields=fields)
    note = replace(note, document=replace(note.document, front=front))
    found = ripening_of(note)
    assert found.confidence is None or 0 <= found.confidence <= 1
    assert all(links and all(links) for links in found.links.values())
    assert {problem.key for problem in ripening_problems(note)} <= fields.keys()
