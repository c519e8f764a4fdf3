"""`Home`, on real files: what its methods do, refuse and leave alone."""

from __future__ import annotations

import shutil

import pytest
from small_homes import CLOCK, FILES, files_of, make_home, write_files

from toolnexus.app import Home
from toolnexus.dream.passes import PassOptions, run_pass
from toolnexus.errors import ConfigError, HomeError, LockedError, Unreachable, UsageError
from toolnexus.testing.model import ScriptedModel

STRICT = {**FILES, "persona.yaml": "memory: {cap: {lines: 10}}\nmodle: x\n"}


def test_a_dream_puts_a_memory_right(tmp_path):
    """One pass demotes, folds and repairs, is logged, and its outcome tells each change."""
    home = make_home(tmp_path)
    done = home.dream()
    assert (done.outcome, done.wrote) == ("done", True)
    assert {change.kind for change in done.changes} == {"demoted", "merged", "relinked"}
    assert "[[bills-and-meters]]" in (tmp_path / "memory/tea.md").read_text()
    assert (tmp_path / "MEMORY.md").read_text().count("\n") <= 8
    assert done.id in (tmp_path / "memory/log.md").read_text()


def test_the_log_outlives_the_history(tmp_path):
    """Where the state folder is gone, what was done is told from the log in the home."""
    done = make_home(tmp_path).dream()
    before = make_home(tmp_path).log()
    shutil.rmtree(tmp_path / ".toolnexus")
    home = make_home(tmp_path, {})
    (told,) = home.log()
    assert (told.id, told.time, told.job) == (done.id, before[0].time, "dream")
    assert [change.kind for change in told.changes] == [c.kind for c in before[0].changes]
    home.remember("Maria sails on Sundays.")
    assert [record.job for record in home.log()] == ["dream", "remember"]


def test_a_second_dream_writes_nothing(tmp_path):
    """Over unchanged input a pass touches no file outside the state folder."""
    home = make_home(tmp_path)
    home.dream()
    times = {path: (tmp_path / path).stat().st_mtime_ns for path in files_of(tmp_path)}
    again = home.dream()
    assert (again.outcome, again.wrote, again.reply) == ("nothing", False, "HEARTBEAT_OK")
    assert times == {path: (tmp_path / path).stat().st_mtime_ns for path in files_of(tmp_path)}


def test_a_dry_run_and_a_check_write_nothing(tmp_path):
    """Both tell what a pass would do, and no file of the home changes."""
    home = make_home(tmp_path)
    for options in ({"dry_run": True}, {"check": True}):
        told = home.dream(**options)
        assert (told.outcome, told.wrote) == ("dry-run", False)
        assert told.changes
        assert files_of(tmp_path) == {path: text.encode() for path, text in FILES.items()}


def test_a_revert_gives_every_file_back(tmp_path):
    """Undoing a pass leaves all files byte for byte as they were, the log aside."""
    home = make_home(tmp_path)
    home.dream()
    undone = home.revert()
    assert undone.left == ()
    after = files_of(tmp_path)
    after.pop("memory/log.md")
    assert after == {path: text.encode() for path, text in FILES.items()}


def test_a_revert_leaves_what_was_changed_since(tmp_path):
    """A person's edit after the pass stands, and is listed."""
    home = make_home(tmp_path)
    done = home.dream()
    path = next(change.to for change in done.changes if change.kind == "demoted")
    text = (tmp_path / path).read_text()
    (tmp_path / path).write_text(text.replace("number 3 on", "number 33 on"))
    undone = home.revert(done.id)
    assert "number 33 on" in (tmp_path / path).read_text()
    assert [left.path for left in undone.left] == [path]


def test_what_a_pass_moved_is_verified_where_it_went(tmp_path):
    """A claim is known by its new place at once: a second pass has nothing to verify."""
    turn = '{"role": "user", "content": "Any window seat on night flights will do."}\n'
    home = make_home(tmp_path, {**FILES, "transcripts/m.jsonl": turn})
    assert home.dream().stats.checked > 0
    assert home.dream().stats.checked == 0


def test_a_persons_edit_during_a_dream_wins(tmp_path):
    """What a person writes between reading and writing stands, and the pass is made again."""
    home = make_home(tmp_path)

    def edit(_snapshot):
        text = (tmp_path / "MEMORY.md").read_text()
        (tmp_path / "MEMORY.md").write_text(text.replace("Likes tea", "Likes rooibos"))
        write_files(tmp_path, {"memory/mine.md": "# Mine\n\n- Written meanwhile.\n"})
        return ()

    done = run_pass(home.store, CLOCK, PassOptions(), edit)
    assert done.outcome == "done"
    assert "- Likes rooibos: [[tea]]\n" in (tmp_path / "MEMORY.md").read_text()
    assert (tmp_path / "memory/mine.md").read_text() == "# Mine\n\n- Written meanwhile.\n"
    said = "".join(data.decode() for data in files_of(tmp_path).values())
    assert all(f"seat number {n} on night flights." in said for n in range(12))


def test_a_person_who_did_it_all_by_hand_leaves_nothing(tmp_path):
    """Where a person mends everything during the pass, it writes nothing."""
    home = make_home(tmp_path)

    def mend(_snapshot):
        write_files(tmp_path, {"MEMORY.md": "- [[tea]]\n", "memory/tea.md": "- Green.\n"})
        return ()

    done = run_pass(home.store, CLOCK, PassOptions(), mend)
    assert (done.outcome, done.wrote, done.changes) == ("nothing", False, ())
    assert not (tmp_path / "memory/log.md").exists()


def test_two_dreams_do_not_meet(tmp_path):
    """While one dream is under way another is refused and does nothing."""
    home = make_home(tmp_path)
    with home.store.hold("dream"), pytest.raises(LockedError):
        make_home(tmp_path).dream()
    assert files_of(tmp_path)["MEMORY.md"] == FILES["MEMORY.md"].encode()


def test_a_dream_does_not_block_remembering(tmp_path):
    """A long dream holds its own lock only: `remember` goes on, and is kept."""
    home = make_home(tmp_path)

    def remember(_snapshot):
        assert make_home(tmp_path).remember("Owns a canoe.").wrote
        return ()

    run_pass(home.store, CLOCK, PassOptions(), remember)
    assert "- Owns a canoe.\n" in (tmp_path / "MEMORY.md").read_text()


def test_remembering_tells_where(tmp_path):
    """The path is told whether or not the claim stood there already; the write can be undone."""
    home = make_home(tmp_path)
    first = home.remember("Is allergic to nuts.", "user")
    assert (first.path, first.wrote) == ("USER.md", True)
    again = home.remember("is allergic to **nuts**", "user")
    assert (again.path, again.wrote, again.id) == ("USER.md", False, "")
    home.revert(first.id)
    assert not (tmp_path / "USER.md").exists()


def test_a_rename_is_followed_and_undone(tmp_path):
    """Links follow a rename; a revert brings both back."""
    home = make_home(tmp_path)
    done = home.rename("tea", "green-tea")
    assert (done.path, done.links) == ("memory/green-tea.md", 1)
    assert "[[green-tea]]" in (tmp_path / "MEMORY.md").read_text()
    home.revert(done.id)
    after = files_of(tmp_path)
    after.pop("memory/log.md")
    assert after == {path: text.encode() for path, text in FILES.items()}


def test_history_mends_links_to_what_was_renamed(tmp_path):
    """A link written by the old name after a rename is repaired by the next dream."""
    home = make_home(tmp_path)
    home.rename("bills-and-meters", "invoices")
    write_files(tmp_path, {"memory/new.md": "- [[bills-and-meters]]\n"})
    home.dream()
    assert (tmp_path / "memory/new.md").read_text() == "- [[invoices]]\n"


def test_the_log_is_kept_in_order(tmp_path):
    """Writes are listed oldest first; a limit keeps the newest."""
    home = make_home(tmp_path)
    home.remember("One.")
    home.dream()
    assert [record.job for record in home.log()] == ["remember", "dream"]
    assert [record.job for record in home.log(1)] == ["dream"]
    assert home.log(0) == []
    with pytest.raises(UsageError, match="-1"):
        home.log(-1)


@pytest.mark.slow
def test_search_finds_what_was_just_remembered(tmp_path):
    """The index is refreshed first; hits name the file."""
    home = make_home(tmp_path)
    home.remember("The spare key is under the blue pot.", "tea")
    assert home.search("spare key", k=1).hits[0].path == "memory/tea.md"
    home.reindex(rebuild=True)
    assert home.reindex().chunks_embedded == 0


def test_check_reports_and_changes_nothing(tmp_path):
    """`check` lists what is wrong with path and line, in transcripts as well."""
    turns = '{"role": "user", "content": "hi"}\n{"role": "us\n'
    home = make_home(tmp_path, {**FILES, "transcripts/a.jsonl": turns})
    found = {(f.rule, f.path, f.line, f.severity) for f in home.check()}
    assert ("broken-link", "memory/tea.md", 5, "error") in found
    assert ("torn-transcript", "transcripts/a.jsonl", 2, "error") in found
    assert "over-cap" in {rule for rule, *_ in found}


def test_overview_and_doctor_count(tmp_path):
    """The overview tells claims, notes, links and what is due; the doctor finds the home sound."""
    home = make_home(tmp_path)
    seen = home.overview()
    assert (seen.notes, seen.links, seen.broken_links, seen.last_pass) == (2, 2, 1, None)
    assert any("over its cap" in due for due in seen.due)
    assert f"'toolnexus check {home.root}' lists them" in {look.fix for look in home.doctor()}
    home.dream()
    assert home.overview().last_pass == "2026-11-29T03:00:12Z"
    looks = {look.name: look for look in home.doctor()}
    assert looks["settings"].ok
    assert looks["locks"].message == "none is held"


def test_the_doctor_tells_wrong_settings_once(tmp_path):
    """What cannot be told because of wrong settings says so, and does not repeat their error."""
    looks = {look.name: look for look in make_home(tmp_path, STRICT).doctor()}
    first = looks["settings"].message
    assert not looks["settings"].ok
    assert [name for name, look in looks.items() if first in look.message] == ["settings"]
    assert "settings are wrong" in looks["model"].message
    assert looks["disk"].ok


def test_wrong_settings_are_told_and_stop_the_rest(tmp_path):
    """`check` lists a wrong key with its line; what would write says so and changes nothing."""
    home = make_home(tmp_path, STRICT)
    assert ("bad-settings", 2) in {(found.rule, found.line) for found in home.check()}
    for work in (home.dream, lambda: home.remember("x"), lambda: home.rename("tea", "x")):
        with pytest.raises(ConfigError, match="modle"):
            work()
    assert files_of(tmp_path) == {path: text.encode() for path, text in STRICT.items()}


def test_an_unknown_place_to_search_is_an_error(tmp_path):
    """A slip in `where` is told with what there is, and is not taken for an empty result."""
    with pytest.raises(UsageError) as caught:
        make_home(tmp_path).search("tea", where="note")
    assert caught.value.hint == "one of: notes, transcripts, all"


def test_no_home_is_an_error_and_nothing_is_made(tmp_path):
    """A folder that is no home is left as it is."""
    (tmp_path / "readme.txt").write_text("hello")
    with pytest.raises(HomeError):
        Home.open(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["readme.txt"]


def test_a_state_folder_elsewhere(tmp_path):
    """With a state folder of its own, a home has none of our files in it."""
    root = write_files(tmp_path / "ava", FILES)
    home = Home.open(root, state_dir=tmp_path / "state", clock=CLOCK)
    home.dream()
    assert not (root / ".toolnexus").exists()
    assert Home.open(root, state_dir=tmp_path / "state", clock=CLOCK).log()[0].job == "dream"


def test_a_state_folder_that_cannot_be_made(tmp_path):
    """Where a file stands in the state folder's place, `check` still reads the home."""
    root = write_files(tmp_path / "ava", FILES)
    (tmp_path / "state").write_text("no folder")
    home = Home.open(root, state_dir=tmp_path / "state", clock=CLOCK)
    assert "memory/tea.md" in home.read().notes
    with pytest.raises(Exception, match="state") as caught:
        home.remember("x")
    assert getattr(caught.value, "exit_code", 0) == 74


def test_the_doctor_asks_the_model(tmp_path):
    """A model that answers is well, one that cannot be reached is told with what to do."""
    root = write_files(tmp_path / "ava", FILES)

    def look(reply):
        home = Home.open(root, model=ScriptedModel(reply), clock=CLOCK)
        return next(found for found in home.doctor() if found.name == "model")

    assert (look("OK").ok, look("OK").message) == (True, "scripted answers")
    failed = look(Unreachable("nobody there", hint="check the network"))
    assert (failed.ok, failed.message, failed.fix) == (False, "nobody there", "check the network")


def test_a_home_says_which_it_is(tmp_path):
    """Its repr names the folder, and nothing of what is in it."""
    assert repr(make_home(tmp_path)) == f"Home({str(tmp_path)!r})"
