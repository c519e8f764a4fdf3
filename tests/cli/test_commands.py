"""Every command, run in this process on small homes."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

NOW = "2026-11-29T03:00:00Z"


def test_new_is_quiet_and_refuses_a_full_folder(shell):
    """A fresh persona has no findings, and what is in a folder is never overwritten."""
    made = shell.run("new", "bo", "--json")
    assert (made.code, made.document["schema"]) == (0, "toolnexus/new/1")
    assert {"SOUL.md", "MEMORY.md", ".gitattributes", "persona.yaml"} <= set(made.document["files"])
    checked = shell.run("check", "bo", "--json")
    assert (checked.code, checked.document["findings"]) == (0, [])
    again = shell.run("new", "bo")
    assert again.code == 2
    assert "bo" in again.err
    assert "hint:" in again.err


def test_remember_twice_writes_once(shell, home):
    """The same claim again is no change, and says so."""
    shell.run("remember", home, "Likes rye bread.", "--to", "green-teas")
    again = shell.run("remember", home, "Likes rye bread.", "--to", "green-teas", "--json")
    assert (again.code, again.document["wrote"], again.document["id"]) == (0, False, None)
    assert shell.read("ben/memory/green-teas.md").count("rye bread") == 1


def test_remember_in_the_current_folder(shell, home, monkeypatch):
    """HOME may be left out inside a home, before an option too."""
    monkeypatch.chdir(home)
    assert shell.run("remember", "--to", "user", "Writes dates as 3 May.").code == 0
    assert "3 May" in shell.read("ben/USER.md")


@pytest.mark.parametrize(
    ("words", "missing"),
    [
        (["why", "ben"], "the REF is missing"),
        (["search", "ben"], "the QUERY is missing"),
        (["transcripts", "search", "ben"], "the QUERY is missing"),
        (["transcripts", "show", "ben"], "the CONVERSATION is missing"),
        (["feedback", "ben", "0.5"], "one of SLUG and SCORE is missing"),
        (["rename", "ben", "tea"], "one of OLD and NEW is missing"),
        (["remember", "ben"], "the TEXT is missing"),
        (["revert", "ben"], "the PASS is missing"),
    ],
)
@pytest.mark.usefixtures("home")
def test_a_home_alone_is_told_what_is_missing_behind_it(shell, words, missing):
    """Who left out what comes after HOME is told so, and not that there is no home."""
    ran = shell.run(*words)
    assert (ran.code, ran.out) == (2, "")
    assert missing in ran.err
    assert f"comes after the home: toolnexus {words[0]}" in ran.err
    assert shell.run("log", "ben", "--json").document["entries"] == []


def test_a_word_that_is_also_a_folder_is_looked_for_in_a_home(shell, home, monkeypatch):
    """In a home a query is a query; outside of one, what is no folder leaves the home missing."""
    assert shell.run("search", "no folder").code == 65
    assert shell.run("why", "x" * 5000).code == 65
    monkeypatch.chdir(home)
    assert shell.run("search", "memory").code == 0
    assert shell.run("remember", "memory").code == 2


def test_check_tells_place_and_remedy_and_changes_nothing(shell, home):
    """Findings name file and line as seen from here; an error makes the exit code 1."""
    before = {path: path.read_bytes() for path in Path(home).rglob("*.md")}
    checked = shell.run("check", home)
    assert checked.code == 1
    assert "ben/MEMORY.md:3: error: " in checked.out
    assert "[broken-link]" in checked.out
    document = shell.run("check", home, "--json").document
    assert document["summary"]["error"] == 2
    errors = [item for item in document["findings"] if item["severity"] == "error"]
    assert [item["line"] for item in errors] == [3, 4]
    assert all(finding["hint"] for finding in document["findings"])
    assert before == {path: path.read_bytes() for path in Path(home).rglob("*.md")}


def test_check_in_the_formats_of_continuous_integration(shell, home):
    """GitHub gets annotations, SARIF viewers a log; both end with the same code."""
    annotated = shell.run("check", home, "--format", "github")
    assert annotated.code == 1
    assert "::error file=ben/MEMORY.md,line=3,title=broken-link::" in annotated.out
    log = shell.run("check", home, "nowhere", "--format", "sarif")
    assert log.code == 65
    run = log.document["runs"][0]
    assert [result["level"] for result in run["results"]].count("error") == 2
    assert run["invocations"][0]["executionSuccessful"] is False


def test_bad_settings_are_findings_of_check_and_stop_the_rest(shell, home):
    """Check lists all that is wrong in persona.yaml; a dream refuses to guess, with exit 78."""
    shell.write("ben/persona.yaml", "nmae: ben\ndream: {max_change: 7}\n")
    document = shell.run("check", home, "--json").document
    bad = [finding for finding in document["findings"] if finding["rule"] == "bad-settings"]
    assert [(finding["line"], finding["path"]) for finding in bad] == [
        (1, "persona.yaml"),
        (2, "persona.yaml"),
    ]
    refused = shell.run("dream", home)
    assert refused.code == 78
    assert "persona.yaml:1: unknown key 'nmae'" in refused.err
    assert "did you mean 'name'?" in refused.err


def test_several_homes_are_each_done_and_the_worst_code_wins(shell, home):
    """A folder that is no home does not stop the others, and has its error in the document."""
    shell.run("new", "bo")
    both = shell.run("check", "bo", home)
    assert both.code == 1
    assert both.out.startswith("bo: no findings\n")
    mixed = shell.run("overview", "nowhere", "bo", "--json")
    assert mixed.code == 65
    first, second = mixed.document["homes"]
    assert (first["home"], second["home"]) == ("nowhere", "bo")
    assert first["error"]["exit_code"] == 65
    assert "toolnexus new" in first["error"]["hint"]
    assert second["claims"] == 0


def test_overview_counts(shell, home):
    """The overview has the numbers of the home, as text and as a document."""
    shown = shell.run("overview", home)
    assert "2 turns in 1 conversation" in shown.out
    document = shell.run("overview", home, "--json").document
    assert document["schema"] == "toolnexus/overview/1"
    assert (document["claims"], document["notes"], document["broken_links"]) == (3, 1, 2)
    assert document["last_pass"] is None


def test_dream_shows_writes_and_can_be_undone(shell, home):
    """A dry run writes nothing, --check tells by its code, revert takes a dream back."""
    before = shell.read("ben/MEMORY.md")
    dry = shell.run("dream", home, "--dry-run")
    assert dry.code == 0
    assert "- [[gren-teas]]\n+ [[green-teas]]\n" in dry.out
    assert shell.run("dream", home, "--check").code == 1
    assert shell.read("ben/MEMORY.md") == before
    done = shell.run("dream", home, "--json", "--now", NOW)
    document = done.document
    assert (done.code, document["outcome"], document["wrote"]) == (0, "done", True)
    assert document["pass"].startswith("20261129T030000Z-")
    assert document["changes"][0]["kind"] == "relinked"
    assert document["unresolved"][0]["link"] == "[[nowhere]]"
    assert shell.run("dream", home, "--check").code == 0
    logged = shell.run("log", home, "--json").document
    assert [entry["id"] for entry in logged["entries"]] == [document["pass"]]
    assert document["pass"] in shell.run("log", home, "--limit", "1").out
    undone = shell.run("revert", home, "last")
    assert undone.code == 0
    assert shell.read("ben/MEMORY.md") == before


def test_a_patch_is_what_the_dream_writes(shell, home):
    """The patch of a dry run, applied by git, gives the bytes that the dream itself writes."""
    script = "from toolnexus.cli.main import run; run()"
    command = [sys.executable, "-c", script, "dream", home, "--format", "patch", "--now", NOW]
    dry = subprocess.run([*command, "--dry-run"], capture_output=True, check=True)
    assert b"# relinked MEMORY.md:3" in dry.stdout
    subprocess.run(["git", "apply", "-"], input=dry.stdout, check=True)
    patched = shell.read("ben/MEMORY.md")
    assert "[[green-teas]]" in patched
    assert shell.run("dream", home, "--json").document["outcome"] == "nothing"


def test_propose_then_review(shell, home):
    """A proposal writes nothing; it is shown with numbers, and applied when a person says so."""
    before = shell.read("ben/MEMORY.md")
    proposed = shell.run("dream", home, "--propose", "--json").document
    assert (proposed["outcome"], proposed["wrote"]) == ("proposed", False)
    assert shell.read("ben/MEMORY.md") == before
    shown = shell.run("review", home)
    assert "[1] @@ MEMORY.md:3 @@ relinked" in shown.out
    (waiting,) = shell.run("review", home, "--json").document["proposals"]
    assert waiting["changes"][0]["number"] == 1
    missing = shell.run("review", home, "20200101T000000Z-0000", "--apply")
    assert missing.code == 2
    assert waiting["id"] in missing.err
    assert shell.run("review", home, waiting["id"], "--apply", "7").code == 2
    applied = shell.run("review", home, "--apply", "1", "--json")
    assert (applied.code, len(applied.document["applied"])) == (0, 1)
    assert "[[green-teas]]" in shell.read("ben/MEMORY.md")
    assert shell.run("review", home).out == "nothing waits\n"


def test_what_is_applied_tells_how_it_is_undone_and_what_still_waits(shell, home):
    """The answer names the numbers that stay and the command that undoes it, which does."""
    shell.write(
        "ben/memory/teas.md",
        "# Teas\n\n- Green.\n- green\n\nSee [[green-tee]] and [[green-tee]].\n",
    )
    before = shell.read("ben/MEMORY.md")
    shell.run("dream", home, "--propose")
    (waiting,) = shell.run("review", home, "--json").document["proposals"]
    last = waiting["changes"][-1]["number"]
    assert last > 1
    kept = shell.run("review", home, "--discard", str(last))
    numbers = " ".join(f"[{number}]" for number in range(1, last))
    assert kept.out == f"0 applied, 1 discarded, {last - 1} still waiting: {numbers}\n"
    told = shell.run("review", home, "--apply").out.splitlines()[-1]
    assert "0 discarded, 0 still waiting (undo it with: toolnexus revert " in told
    *_, record = shell.run("log", home, "--json").document["entries"]
    assert told.endswith(f" {record['id']})")
    assert shell.run("revert", home, record["id"]).code == 0
    assert shell.read("ben/MEMORY.md") == before


def test_discard_turns_a_proposal_down(shell, home, monkeypatch):
    """A discarded proposal is gone and the home is as it was; inside the home its id is enough."""
    before = shell.read("ben/MEMORY.md")
    shell.run("dream", home, "--propose")
    (waiting,) = shell.run("review", home, "--json").document["proposals"]
    monkeypatch.chdir(home)
    assert waiting["id"] in shell.run("review", waiting["id"]).out
    assert "discarded" in shell.run("review", waiting["id"], "--discard").out
    assert shell.run("review").out == "nothing waits\n"
    assert shell.read("ben/MEMORY.md") == before


def test_revert_leaves_what_was_changed_since(shell, home):
    """A line that a person changed after the pass stays, is listed, and makes the code 3."""
    shell.run("dream", home)
    shell.write(
        "ben/MEMORY.md", shell.read("ben/MEMORY.md").replace("Drinks green", "Drinks no green")
    )
    undone = shell.run("revert", home, "last", "--json")
    assert undone.code == 3
    assert undone.document["left"][0]["reason"]
    assert undone.document["left"][0]["next"]
    assert "Drinks no green" in shell.read("ben/MEMORY.md")
    assert shell.run("revert", home, "20200101T000000Z-0000").code == 2


def test_a_second_revert_says_that_there_is_nothing_left_to_undo(shell, home):
    """Reverting the same pass again changes nothing and does not look like a failure."""
    shell.run("dream", home)
    assert " undone, 0 left" in shell.run("revert", home, "last").out
    again = shell.run("revert", home, "last")
    assert (again.code, again.out.count("nothing to undo")) == (0, 1)


def test_last_tells_which_pass_it_was_and_what_stands_after_it(shell, home):
    """What was done since is told with what undoes it; undone, it is told no more."""
    none = shell.run("revert", home, "last")
    assert (none.code, "there is no pass yet" in none.err) == (2, True)
    dream = shell.run("dream", home, "--json").document["pass"]
    kept = shell.run("remember", home, "Owns a canoe.", "--verbose")
    *_, record = shell.run("log", home, "--json").document["entries"]
    command = f"toolnexus revert {home} {record['id']}"
    assert f"undo it with: {command}\n" in kept.err
    assert kept.out.count("\n") == 1
    undone = shell.run("revert", home, "last")
    assert f"last is the dream of {dream[:4]}" in undone.err
    assert f"({dream})" in undone.err
    assert f"1 later write stands, the newest from remember (undo it with: {command})" in undone.err
    again = shell.run("revert", home, "last", "--json")
    assert again.document["target"]["id"] == dream
    assert [(each["id"], each["job"]) for each in again.document["later"]] == [
        (record["id"], "remember")
    ]
    assert shell.run(*command.split()[1:]).code == 0
    assert shell.run("revert", home, "last", "--json").document["later"] == []
    assert f"before the dream of {dream[:4]}" in shell.run("revert", home, "last").out


def test_what_was_remembered_is_what_is_newest_where_there_is_no_pass(shell, home):
    """Without a pass `last` names the newest write, and the id that undoes it."""
    written = shell.run("remember", home, "Owns a canoe.", "--json").document["id"]
    none = shell.run("revert", home, "last")
    assert none.code == 2
    assert f"the newest is {written} (remember)" in none.err


def test_a_long_passage_is_shown_around_its_best_line(shell, home):
    """Three lines of a passage are shown; the rest is counted, and comes with --verbose."""
    shell.write(
        "ben/memory/boat.md", "# Boat\n" + "".join(f"- oar number {n}x\n" for n in range(9))
    )
    short = shell.run("search", home, "oar number 5x", "-k", "1").out
    assert short.count("oar number") == 3
    assert "oar number 5x" in short
    assert "6 more lines" in short
    assert shell.run("search", home, "oar number 5x", "-k", "1", "--verbose").out.count("oar") == 9


def test_a_turn_that_only_calls_tools_shows_what_it_calls(shell, home):
    """An assistant's turn without words shows the tool and its arguments."""
    wish = {"id": "c1", "type": "function", "function": {"name": "look", "arguments": '{"at": 1}'}}
    turn = {"role": "assistant", "content": None, "tool_calls": [wish, "odd"]}
    shell.write("ben/transcripts/calls.jsonl", json.dumps(turn) + "\n")
    assert 'calls look {"at": 1}' in shell.run("transcripts", "show", home, "calls").out


def test_rename_takes_links_along(shell, home):
    """A renamed note is where it should be, and its links lead there."""
    shell.write("ben/memory/tea.md", "# All about tea\n\n- Leaves and water.\n")
    shell.write("ben/USER.md", "- Drinks much of it: [[tea]].\n")
    renamed = shell.run("rename", home, "tea", "leaves", "--json")
    assert (renamed.code, renamed.document["path"]) == (0, "memory/leaves.md")
    assert renamed.document["links"] == 1
    assert shell.read("ben/USER.md") == "- Drinks much of it: [[leaves]].\n"
    assert shell.run("rename", home, "nothing-there", "x").code == 2


def test_search_explains_and_never_repeats_the_query(shell, home):
    """Hits have place, score and, when asked for, its factors; the query is nowhere in them."""
    found = shell.run("search", home, "sencha temperature", "--json", "--explain")
    document = found.document
    assert (found.code, document["schema"]) == (0, "toolnexus/search/1")
    hit = document["hits"][0]
    assert (hit["path"], hit["in"]) == ("memory/green-teas.md", "notes")
    assert 0 < hit["score"] <= 1
    assert "why" in hit
    assert "sencha temperature" not in found.out
    everywhere = shell.run("search", home, "Bergen", "--in", "all", "--json").document
    assert any(hit["in"] == "transcripts" for hit in everywhere["hits"])
    assert shell.run("search", home, "x", "-k", "0").code == 2
    assert shell.run("search", home, "x", "--min-score", "2").code == 2


def test_transcripts_are_listed_shown_and_searched(shell, home):
    """The conversations of a home can be found by name, by number and by words."""
    listed = shell.run("transcripts", "list", home, "--json").document
    assert [item["id"] for item in listed["conversations"]] == ["2026-11-20-move"]
    shown = shell.run("transcripts", "show", home, "2026-11-20-move")
    assert "#1 user  2026-11-20T14:00:00Z\nWe moved to Bergen.\n" in shown.out
    assert shell.run("transcripts", "show", home, "nothing").code == 2
    found = shell.run("transcripts", "search", home, "bergen", "--role", "user", "--json").document
    (hit,) = found["hits"]
    assert hit["text"][hit["start"] : hit["start"] + hit["length"]] == "Bergen"
    none = shell.run("transcripts", "search", home, "bergen", "--before", "2026-11-01", "--json")
    assert none.document["hits"] == []
    assert shell.run("transcripts", "search", home, "bergen", "--after", "soon").code == 2


def test_index_and_doctor(shell, home):
    """The index tells what it took in; the doctor names each thing it looked at."""
    assert shell.run("index", home, "--json").document["added"] >= 2
    assert "passages embedded" in shell.run("index", home, "--rebuild").out
    report = shell.run("doctor", home, "--json").document
    names = {check["name"] for check in report["checks"]}
    assert {"settings", "index", "locks", "disk"} <= names
    assert all(check["fix"] for check in report["checks"] if not check["ok"])


def test_state_can_live_elsewhere(shell, home, monkeypatch):
    """With --state or its variable nothing is written into the home; several homes do not mix."""
    shell.run("remember", home, "Sleeps late.", "--state", "kept")
    assert not Path(home, ".toolnexus").exists()
    assert shell.run("log", home, "--state", "kept", "--json").document["entries"]
    shell.run("new", "bo")
    monkeypatch.setenv("TOOLNEXUS_STATE", "shared")
    shell.run("dream", home, "bo")
    folders = sorted(path.name.split("-")[0] for path in Path("shared").iterdir())
    assert set(folders) <= {"ben", "bo"}
    assert "ben" in folders
    assert not Path("bo", ".toolnexus").exists()
    assert shell.run("log", home, "--json").document["entries"]


def test_the_demo_shows_each_change(shell):
    """The demo dreams a copy of the sample persona and shows hunks, reasons and what to try."""
    shown = shell.run("demo", "--now", NOW)
    assert shown.code == 0
    assert "@@ MEMORY.md:" in shown.out
    assert shown.out.count("\n  because ") > 20
    assert "toolnexus revert demo-ava-1 last" in shown.out
    assert Path("demo-ava-1", "MEMORY.md").exists()
    assert shell.run("demo", "--quiet", "--json").document["path"] == "demo-ava-2"
    assert shell.run("demo", "--into", "demo-ava-1").code == 2


@pytest.mark.parametrize("shape", ["bash", "zsh", "fish"])
def test_completion_knows_every_command(shell, shape):
    """The script of each shell offers every command and its options."""
    script = shell.run("completion", shape).out
    for word in ("check", "transcripts", "overview", "dry-run", "sarif", "rebuild"):
        assert word in script
    if shape == "bash":
        assert subprocess.run(["bash", "-n"], input=script, text=True, check=False).returncode == 0


def test_bash_completes(shell):
    """Bash, given the script, completes a command and an option."""
    script = shell.run("completion", "bash").out
    ask = 'COMP_WORDS=(toolnexus "$@"); COMP_CWORD=$#; _toolnexus; echo "${COMPREPLY[*]}"'
    for words, reply in ((["ove"], "overview"), (["dream", "--dry"], "--dry-run")):
        done = subprocess.run(
            ["bash", "-c", f"{script}\n{ask}", "-", *words],
            capture_output=True,
            text=True,
            check=True,
        )
        assert done.stdout.strip() == reply


@pytest.mark.slow
def test_hidden_characters_are_shown_to_people_and_kept_for_programs(shell, home):
    """A text that would turn the reading direction is escaped on the terminal, whole in JSON."""
    shell.run("remember", home, "Likes tea\u202eeert.")
    assert "\u202e" not in shell.run("search", home, "likes tea").out
    hits = shell.run("search", home, "likes tea", "--json").document["hits"]
    assert any("\u202e" in hit["text"] for hit in hits)


@pytest.mark.parametrize(
    ("words", "path", "line"),
    [
        (["-5 degrees is cold."], "MEMORY.md", "- -5 degrees is cold."),
        (["--", "--odd words"], "MEMORY.md", "- --odd words"),
        (["--to", "user", "a=b"], "USER.md", "- a=b"),
        (["two\nlines"], "MEMORY.md", "- two lines"),
    ],
)
def test_any_text_can_be_remembered(shell, home, words, path, line):
    """Texts that look like options arrive as they were typed; several lines become one item."""
    assert shell.run("remember", home, *words).code == 0
    assert line in shell.read(f"ben/{path}")


def test_no_file_name_speaks_to_a_workflow(shell):
    """A line end in a file's name neither ends a line of text nor starts an annotation."""
    shell.write("ava/SOUL.md", "# Ava\n")
    shell.write(
        "ava/memory/n\n::error file=x::pwn.md", "- The tea is green.\n- The tea is green.\n"
    )
    for words in (
        ("check", "ava"),
        ("dream", "ava", "--dry-run"),
        ("search", "ava", "tea"),
        ("dream", "ava"),
        ("log", "ava"),
        ("remember", "ava", "x", "--to", "no\n::error::such"),
    ):
        ran = shell.run(*words)
        lines = [*ran.out.splitlines(), *ran.err.splitlines()]
        assert lines
        assert not [line for line in lines if line.lstrip().startswith("::")]
