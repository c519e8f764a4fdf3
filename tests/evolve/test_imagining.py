"""Imagining without a model: what is written, what stays as it was, and what never comes again."""

from __future__ import annotations

import pytest
from imagining_homes import FILES, files_of, imagined_in, later, note, open_home, write

from toolnexus.errors import LockedError, UsageError
from toolnexus.home.claims import all_claims
from toolnexus.home.ripening import ripening_of


@pytest.fixture
def home(tmp_path):
    """A home with a pattern over three notes, and topics that one word bridges."""
    return open_home(tmp_path / "bo")


def sources(done):
    return [frozenset(guess.derived_from) for guess in done.imagined]


def test_a_guess_is_a_note_that_says_so(home):
    """Each guess is a proposed, transient note with its tags, its confidence and its sources."""
    done = home.imagine()
    assert (done.outcome, done.wrote) == ("done", True)
    assert {guess.phase for guess in done.imagined} == {"consolidation", "divergence"}
    snapshot = home.read()
    for guess in done.imagined:
        found = snapshot.notes[guess.path]
        ripe = ripening_of(found)
        assert guess.path.startswith("memory/imagined/")
        assert found.tags == ("dreamed", f"dream:{guess.phase}")
        assert (ripe.is_proposed, ripe.stage, ripe.stability) == (True, "extracted", "transient")
        assert ripe.confidence == (0.35 if guess.phase == "consolidation" else 0.3)
        assert ripe.links == {"derived_from": guess.derived_from}
        assert ripe.created is not None
        assert ripe.created.date() == home.clock.now().date()
        assert [claim.text for claim in found.document.claims] == [guess.text]


def test_a_pattern_recurs_over_several_notes(home):
    """What three notes share is seen, with the words that they share."""
    patterns = [g for g in home.imagine().imagined if g.phase == "consolidation"]
    assert [set(guess.derived_from) for guess in patterns] == [{"lisbon", "ghent", "bergen"}]
    assert all(word in patterns[0].text for word in ("slept", "badly", "harbour"))


def test_a_hypothesis_lies_across_two_unlike_topics(home):
    """Two topics are put beside each other by a word that a note of either speaks of."""
    bridges = [g for g in home.imagine().imagined if g.phase == "divergence"]
    assert {"lisbon", "buns"} in [set(guess.derived_from) for guess in bridges]
    assert all(len(guess.derived_from) == 2 for guess in bridges)
    assert "lantern" in bridges[0].text


def test_topics_that_nearly_the_same_notes_carry_are_alike(tmp_path):
    """Two tags of the same notes are no two topics."""
    both = {path: text.replace("[", "[x, ", 1) for path, text in FILES.items()}
    alike = {
        path: text.replace("travel", "a, b") if "travel" in text else text.replace("tags", "was")
        for path, text in both.items()
    }
    alike["MEMORY.md"] = FILES["MEMORY.md"]
    done = open_home(tmp_path, {p: t.replace("x, ", "") for p, t in alike.items()}).imagine()
    assert {guess.phase for guess in done.imagined} == {"consolidation"}


def test_no_other_file_changes(home):
    """Beside the new notes and the log, every file keeps its bytes and its time."""
    before = files_of(home.root)
    done = home.imagine()
    after = files_of(home.root)
    assert after.keys() - before.keys() == {guess.path for guess in done.imagined}
    assert {path: after[path] for path in before} == before


def test_fewer_than_ten_live_notes_are_too_few(tmp_path):
    """Nine notes are too few, which is said, and nothing is written; with ten it is done."""
    names = [path for path in FILES if path.startswith("memory/")][:9]
    home = open_home(tmp_path, {"SOUL.md": "I am Bo.\n", **{path: FILES[path] for path in names}})
    done = home.imagine()
    assert (done.outcome, done.wrote, done.notes) == ("nothing", False, 9)
    assert "it takes 10 live notes, and there are 9" in done.reply
    write(tmp_path, {"memory/2026-11-01.md": "- Rain.\n"})
    assert later(home).imagine().wrote


def test_what_may_not_be_built_on_is_not_live(home):
    """Proposed, archived and imagined notes, those without dreams and empty ones do not count."""
    hidden = {
        "memory/a.md": "---\nstatus: proposed\n---\n- Slept badly.\n",
        "memory/archive/b.md": "- Slept badly.\n",
        "memory/c.md": "---\ntags: [dreamed]\n---\n- Slept badly.\n",
        "memory/d.md": '---\ntags: ["dream:divergence"]\n---\n- Slept badly.\n',
        "memory/e.md": "---\ndream: false\n---\n- Slept badly.\n",
        "memory/f.md": "# Nothing\n",
        "memory/2026-11-02.md": "---\ndream: no\n---\n- Slept badly.\n",
        "memory/g.md": "---\ntags: [a\n---\n- Slept badly.\n",
    }
    before = home.imagine(dry_run=True)
    write(home.root, hidden)
    after = later(home).imagine(dry_run=True)
    assert (after.notes, after.imagined) == (before.notes, before.imagined)


def test_the_cooldown_outlives_the_process(home):
    """Within six hours nothing is imagined, by whatever process; then it is again."""
    assert home.imagine().wrote
    write(
        home.root, {"memory/oslo.md": note("travel", "Slept badly by the harbour lantern, Oslo.")}
    )
    early = later(home, hours=5).imagine()
    assert (early.outcome, early.wrote) == ("nothing", False)
    assert early.next_due is not None
    assert early.next_due.isoformat() == "2026-11-30T14:00:00+00:00"
    assert "2026-11-30T14:00:00Z" in early.reply
    assert later(home, hours=6).imagine().wrote


def test_the_cooldown_is_a_setting(tmp_path):
    """`imagine.cooldown` says how long it is."""
    home = open_home(tmp_path, {**FILES, "persona.yaml": "imagine: {cooldown: 30m}\n"})
    assert home.imagine().wrote
    assert "too near" in later(home, minutes=29).imagine().reply
    assert "no note is new" in later(home, minutes=30).imagine().reply


def test_a_clock_that_was_set_back_holds_nothing_up(home):
    """A last time that lies ahead is none."""
    home.imagine()
    assert "no note is new" in later(home, days=-400).imagine().reply


def test_twice_is_once(home):
    """Over notes that are as they were nothing is imagined again, and no file is written."""
    home.imagine()
    before = files_of(home.root)
    again = later(home, days=1).imagine()
    assert (again.outcome, again.imagined) == ("nothing", ())
    assert files_of(home.root) == before


def test_nothing_is_imagined_twice_however_it_went(home):
    """New notes bring new ideas alone, though a person deleted guesses and accepted others."""
    first = home.imagine()
    for guess in first.imagined[::2]:
        (home.root / guess.path).unlink()
    kept = home.root / first.imagined[1].path
    kept.write_text(kept.read_text().replace("status: proposed\n", ""))
    write(home.root, {"memory/oslo.md": note("travel", "Slept badly, Oslo, by the harbour.")})
    second = later(home, days=1).imagine()
    assert second.notes == first.notes + 1
    assert not set(sources(first)) & set(sources(second))
    assert not {guess.text for guess in first.imagined} & {guess.text for guess in second.imagined}


def test_the_notes_themselves_tell_what_was_tried_where_the_state_is_lost(home):
    """Without its state folder a home still repeats nothing that lies in it, or in its archive."""
    first = home.imagine()
    moved = home.root / first.imagined[0].path
    (home.root / "memory/archive").mkdir()
    moved.rename(home.root / "memory/archive" / moved.name)
    for path in sorted((home.root / ".toolnexus").rglob("*"), reverse=True):
        path.rmdir() if path.is_dir() else path.unlink()
    assert not set(sources(first)) & set(sources(later(home).imagine()))


def test_a_renamed_note_brings_nothing_back(home):
    """An idea is the same under its notes' new names, though its guess is gone."""
    first = home.imagine()
    for path in imagined_in(home.root):
        (home.root / path).unlink()
    home.rename("ghent", "gent")
    second = later(home, days=1).imagine()
    renamed = {frozenset("gent" if s == "ghent" else s for s in each) for each in sources(first)}
    assert not renamed & set(sources(second))


def test_a_dry_run_writes_and_keeps_nothing(home):
    """It shows the notes as they would be, starts no cooldown, and leaves all for the real run."""
    before = files_of(home.root)
    dry = home.imagine(dry_run=True)
    assert (dry.outcome, dry.wrote, dry.id) == ("dry-run", False, "")
    assert files_of(home.root) == before
    assert not (home.root / ".toolnexus/state/imagined.json").exists()
    done = home.imagine()
    assert done.imagined == dry.imagined
    assert {write.path: write.after for write in done.writes} == {
        write.path: write.after for write in dry.writes
    }


def test_it_is_in_the_history_and_can_be_undone(home):
    """`log` tells each guess, `revert` takes them all away, and they do not come back."""
    before = files_of(home.root)
    done = home.imagine()
    entry = home.log()[-1]
    assert (entry.job, {change.kind for change in entry.changes}) == ("imagine", {"imagined"})
    assert all(change.why.endswith("no fact") for change in entry.changes)
    assert "imagine: " in (home.root / "memory/log.md").read_text()
    home.revert(done.id)
    assert files_of(home.root) == before
    assert not later(home, days=1).imagine().wrote


def test_two_runs_at_once_are_one(home):
    """While one run is under way another is refused as locked."""
    with home.store.hold("imagine"), pytest.raises(LockedError):
        later(home).imagine()


def test_guesses_claim_nothing(home):
    """No guess is among the claims that are kept true, in the soul or among the findings."""
    from toolnexus.home.soul import compose_soul

    before, findings, overview = len(list(all_claims(home.read()))), home.check(), home.overview()
    texts = [guess.text for guess in home.imagine().imagined]
    after = later(home)
    claims = list(all_claims(after.read()))
    assert len(claims) == before
    assert after.check() == findings
    assert after.overview().claims == overview.claims
    soul = compose_soul(after.read())
    assert not any(text in str(soul) for text in texts)


def test_a_guess_is_counted_as_proposed_and_is_no_change_to_review(home):
    """It waits as a note: the overview counts it, and no proposal holds it."""
    imagined = home.imagine().imagined
    ripe = home.overview().ripening
    assert (ripe.proposed, ripe.imagined) == (len(imagined), len(imagined))
    assert not home.proposals()


def test_an_accepted_guess_is_a_note_like_any_other(home):
    """Without `status: proposed` it claims what it says; yet nothing is imagined of it."""
    guess = home.imagine().imagined[0]
    path = home.root / guess.path
    path.write_text(path.read_text().replace("status: proposed\n", ""))
    after = later(home, days=1)
    chain = after.evidence_chain(guess.path)
    assert chain.overall_confidence > 0.4
    assert not chain.needs_reverification
    assert guess.text in [claim.claim.text for claim in all_claims(after.read())]
    assert guess.path in [found.path for found in after.check() if found.rule == "orphan-note"]
    write(home.root, {"memory/x.md": note("travel", guess.text)})
    assert guess.path not in str(after.imagine().imagined)


def test_a_scope_never_reads_its_sibling(tmp_path):
    """Of a scope only its own notes are read and named, and its guesses are written there."""
    files = {"SOUL.md": "I am Bo.\n"}
    for path, text in FILES.items():
        if path.startswith("memory/"):
            files[path.replace("memory/", "memory/work/")] = text
            files[path.replace("memory/", "memory/work2/b-")] = text
    home = open_home(tmp_path, files)
    done = home.imagine(scope="work")
    assert done.notes == 11
    assert done.imagined
    for guess in done.imagined:
        assert guess.path.startswith("memory/work/imagined/")
        assert not any("b-" in name for name in guess.derived_from)
    other = home.imagine(scope="work2")
    assert other.wrote
    assert all("b-" in name for guess in other.imagined for name in guess.derived_from)
    with pytest.raises(UsageError):
        home.imagine(scope="../work")


@pytest.mark.parametrize(
    ("marker", "folder"), [(".obsidian/app.json", "imagined/"), ("", "")], ids=["vault", "claude"]
)
def test_each_layout_has_a_place_for_guesses(tmp_path, marker, folder):
    """A vault has them in a folder of their own; where notes lie in none they lie beside them."""
    files = {path.removeprefix("memory/"): text for path, text in FILES.items()}
    del files["SOUL.md"]
    home = open_home(tmp_path, {**files, **({marker: "{}\n"} if marker else {})})
    done = home.imagine()
    assert done.imagined
    assert all(guess.path.startswith(f"{folder}imagined-") for guess in done.imagined)
    assert done.imagined[0].path in home.read().notes
    assert home.check() == later(home).check()


def test_a_guess_takes_no_link_and_no_name_from_another_note(home):
    """A link that led nowhere still does, and each that led somewhere leads there still."""
    write(home.root, {"memory/z.md": "- See [[slept]], [[travel]] and [[Slept badly]]\n"})
    before = later(home).read()
    later(home).imagine()
    after = later(home).read()
    assert {path: after.resolutions[path] for path in before.resolutions} == before.resolutions
    assert not any(path.startswith("memory/imagined/") for path in after.resolutions)


def test_titles_cannot_forge_anything(tmp_path):
    """Markup, links, pins and line ends in titles and tags become words."""
    files = dict(FILES)
    for number in range(3):
        title = f"[[tea]] <!-- keep --> `{number}` # x\\nstatus: done"
        text = f'---\ntitle: "{title}"\ntags: ["a]]b", "<!--c"]\n---\n- Zephyr gale {number}.\n'
        files[f"memory/z{number}.md"] = text
    home = open_home(tmp_path, files)
    done = home.imagine()
    assert any("z0" in guess.derived_from for guess in done.imagined)
    snapshot = home.read()
    for guess in done.imagined:
        found = snapshot.notes[guess.path]
        assert found.document.links == ()
        assert not any(claim.pinned for claim in found.document.claims)
        assert ripening_of(found).is_proposed


def test_damaged_state_is_left_out(home):
    """State that is no JSON, or JSON of another shape, stops nothing and repeats nothing."""
    first = home.imagine()
    path = home.root / ".toolnexus/state/imagined.json"
    for text in ("{", "[]", '{"times": {"": "never"}, "tries": [1, ["x"]], "seen": [2]}'):
        path.write_text(text)
        assert not set(sources(first)) & set(sources(later(home, days=1).imagine()))


def test_its_answer_is_a_sentence(tmp_path):
    """As a text an imagining tells what it did."""
    assert str(open_home(tmp_path).imagine()).endswith("imagined")


def test_what_all_notes_of_a_small_home_share_is_a_pattern_too(tmp_path):
    """Where every one of a dozen notes says alike, that is what there is to see."""
    files = {f"memory/n{n}.md": f"- Met Ines at the harbour, day {n}.\n" for n in range(12)}
    (guess,) = open_home(tmp_path, {"SOUL.md": "I am Bo.\n", **files}).imagine().imagined
    assert (guess.phase, len(guess.derived_from)) == ("consolidation", 6)
    assert "harbour" in guess.text
