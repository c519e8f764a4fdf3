"""An import as a whole: only what is new, whole or not at all, whatever the source."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from importing_desk import reasons

from toolnexus.app.importing import import_transcripts
from toolnexus.errors import DiskError, HomeError, UsageError
from toolnexus.files import Disk
from toolnexus.transcripts.importers.importer import Said
from toolnexus.transcripts.importers.landing import Landing
from toolnexus.transcripts.importers.source import LINE_CAP_BYTES
from toolnexus.transcripts.turn import Turn


def turns(*texts, **more):
    return [{"role": "user", "content": text, **more} for text in texts]


def forget(desk):
    """Delete what imports remember."""
    (desk.home / ".toolnexus/state/imports.json").unlink()


@pytest.mark.parametrize("remembered", [True, False])
def test_importing_again_adds_nothing(desk, remembered):
    """A second import changes no file, with its memory or without."""
    source = desk.write("chat.jsonl", *turns("One.", "ok", "ok", "Two."))
    first = desk.run("jsonl", source)
    before = desk.files()
    if not remembered:
        forget(desk)
    again = desk.run("jsonl", source)
    assert (first.new, first.turns.user) == (1, 4)
    assert (again.new, again.grown, again.known) == (0, 0, 1)
    assert (again.turns.total, again.turns_known) == (0, 4)
    assert desk.files() == before


@pytest.mark.parametrize("remembered", [True, False])
def test_a_source_that_grew_adds_its_new_turns(desk, remembered):
    """What was said since comes to the conversation's end, the same words again among it."""
    source = desk.write("chat.jsonl", *turns("One.", "ok"))
    desk.run("jsonl", source)
    desk.append("chat.jsonl", *turns("ok", "Two."))
    if not remembered:
        forget(desk)
    done = desk.run("jsonl", source)
    assert (done.grown, done.turns.total, done.turns_known) == (1, 2, 2)
    assert [text for _, text in desk.talk()] == ["One.", "ok", "ok", "Two."]


def test_an_unchanged_source_is_not_read_again_unless_the_home_lost_its_turns(desk, monkeypatch):
    """The memory spares reading; it is not believed where a conversation is gone or shorter."""
    source = desk.write("chat.jsonl", *turns("One.", "Two."))
    desk.run("jsonl", source)
    target = desk.home / "transcripts" / "chat.jsonl"
    target.write_bytes(target.read_bytes().splitlines(keepends=True)[0])
    assert desk.run("jsonl", source).turns.total == 1
    target.unlink()
    assert desk.run("jsonl", source).turns.total == 2
    monkeypatch.setattr("toolnexus.transcripts.importers.messages._read", lambda _path: 1 / 0)
    assert desk.run("jsonl", source).known == 1


def test_a_damaged_memory_is_no_memory(desk):
    """Whatever stands in the state file, an import goes on and doubles nothing."""
    source = desk.write("chat.jsonl", *turns("One."))
    desk.run("jsonl", source)
    state = desk.home / ".toolnexus/state/imports.json"
    for damaged in ("[]", "{", '{"jsonl:x": 1}', state.read_text().replace("version", "v")):
        state.write_text(damaged)
        assert desk.run("jsonl", source).turns.total == 0


def test_a_last_line_that_is_not_whole_comes_the_next_time(desk):
    """A source that is being written is fine: half a turn is never taken."""
    source = desk.write("chat.jsonl", *turns("One."), b'{"role": "user", "con')
    done = desk.run("jsonl", source)
    assert reasons(done) == {"the last line is not whole yet": 1}
    desk.append("chat.jsonl", b'tent": "Two."}\n')
    assert desk.run("jsonl", source).turns.total == 1
    assert [text for _, text in desk.talk()] == ["One.", "Two."]


def test_a_dry_run_writes_nothing_and_counts_as_the_run_itself(desk):
    """It tells what would come, also of two files that say the same."""
    for name in ("a", "b"):
        desk.write(f"{name}/chat.jsonl", *turns("One.", "Two."))
    before = sorted(desk.folder.rglob("*"))
    dry = desk.run("jsonl", desk.folder / "a", desk.folder / "b", dry_run=True)
    assert sorted(desk.folder.rglob("*")) == before
    wet = desk.run("jsonl", desk.folder / "a", desk.folder / "b")
    assert (dry.new, dry.turns, dry.turns_known) == (wet.new, wet.turns, wet.turns_known)
    assert dry.dry_run


def test_sources_are_never_written(desk):
    """No byte, time or name of a source changes, though its folder can be written."""
    source = desk.write("in/chat.jsonl", *turns("One."), b"{torn")
    before = {p: (p.stat().st_mtime_ns, p.stat().st_size) for p in source.parent.rglob("*")}
    desk.run("jsonl", source.parent)
    assert {p: (p.stat().st_mtime_ns, p.stat().st_size) for p in source.parent.rglob("*")} == before


@pytest.mark.slow
def test_two_imports_at_once_do_not_double_turns(desk):
    """Two processes, and two threads that share no state folder, give each turn once."""
    for number in range(5):
        desk.write(f"in/{number}.jsonl", *turns(*(f"{number}-{n}" for n in range(40))))
    script = "import sys; from toolnexus.cli.main import main; sys.exit(main(sys.argv[1:]))"
    words = ["import", "jsonl", str(desk.folder / "in"), "--into", str(desk.home), "--quiet"]
    command = [sys.executable, "-c", script, *words]
    running = [subprocess.Popen(command, stdout=subprocess.DEVNULL) for _ in range(2)]
    assert [process.wait() for process in running] == [0, 0]

    def run(state):
        home = desk.open(state=desk.folder / state)
        return import_transcripts(home, "jsonl", [desk.folder / "more"])

    for number in range(5):
        desk.write(f"more/m{number}.jsonl", *turns(*(f"m{number}-{n}" for n in range(40))))
    with ThreadPoolExecutor() as pool:
        list(pool.map(run, ["s1", "s2", "s3"]))
    talks = desk.talks()
    assert len(talks) == 10
    for talk in talks.values():
        assert len(talk) == len(set(talk)) == 40


def test_an_append_meanwhile_is_kept(desk):
    """Turns that a chat adds to a conversation between two imports stay where they are."""
    source = desk.write("chat.jsonl", *turns("One."))
    desk.run("jsonl", source)
    desk.open().transcripts.append("chat", {"role": "assistant", "content": "Hi."})
    desk.append("chat.jsonl", *turns("Two."))
    desk.run("jsonl", source)
    assert [text for _, text in desk.talk()] == ["One.", "Hi.", "Two."]


class FullDisk(Disk):
    """A disk that takes half of what it is given."""

    def append(self, descriptor, data):
        """Write half of it."""
        return os.write(descriptor, data[: len(data) // 2])

    def write_new(self, path, data, **more):
        """Write half of it, and fail."""
        super().write_new(path, data[: len(data) // 2], **more)
        raise OSError(28, "No space left on device")


@pytest.mark.parametrize("before", [b"", b'{"role": "user", "content": "Zero."}'])
def test_a_full_disk_leaves_the_conversation_as_it_was(desk, before):
    """New or grown, a conversation is never half written; nothing else is left behind."""
    folder = desk.home / "transcripts"
    folder.mkdir()
    if before:
        (folder / "chat.jsonl").write_bytes(before)
    landing = Landing(folder, root=desk.home, disk=FullDisk())
    with pytest.raises(DiskError):
        landing.add("chat", [Said(Turn("user", "One.")), Said(Turn("user", "Two."))])
    assert desk.files() == ({"chat.jsonl": before} if before else {})


KILLED = """
import os, sys
from pathlib import Path
from toolnexus.files import Disk
from toolnexus.transcripts.importers.importer import Said
from toolnexus.transcripts.importers.landing import Landing
from toolnexus.transcripts.turn import Turn

class Deadly(Disk):
    def replace(self, *paths, **more):
        os._exit(9)

home = Path(sys.argv[1])
Landing(home / "transcripts", root=home, disk=Deadly()).add("chat", [Said(Turn("user", "One."))])
"""


def test_a_process_that_dies_leaves_no_half_conversation(desk):
    """Killed before a new conversation is in place: nothing shows, the next run has all."""
    died = subprocess.run([sys.executable, "-c", KILLED, str(desk.home)], check=False)
    assert died.returncode == 9
    assert [talk for talk in desk.talks().values() if talk] == []
    done = desk.run("jsonl", desk.write("chat.jsonl", *turns("One.", "Two.")))
    assert (done.new, done.turns.total) == (1, 2)
    assert [text for _, text in desk.talk()] == ["One.", "Two."]


def test_a_torn_transcript_gets_its_new_turns_on_a_fresh_line(desk):
    """What a crash left in the home's file does not swallow what comes after it."""
    folder = desk.home / "transcripts"
    folder.mkdir()
    (folder / "chat.jsonl").write_bytes(b'{"role": "user", "content": "One."}\n{"role": "us')
    desk.run("jsonl", desk.write("chat.jsonl", *turns("One.", "Two.")))
    assert [text for _, text in desk.talk()] == ["One.", "Two."]


def test_a_transcript_that_leads_out_of_the_home_is_refused(desk):
    """No symbolic link among the transcripts can make an import write elsewhere."""
    outside = desk.write("outside.jsonl", *turns("One."))
    (desk.home / "transcripts").mkdir()
    (desk.home / "transcripts" / "chat.jsonl").symlink_to(outside)
    with pytest.raises(HomeError, match="leads out"):
        desk.run("jsonl", desk.write("chat.jsonl", *turns("One.", "Two.")))
    assert outside.read_text().count("\n") == 1


@pytest.mark.parametrize(
    "name", ["../../x", "a/b", "..", ".", ".hidden", "con", "%2F", "x" * 5000, "É\u0000\n", ""]
)
@pytest.mark.parametrize("tool", ["claude-code", "jsonl"])
def test_names_never_leave_the_folder(desk, tool, name):
    """Slashes, dots, length and control characters in ids and names are only text."""
    row = {"type": "user", "uuid": "1", "sessionId": name, "message": {"content": "Hello."}}
    stem = name.replace("/", "_").replace("\0", "")[:200] or "-"
    source = desk.write(f"in/{stem}.jsonl", row if tool == "claude-code" else turns("Hello.")[0])
    for _ in range(2):
        desk.run(tool, source)
    assert [path.parent for path in desk.home.rglob("*.jsonl")] == [desk.home / "transcripts"]
    assert desk.talk() == [("user", "Hello.")]


def test_two_long_names_stay_apart(desk):
    """Ids that only differ far behind are two conversations, and are known again."""
    for end in "ab":
        row = {
            "type": "user",
            "uuid": end,
            "sessionId": "S" * 300 + end,
            "message": {"content": end},
        }
        desk.write(f"in/{end}.jsonl", row)
    desk.run("claude-code", desk.folder / "in")
    forget(desk)
    assert desk.run("claude-code", desk.folder / "in").known == 2
    assert sorted(desk.talks().values()) == [[("user", "a")], [("user", "b")]]


def test_folders_that_cannot_be_read_and_files_that_are_none_are_counted(desk, monkeypatch):
    """No permission, FIFOs, links in circles or to nowhere: each is told, the rest is read."""
    desk.write("in/chat.jsonl", *turns("One."))
    (desk.folder / "in/locked").mkdir()
    os.mkfifo(desk.folder / "in/pipe.jsonl")
    (desk.folder / "in/circle.jsonl").symlink_to("circle.jsonl")
    (desk.folder / "in/gone.jsonl").symlink_to("nowhere")
    (desk.folder / "in/loop").symlink_to(".")
    scandir = os.scandir

    def refusing(path):
        if Path(path).name == "locked":
            raise PermissionError(13, "Permission denied", str(path))
        return scandir(path)

    monkeypatch.setattr(os, "scandir", refusing)
    done = desk.run("jsonl", desk.folder / "in")
    assert desk.talk() == [("user", "One.")]
    assert reasons(done) == {
        "cannot be read: Permission denied": 1,
        "cannot be read: not a regular file": 1,
        "cannot be read: Too many levels of symbolic links": 1,
        "cannot be read: No such file or directory": 1,
        "a symbolic link to a folder is not followed": 1,
    }
    assert all(Path(skip.path).name != "in" for skip in done.skipped)


def test_a_file_that_could_not_be_read_is_tried_again(desk, monkeypatch):
    """What failed is not remembered as read."""
    source = desk.write("chat.jsonl", *turns("One."))
    opened = os.open

    def refusing(path, *rest, **more):
        if path == source:
            raise OSError(5, "Input/output error", str(path))
        return opened(path, *rest, **more)

    with monkeypatch.context() as patched:
        patched.setattr(os, "open", refusing)
        assert reasons(desk.run("jsonl", source)) == {"cannot be read: Input/output error": 1}
    assert desk.run("jsonl", source).new == 1


def test_a_line_without_end_is_bounded(desk):
    """A line over the cap is passed over, told, and costs only itself."""
    huge = b'{"role": "user", "content": "' + b"x" * (LINE_CAP_BYTES + 10) + b'"}\n'
    done = desk.run("jsonl", desk.write("chat.jsonl", *turns("One."), huge, *turns("Two.")))
    assert [text for _, text in desk.talk()] == ["One.", "Two."]
    assert reasons(done) == {"a line too long to be a message": 1}


def test_many_kinds_of_records_do_not_fill_the_summary(desk):
    """Reasons are bounded in number and length."""
    rows = [{"type": f"kind-{number}" + "x" * 500} for number in range(200)]
    done = desk.run("claude-code", desk.write("s.jsonl", *rows))
    assert len(done.skipped) == 51
    assert sum(skip.count for skip in done.skipped) == 200
    assert all(len(skip.reason) < 80 for skip in done.skipped)
    assert done.empty == 1


def test_a_source_that_is_not_there_stops_before_anything_is_read(desk):
    """A mistyped path is wrong usage, and names itself."""
    good = desk.write("chat.jsonl", *turns("One."))
    with pytest.raises(UsageError, match="no such file") as caught:
        desk.run("jsonl", good, desk.folder / "typo")
    assert caught.value.path == str(desk.folder / "typo")
    assert desk.talks() == {}


def test_the_search_finds_what_was_imported(desk):
    """Imported turns are searched like any others, by role."""
    desk.run("jsonl", desk.write("chat.jsonl", *turns("We moved to Bergen."), *turns("And then?")))
    (hit,) = desk.open().search_transcripts("Bergen", role="user")
    assert (hit.conversation, hit.number) == ("chat", 1)
    assert json.loads(desk.files()["chat.jsonl"].splitlines()[0])["content"] == hit.excerpt
