"""Archival: how much goes into the archive at once, what stays, and that all tell it alike."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from compacting_homes import FADED, add_talk, files, kinds, lay_out, opened

from toolnexus.evolve.plugs.markdown import MarkdownFolder

if TYPE_CHECKING:
    from pathlib import Path

    from toolnexus.app import Home

OLD = "---\ncreated: 2025-06-01\n---\n"
VAULT = {
    f"memory/{name}.md": f"{OLD}# {name}\n\n- My {name} is in the [[car]].\n"
    for name in ("taxes", "passport", "allergies")
} | {"memory/car.md": f"{OLD}# Car\n\n- It is blue.\n"}
YOUNG = {
    f"memory/young-{number}.md": f"# Young {number}\n\n- It has no age.\n" for number in range(6)
}


def test_a_compaction_does_not_empty_a_memory(tmp_path: Path) -> None:
    """What would be too much at once waits with its reason, and nothing is archived."""
    root = lay_out(tmp_path, VAULT)
    before = files(root)
    home = opened(root)
    shown = home.compact(dry_run=True)
    done = home.compact()
    assert (done.outcome, done.wrote, kinds(done)) == ("proposed", False, [])
    assert {change.path for change in done.waiting} == set(VAULT)
    assert shown.waiting == done.waiting
    reason = "it would archive 4 of 4 live notes at once, more than dream.max_change (0.3) allows"
    assert {change.reason for change in done.waiting} == {reason}
    assert home.proposals()[0].reason == reason
    assert files(root) == before


def test_what_waits_for_the_archive_waits_once(tmp_path: Path) -> None:
    """Twice is once, also for a note without a claim; discarded, it is not proposed again."""
    bare = {"memory/bare.md": f"{OLD}# Nothing\n"}
    home = opened(lay_out(tmp_path, VAULT, bare))
    first = home.compact()
    assert home.compact().outcome == "nothing"
    assert len(home.proposals()) == 1
    home.discard(first.id)
    assert home.compact().outcome == "nothing"


def test_what_a_merge_waits_for_is_not_archived(tmp_path: Path) -> None:
    """A faded note that another is proposed to be merged into stays, and the proposal fits."""
    tea = "In the morning Ines drinks green tea."
    alike = {
        "memory/tea.md": f"{OLD}# Tea\n\n- {tea}\n",
        "memory/ines-tea.md": f"{OLD}# Tea of Ines\n\n- Ines drinks green tea in the morning.\n",
    }
    root = lay_out(tmp_path, alike)
    home = opened(root)
    done = home.compact()
    assert (done.outcome, kinds(done)) == ("proposed", [])
    [change] = done.waiting
    assert home.compact().outcome == "nothing"
    home.apply(done.id)
    assert not (root / change.path).exists()
    assert (root / change.to).read_text().count("green tea") >= 2


def test_each_note_that_waits_is_decided_on_by_itself(tmp_path: Path) -> None:
    """One is taken and the others go on waiting; then all of them, and every link leads on."""
    root = lay_out(tmp_path, VAULT, {"MEMORY.md": "# Memory\n"})
    home = opened(root)
    done = home.compact()
    number = 1 + [change.path for change in done.waiting].index("memory/car.md")
    home.apply(done.id, [number])
    assert (root / "memory/archive/car.md").is_file()
    assert (root / "memory/taxes.md").is_file()
    home.apply(done.id)
    assert not (root / "memory/taxes.md").exists()
    assert not [found for found in home.check() if found.rule == "broken-link"]


@pytest.mark.parametrize(("share", "archived"), [("0.3", 3), ("0.2", 0), ("0.1", 0)])
def test_the_share_is_a_setting(tmp_path: Path, share: str, archived: int) -> None:
    """Of ten live notes three may go at .3; daily notes do not count."""
    three = {path: text for path, text in VAULT.items() if path != "memory/car.md"}
    more = {"memory/young-6.md": "# Young 6\n\n- It has no age.\n"}
    daily = {f"memory/2026-11-{day}.md": "- Rain.\n" for day in range(10, 20)}
    settings = f"dream: {{max_change: {share}}}\n"
    root = lay_out(tmp_path, three, YOUNG, more, daily, settings=settings)
    (root / "MEMORY.md").write_text("# Memory\n")
    assert len(kinds(opened(root).compact())) == archived


def test_one_note_may_always_go(tmp_path: Path) -> None:
    """However few notes there are."""
    root = lay_out(tmp_path, FADED)
    assert kinds(opened(root).compact()) == ["archived"]


@pytest.mark.parametrize(
    ("linking", "stays"),
    [
        ({"memory/new.md": "---\ncreated: 2026-11-01\n---\n# New\n\n- See [[bike]].\n"}, True),
        ({"memory/undated.md": "# Undated\n\n- See [[bike]].\n"}, True),
        ({"memory/2026-11-29.md": "- I rode the [[bike]].\n"}, True),
        ({"memory/2024-11-29.md": "- I rode the [[bike]].\n"}, False),
        ({"memory/guess.md": "---\nstatus: proposed\n---\n# Guess\n\n- [[bike]].\n"}, False),
        ({"memory/archive/old.md": "# Old\n\n- See [[bike]].\n"}, False),
    ],
)
def test_a_link_of_a_live_note_keeps_a_note(
    tmp_path: Path, linking: dict[str, str], stays: bool
) -> None:
    """A note that has not faded, and a daily note of late, keep what they link to."""
    home = opened(lay_out(tmp_path, FADED, linking))
    assert home.overview().ripening.faded == (not stays)
    assert kinds(home.compact()) == ([] if stays else ["archived"])


def _due(home: Home) -> tuple[int, int, int]:
    """Return how many notes and conversations are to be extracted, and archived, by overview."""
    seen = home.overview().ripening
    return seen.extraction, seen.talks, seen.faded


@pytest.mark.slow
def test_overview_and_compact_tell_the_same(tmp_path: Path) -> None:
    """Old conversations are due as well as notes; what waits or was brought back no more is."""
    daily = {"memory/2026-01-02.md": "- Rain.\n", "memory/2026-11-29.md": "- Sun.\n"}
    root = lay_out(tmp_path, VAULT, FADED, daily)
    for name in ("2026-01-05-piano", "2026-01-06-tuba"):
        add_talk(root, name, "I sold it.")
    add_talk(root, "2026-11-29-oboe", "I bought it.", day="2026-11-29")
    home = opened(root)
    assert _due(home) == (1, 2, 5)
    done = home.compact()
    assert [len(due.refs) for due in done.due if due.kind == "extract"] == [1, 1, 1]
    assert len(done.waiting) == 5
    assert _due(home) == (1, 2, 0)
    applied = home.apply(done.id)
    home.revert(applied.id)
    assert _due(home) == (1, 2, 0)


@pytest.mark.slow
def test_what_was_brought_back_is_not_for_the_archive(tmp_path: Path) -> None:
    """Neither after a revert nor after a rename does the overview count it."""
    for way in ("reverted", "renamed"):
        home = opened(lay_out(tmp_path / way, FADED))
        assert home.overview().ripening.faded == 1
        home.compact()
        if way == "reverted":
            home.revert("last")
        else:
            home.rename("bike", "bike")
        assert home.overview().ripening.faded == 0, way


def test_what_was_plugged_in_is_new_when_it_comes(tmp_path: Path) -> None:
    """Made elsewhere long ago, it does not fade at once; the same again writes nothing."""
    root = lay_out(tmp_path, YOUNG)
    vault = tmp_path.parent / f"{tmp_path.name}-vault"
    vault.mkdir()
    (vault / "garden.md").write_text(f"{OLD}# Garden\n\n- Beans grow there.\n")
    home = opened(root)
    home.plug(MarkdownFolder(vault))
    text = next(root.rglob("garden.md")).read_text()
    assert "created: 2025-06-01\nupdated: 2026-11-30\n" in text
    assert kinds(opened(root).compact()) == []
    later = opened(root, "2026-12-20T08:00:00Z")
    later.store.write_state("plug-markdown", None)
    later.plug(MarkdownFolder(vault))
    assert next(root.rglob("garden.md")).read_text() == text
    assert kinds(opened(root, "2027-11-30T08:00:00Z").compact()) == ["archived"]


def test_a_search_tells_what_it_leaves_in_the_archive(tmp_path: Path) -> None:
    """Where little is found, it says how much more there is, and nothing where all was searched."""
    home = opened(lay_out(tmp_path, FADED))
    home.compact()
    told = "1 more in the archive: --archived"
    assert home.search("bike blue").notices == (told,)
    assert home.search("bike blue", archived=True).notices == ()
    assert home.search("bike blue", k=1).notices == ()


def test_a_proposed_note_comes_after_a_fact(tmp_path: Path) -> None:
    """A guess that says it in the very words of the query comes after the note that knows it."""
    fact = "# Anna\n\n- Anna likes the blue bike and rides it to work.\n"
    guess = "---\nstatus: proposed\n---\n# Anna bike\n\n- Anna bike.\n"
    root = lay_out(tmp_path, {"memory/anna.md": fact, "memory/guess.md": guess})
    hits = opened(root).search("anna bike").hits
    assert [hit.path for hit in hits][:2] == ["memory/anna.md", "memory/guess.md"]
    assert [hit.weight.stage_weight for hit in hits][:2] == [0.9, 0.45]


def test_an_archiving_that_is_undone_is_told_as_notes_brought_back(tmp_path: Path) -> None:
    """Neither the result nor the log tells claims or front matter as dropped and added."""
    home = opened(lay_out(tmp_path, FADED))
    home.compact()
    undone = home.revert("last").undone
    assert [(change.kind, change.path, change.to) for change in undone] == [
        ("renamed", "memory/archive/bike.md", "memory/bike.md")
    ]
    log = (tmp_path / "memory/log.md").read_text()
    assert "  - renamed memory/archive/bike.md → memory/bike.md\n" in log
    assert "---" not in log
