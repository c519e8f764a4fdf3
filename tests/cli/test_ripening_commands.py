"""The commands of a memory that ripens: what they print, and how they end."""

from __future__ import annotations

import pytest

FILES = {
    "SOUL.md": "You are Bo.\n",
    "MEMORY.md": "- Tea in the evening: [[tea]] [[guess]] [[diary]] [[steps]]\n",
    "memory/tea.md": "---\nstage: raw\ncreated: 2026-01-01\n---\n- Green tea steeps two minutes.\n",
    "memory/twin.md": "---\ntitle: tea\n---\n- Green tea steeps two minutes.\n",
    "memory/guess.md": (
        "---\nstatus: proposed\nstage: extracted\ntags: [dreamed]\ncreated: 2026-11-01\n---\n"
        "- Green tea may go with rain.\n"
    ),
    "memory/faint.md": "---\ncreated: 2025-12-01\n---\n- Green tea was dear once. [[wish]]\n",
    "memory/wish.md": "---\nstatus: proposed\n---\n- Green tea for all. [[tea]]\n",
    "memory/2026-11-20.md": "- Rained, drank green tea.\n",
    "memory/archive/old.md": "- Once drank black tea.\n",
}
NOW = "2026-11-29T03:00:00Z"


@pytest.fixture
def bo(shell) -> str:
    """Write a home whose notes are of all stages."""
    for path, text in FILES.items():
        shell.write(f"bo/{path}", text)
    return "bo"


def test_feedback_tells_what_it_came_to(shell, bo):
    """Its result is one line, or one document, and says whether a review is due."""
    told = shell.run("feedback", bo, "twin", "0.5", "--reason", "it was right")
    assert (told.code, told.out) == (0, "bo/memory/twin.md: +0.5, its boost is 1.5\n")
    told = shell.run("feedback", bo, "tea", "-1")
    assert told.out == "bo/memory/tea.md: -1, its boost is 0.1; it needs review\n"
    assert shell.run("feedback", bo, "tea", "-0.5", "--json").document == {
        "schema": "toolnexus/feedback/1",
        "path": "memory/tea.md",
        "score": -0.5,
        "boost": 0.1,
        "feedbacks": 2,
        "needs_review": True,
    }
    found = shell.run("check", bo, "--json").document["findings"]
    assert [each["path"] for each in found if each["rule"] == "needs-review"] == ["memory/tea.md"]


@pytest.mark.parametrize(("score", "worth"), [("-1e-3", -0.001), ("-.5", -0.5), ("-1E0", -1.0)])
def test_a_score_below_zero_may_be_written_as_any_number(shell, bo, score, worth):
    """A negative number is a score and no option, with an exponent too."""
    ran = shell.run("feedback", bo, "tea", score, "--json")
    assert (ran.code, ran.document["score"]) == (0, worth)


@pytest.mark.parametrize("words", [["bo", "tea"], ["tea"], []])
def test_a_missing_score_is_told_with_an_example(shell, bo, words):
    """Without a score the complaint says what to give, as a whole command."""
    ran = shell.run("feedback", *words)
    assert (ran.code, ran.out) == (2, "")
    assert "toolnexus feedback ava balcony 0.5" in ran.err
    assert "float" not in ran.err
    assert "required" not in ran.err


@pytest.mark.parametrize("score", ["1.5", "-1.01", "nan", "inf", "good", ""])
def test_what_is_no_score_is_wrong_usage(shell, bo, score):
    """Anything but a number from -1 to 1 ends with exit code 2."""
    assert shell.run("feedback", bo, "tea", score).code == 2
    assert shell.run("feedback", bo, "nowhere", "1").code == 2


@pytest.mark.slow
def test_every_factor_of_a_rank_is_shown(shell, bo):
    """`--explain` gives relevance, stage weight and feedback, which multiply to the rank."""
    shell.run("feedback", bo, "twin", "1")
    hits = shell.run("search", bo, "green tea", "--json", "--explain").document["hits"]
    assert [hit["rank"] for hit in hits] == sorted((hit["rank"] for hit in hits), reverse=True)
    for hit in hits:
        why = hit["why"]
        assert hit["rank"] == pytest.approx(
            hit["score"] * why["stage_weight"] * why["feedback"], abs=0.001
        )
        assert (why["score"], why["rank"], why["stage"]) == (
            hit["score"],
            hit["rank"],
            hit["stage"],
        )
    [twin] = [hit for hit in hits if hit["path"] == "memory/twin.md"]
    assert (twin["why"]["boost"], twin["stage"]) == (2.0, "knowledge")
    told = shell.run("search", bo, "green tea", "--explain").out
    assert "stage_weight 0.450" in told
    assert "boost 2.000" in told


@pytest.mark.slow
def test_what_is_imagined_is_marked(shell, bo):
    """A guess says so behind its title, and in the document."""
    told = shell.run("search", bo, "green tea").out.splitlines()
    assert any(line.endswith("guess  [imagined]") for line in told)
    assert any(line.endswith("wish  [proposed]") for line in told)
    hits = shell.run("search", bo, "green tea", "--json").document["hits"]
    marked = {hit["path"]: (hit["proposed"], hit["imagined"]) for hit in hits}
    assert marked["memory/guess.md"] == (True, True)
    assert marked["memory/wish.md"] == (True, False)
    assert marked["memory/tea.md"] == (False, False)


@pytest.mark.slow
def test_search_in_a_scope_and_in_the_archive(shell, bo):
    """`--scope` and `--archived` say where to look; a scope that is none is wrong usage."""
    assert "old.md" not in shell.run("search", bo, "black tea").out
    assert "old.md" in shell.run("search", bo, "black tea", "--archived").out
    hits = shell.run("search", bo, "tea", "--scope", "archive", "--json").document["hits"]
    assert [hit["path"] for hit in hits] == ["memory/archive/old.md"]
    assert shell.run("search", bo, "tea", "--scope", "../bo").code == 2


def test_overview_tells_how_ripe_a_home_is(shell, bo):
    """Notes by stage, what is due, what fades, what waits, and how the index is."""
    shell.run("feedback", bo, "tea", "-1", "--reason", "it was three")
    seen = shell.run("overview", bo, "--json", "--now", NOW).document
    ripe = seen["ripening"]
    assert ripe["stages"] == {"raw": 2, "extracted": 1, "knowledge": 3, "skill": 0}
    assert (ripe["archived"], ripe["proposed"], ripe["imagined"]) == (1, 2, 1)
    assert (ripe["extraction"], ripe["merge"], ripe["distillation"]) == (1, 1, 0)
    assert (ripe["fading"], ripe["faded"], ripe["review"]) == (3, 1, 1)
    assert ripe["wanting"] == [
        {"path": "memory/tea.md", "boost": 0.1, "score": -1.0, "reason": "it was three"}
    ]
    assert seen["index"]["files"] == 0
    shell.run("search", bo, "tea")
    told = shell.run("overview", bo, "--now", NOW).out
    assert "  stages       2 raw, 1 extracted, 3 knowledge, 1 archived\n" in told
    assert "  ripening     1 note for extraction, 1 for merge, 1 for archive\n" in told
    assert "  due          memory to ripen (toolnexus compact bo)\n" in told
    assert "  fading       3 notes\n" in told
    assert "  proposed     2 notes, 1 of them imagined\n" in told
    assert "  to review    memory/tea.md (it was three)\n" in told
    assert "  index        8 files, 8 passages\n" in told
    shell.write("bo/memory/new.md", "- New. [[tea]]\n")
    assert "the next search brings it up to date" in shell.run("overview", bo).out


def test_overview_changes_nothing(shell, bo):
    """Looking hourly or yearly leaves every file as it was, and gives the same answer."""
    shell.run("overview", bo, "--now", NOW)
    folder = shell.folder / "bo"
    files = [path for path in sorted(folder.rglob("*.md")) if path.is_file()]
    before = [(path, path.read_bytes(), path.stat().st_mtime_ns) for path in files]
    late = shell.run("overview", bo, "--json", "--now", "2027-11-29T03:00:00Z").out
    for month in range(1, 12):
        shell.run("overview", bo, "--now", f"2027-{month:02}-01T03:00:00Z")
    assert shell.run("overview", bo, "--json", "--now", "2027-11-29T03:00:00Z").out == late
    assert [(path, path.read_bytes(), path.stat().st_mtime_ns) for path in files] == before


def test_overview_of_wrong_settings_still_tells_what_it_can(shell, bo):
    """A persona.yaml that is wrong is a finding, and hides no note."""
    shell.write("bo/persona.yaml", "index: {embedding: what}\n")
    seen = shell.run("overview", bo, "--json")
    assert seen.code == 0
    assert sum(seen.document["ripening"]["stages"].values()) == 6
    assert not seen.document["index"]["ok"]


def test_a_revert_says_which_notes_it_brought_back(shell, tmp_path):
    """An archiving that is undone is one line a note."""
    root = tmp_path / "kim"
    (root / "memory").mkdir(parents=True)
    (root / "SOUL.md").write_text("You are Kim.\n")
    (root / "persona.yaml").write_text("name: kim\nmodel: none\n")
    (root / "memory/bike.md").write_text("---\ncreated: 2024-01-01\n---\n# Bike\n\n- Blue.\n")
    shell.run("compact", str(root))
    told = shell.run("revert", str(root), "last").out.splitlines()
    assert told[0].startswith("brought back ")
    assert told[0].endswith("kim/memory/bike.md")
    assert told[-1] == "1 undone, 0 left"
