"""Compacting a home without a model: folded, proposed, archived, listed as due."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from compacting_homes import ALIKE, FADED, STEPS, add_talk, files, kinds, lay_out, opened

from toolnexus.errors import LockedError, UsageError
from toolnexus.store.uses import Use

if TYPE_CHECKING:
    from pathlib import Path

    from toolnexus.app import Home

ARCHIVED = "memory/archive/bike.md"


def test_a_home_with_nothing_to_compact_stays_byte_for_byte(tmp_path: Path) -> None:
    """Nothing is written, and the reply says so."""
    root = lay_out(tmp_path, {"memory/plans.md": "# Plans\n\n- A garden.\n"})
    before = files(root)
    done = opened(root).compact()
    assert (done.outcome, done.wrote, done.reply) == ("nothing", False, "nothing to compact")
    assert files(root) == before


def test_same_notes_and_claims_are_folded(tmp_path: Path) -> None:
    """What says the same about the same becomes one at once, without a model."""
    twice = {"memory/plans-2.md": "# Plans\n\n- A garden.\n"}
    once = {"memory/plans.md": "# Plans\n\n- A garden.\n- A garden.\n"}
    root = lay_out(tmp_path, once, twice)
    done = opened(root).compact()
    assert (done.outcome, kinds(done)) == ("done", ["merged", "merged"])
    assert "memory/plans-2.md" not in files(root)
    assert (root / "memory/plans.md").read_text().count("garden") == 1


def test_near_duplicates_wait_for_a_person_without_a_model(tmp_path: Path) -> None:
    """They are proposed, not merged; applied, one note of knowledge holds all and says of what."""
    root = lay_out(tmp_path, ALIKE, {"memory/plans.md": "# Plans\n\n- A garden.\n"})
    before = files(root)
    home = opened(root)
    done = home.compact()
    assert (done.outcome, done.wrote, kinds(done)) == ("proposed", False, [])
    assert files(root) == before
    assert [(change.kind, change.path, change.to) for change in done.waiting] == [
        ("merged", "memory/ines-tea.md", "memory/tea.md")
    ]
    assert "cosine" in done.waiting[0].why
    home.apply(done.id)
    text = (root / "memory/tea.md").read_text()
    assert "merged_from: [ines-tea]" in text
    assert "Ines drinks green tea in the morning." in text
    assert "In the morning Ines drinks green tea." in text


@pytest.mark.parametrize(
    "other",
    [
        "In the morning Ines drinks 3 green teas.",
        "In the morning Ines never drinks green tea.",
        "In the morning Clara drinks green tea.",
        "In the morning Ines drinks green tea since 3 May.",
    ],
)
def test_values_that_differ_keep_notes_apart(tmp_path: Path, other: str) -> None:
    """A number, a negation, a name or a date more or less: however near, they are not proposed."""
    texts = {**ALIKE, "memory/ines-tea.md": f"# Ines and tea\n\n- {other}\n"}
    assert opened(lay_out(tmp_path, texts)).compact().waiting == ()


def test_notes_of_two_folders_stay_apart(tmp_path: Path) -> None:
    """A scope does not read its sibling: what lies in two folders is never held together."""
    texts = {path.replace("memory/ines", "memory/people/ines"): t for path, t in ALIKE.items()}
    assert opened(lay_out(tmp_path, texts)).compact().waiting == ()


def test_pinned_raw_and_skill_notes_are_never_near(tmp_path: Path) -> None:
    """A pin, a raw note and a skill keep two notes from becoming one."""
    tea = ALIKE["memory/tea.md"]
    pinned = tea.replace("morning.", "morning. <!-- keep -->")
    texts = (f"---\nstage: raw\n---\n{tea}", f"---\nstage: skill\n---\n{tea}", pinned)
    for number, text in enumerate(texts):
        root = lay_out(tmp_path / str(number), {**ALIKE, "memory/tea.md": text})
        assert opened(root).compact().waiting == (), text


def test_a_cluster_that_was_discarded_is_not_proposed_again(tmp_path: Path) -> None:
    """A person's no is remembered, also when all notes are looked at anew."""
    root = lay_out(tmp_path, ALIKE)
    home = opened(root)
    home.discard(home.compact().id)
    assert home.compact().waiting == ()
    home.store.write_state("compacted", None)
    assert home.compact().waiting == ()


def test_a_cluster_that_waits_is_not_proposed_twice(tmp_path: Path) -> None:
    """While it waits, it is left alone, also when all notes are looked at anew."""
    home = opened(lay_out(tmp_path, ALIKE))
    home.compact()
    home.store.write_state("compacted", None)
    assert home.compact().outcome == "nothing"
    assert len(home.proposals()) == 1


def test_a_faded_note_goes_into_the_archive_and_links_follow(tmp_path: Path) -> None:
    """It is moved byte for byte, logged, and found under its name; MEMORY.md's notes stay."""
    root = lay_out(tmp_path, FADED)
    before = files(root)
    home = opened(root)
    done = home.compact()
    assert [(change.kind, change.path, change.to) for change in done.changes] == [
        ("archived", "memory/bike.md", ARCHIVED)
    ]
    assert (root / ARCHIVED).read_bytes() == before["memory/bike.md"]
    assert f"archived memory/bike.md → {ARCHIVED}" in (root / "memory/log.md").read_text()
    assert not [found for found in home.check() if found.rule in {"broken-link", "orphan"}]
    assert not [hit for hit in home.search("bike blue").hits if "bike" in hit.path]


@pytest.mark.parametrize(
    "front",
    [
        "created: 2026-11-20",
        "created: 2024-01-01\nupdated: 2026-11-20",
        "created: 2024-01-01\nstability: permanent",
        "created: 2024-01-01\nstage: skill",
        "title: Bike",
    ],
)
def test_what_is_young_permanent_a_skill_or_undated_stays(tmp_path: Path, front: str) -> None:
    """None of these is archived, however long nobody asked for it."""
    note = {"memory/bike.md": f"---\n{front}\n---\n# Bike\n\n- It was blue.\n"}
    assert kinds(opened(lay_out(tmp_path, FADED, note)).compact()) == []


def test_a_pinned_claim_keeps_its_note_out_of_the_archive(tmp_path: Path) -> None:
    """What a person pinned stays where it is."""
    pinned = FADED["memory/bike.md"].replace("blue.", "blue. <!-- keep -->")
    assert kinds(opened(lay_out(tmp_path, FADED, {"memory/bike.md": pinned})).compact()) == []


def test_use_keeps_a_note_and_brings_none_back(tmp_path: Path) -> None:
    """Praise before it fades keeps it; praise for an archived note leaves it where it is."""
    kept = opened(lay_out(tmp_path / "kept", FADED))
    kept.feedback("bike", 1)
    assert kinds(kept.compact()) == []
    gone = opened(lay_out(tmp_path / "gone", FADED))
    assert kinds(gone.compact()) == ["archived"]
    gone.feedback("bike", 1)
    assert gone.compact().outcome == "nothing"
    assert (tmp_path / "gone" / ARCHIVED).is_file()


def test_a_note_that_was_brought_back_stays(tmp_path: Path) -> None:
    """After a rename, or after the archiving was reverted, it is not archived again."""
    renamed = opened(lay_out(tmp_path / "renamed", FADED))
    renamed.compact()
    renamed.rename("bike", "bike")
    assert (tmp_path / "renamed/memory/bike.md").is_file()
    assert renamed.compact().outcome == "nothing"
    before = files(lay_out(tmp_path / "reverted", FADED))
    reverted = opened(tmp_path / "reverted")
    reverted.compact()
    reverted.revert("last")
    assert files(tmp_path / "reverted")["memory/bike.md"] == before["memory/bike.md"]
    assert ARCHIVED not in files(tmp_path / "reverted")
    assert reverted.compact().outcome == "nothing"


def test_old_sources_and_good_procedures_are_listed_as_due(tmp_path: Path) -> None:
    """Without a model they are told, and nothing is made of them."""
    daily = {"memory/2026-01-02.md": "- Rain.\n", "memory/2026-11-29.md": "- Sun.\n"}
    root = lay_out(tmp_path, daily, {"memory/brew.md": STEPS})
    add_talk(root, "2026-01-05-piano", "I sold my piano.")
    add_talk(root, "2026-11-29-tuba", "I bought a tuba.", day="2026-11-29")
    home = opened(root)
    home.feedback("brew", 0.5)
    _use(home, "memory/brew.md", 5)
    done = home.compact()
    assert [(due.kind, due.refs) for due in done.due] == [
        ("extract", ("transcript:2026-01-05-piano",)),
        ("extract", ("memory/2026-01-02.md",)),
        ("distil", ("memory/brew.md",)),
    ]
    assert done.outcome == "nothing"


def _use(home: Home, path: str, times: int) -> None:
    home.uses.append(*(Use(path, home.clock.now()) for _ in range(times)))


def test_a_dry_run_decides_all_and_keeps_nothing(tmp_path: Path) -> None:
    """No file changes, nothing waits, and the run after it does what was shown."""
    root = lay_out(tmp_path, ALIKE, FADED)
    before = files(root)
    home = opened(root)
    shown = home.compact(dry_run=True)
    assert (shown.outcome, shown.wrote) == ("dry-run", False)
    assert files(root) == before
    assert home.proposals() == []
    assert home.store.read_state("compacted") is None
    done = home.compact()
    assert done.changes == shown.changes
    assert done.waiting == shown.waiting


def test_twice_is_once(tmp_path: Path) -> None:
    """A second run changes no file, not even when it was written."""
    root = lay_out(tmp_path, ALIKE, FADED, {"memory/2026-01-02.md": "- Rain.\n"})
    opened(root).compact()
    before = {path: path.stat().st_mtime_ns for path in root.rglob("*.md")}
    done = opened(root).compact()
    assert (done.outcome, done.changes, done.waiting) == ("nothing", (), ())
    assert {path: path.stat().st_mtime_ns for path in root.rglob("*.md")} == before


def test_a_scope_is_all_that_changes(tmp_path: Path) -> None:
    """Notes outside of the folder stay as they are; a folder that is not there is an error."""
    work = {"memory/work/saw.md": "---\ncreated: 2024-01-01\n---\n# Saw\n\n- It was red.\n"}
    root = lay_out(tmp_path, FADED, work)
    done = opened(root).compact(scope="work")
    assert {change.path for change in done.changes} == set(work)
    assert (root / "memory/bike.md").is_file()
    with pytest.raises(UsageError):
        opened(root).compact(scope="wor")


def test_two_at_once_exclude_each_other(tmp_path: Path) -> None:
    """While one is under way another one is refused, and nothing happens."""
    home = opened(lay_out(tmp_path, FADED))
    with home.store.hold("compact"), pytest.raises(LockedError):
        home.compact()


def test_last_means_a_compaction_as_well(tmp_path: Path) -> None:
    """`revert last` takes back the newest pass, be it a dream or a compaction."""
    root = lay_out(tmp_path, FADED)
    home = opened(root)
    done = home.compact()
    assert home.log()[-1].id == done.id
    home.revert("last")
    assert (root / "memory/bike.md").is_file()


def test_a_damaged_memory_of_what_was_looked_at_is_forgotten(tmp_path: Path) -> None:
    """Whatever stands in the state file, a run works as if it were the first."""
    home = opened(lay_out(tmp_path, FADED))
    for value in ([], {"rules": 1, "near": [], "distilled": 3, "learnt": {"notes": "x"}}, "x"):
        home.store.write_state("compacted", value)
        assert home.compact(dry_run=True).changes
