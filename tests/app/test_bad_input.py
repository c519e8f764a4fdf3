"""Bad input, each kind by name: a finding or an error that says where; the rest works."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from small_homes import CLOCK, FILES, files_of, make_home, write_files

from toolnexus.app import Home
from toolnexus.errors import ConfigError, ToolnexusError

GIB = 1024**3


def rules(home):
    """Return what `check` finds, by rule and path."""
    return {(found.rule, found.path) for found in home.check()}


def still_works(home):
    """Make sure that the rest of a home is read, written and dreamt about."""
    assert home.remember("Still works.", "tea").wrote
    assert home.dream().outcome in {"done", "nothing"}
    assert "- Still works.\n" in (home.root / "memory/tea.md").read_text()


def test_not_utf8(tmp_path):
    """A note that is no UTF-8 is found by its byte, left as it is, and still linked to."""
    home = make_home(tmp_path, {**FILES, "memory/x.md": "- [[latin]]\n"})
    (tmp_path / "memory/latin.md").write_bytes(b"- caf\xe9\n")
    found = [f for f in home.check() if f.rule == "not-utf8"]
    assert [(f.path, "5" in f.message) for f in found] == [("memory/latin.md", True)]
    assert ("broken-link", "memory/x.md") not in rules(home)
    still_works(home)
    assert (tmp_path / "memory/latin.md").read_bytes() == b"- caf\xe9\n"


def test_settings_that_are_not_utf8(tmp_path):
    """persona.yaml in another encoding is a finding with its byte; what needs it refuses."""
    make_home(tmp_path)
    (tmp_path / "persona.yaml").write_bytes(b"name: ava\nowner: Jos\xe9\n")
    home = Home.open(tmp_path, clock=CLOCK)
    found = [f for f in home.check() if f.path == "persona.yaml"]
    assert [(f.rule, f.severity, f.line) for f in found] == [("not-utf8", "error", 2)]
    assert "byte 20" in found[0].message
    assert home.name == "ava"
    with pytest.raises(ConfigError, match="byte 20"):
        home.dream()


def test_byte_order_mark_and_crlf(tmp_path):
    """A pass keeps the mark and the line endings of what it edits."""
    memory = "\ufeff" + FILES["MEMORY.md"].replace("\n", "\r\n")
    home = make_home(tmp_path, {**FILES, "MEMORY.md": memory})
    home.dream()
    data = (tmp_path / "MEMORY.md").read_bytes()
    assert data.startswith(b"\xef\xbb\xbf# Memory\r\n")
    assert data.count(b"\n") == data.count(b"\r\n")


BOMB = "\n".join(["k0: &k0 [x, x]", *(f"k{n}: &k{n} [*k{n - 1}, *k{n - 1}]" for n in range(1, 40))])


@pytest.mark.parametrize(
    "front",
    ["title: [", "title: a\ntitle: b", "x: !!python/object:os.system {}", BOMB, "[" * 5_000],
)
def test_bad_and_bomb_like_front_matter(tmp_path, front):
    """Front matter that cannot be read is found by its line; the body's claims are kept."""
    home = make_home(tmp_path, {**FILES, "memory/bad.md": f"---\n{front}\n---\n- A claim.\n"})
    found = [f for f in home.check() if f.rule == "bad-front-matter"]
    assert [f.path for f in found] == ["memory/bad.md"]
    assert found[0].line >= 2
    assert home.read().notes["memory/bad.md"].document.claims[0].text == "A claim."
    still_works(home)


def test_duplicate_slugs_and_ambiguous_links(tmp_path):
    """Two notes of one slug are found, and so is the link that could mean both."""
    twins = {"memory/a/x.md": "- One.\n", "memory/b/x.md": "- Two.\n", "memory/y.md": "[[x]]\n"}
    home = make_home(tmp_path, {**FILES, **twins})
    found = rules(home)
    assert ("ambiguous-link", "memory/y.md") in found
    assert "duplicate-slug" in {rule for rule, _ in found}
    still_works(home)
    assert (tmp_path / "memory/y.md").read_text() == "[[x]]\n"


def test_links_out_of_the_home(tmp_path):
    """A symbolic link that leads out is found, not read, and nothing is written through it."""
    root = write_files(tmp_path / "ava", FILES)
    (tmp_path / "secret.md").write_text("- Secret.\n")
    (root / "memory/out.md").symlink_to(tmp_path / "secret.md")
    home = Home.open(root, clock=CLOCK)
    assert ("escaping-symlink", "memory/out.md") in rules(home)
    with pytest.raises(ToolnexusError):
        home.remember("x", "out")
    still_works(home)
    assert (tmp_path / "secret.md").read_text() == "- Secret.\n"


@pytest.mark.slow
def test_a_file_of_a_gibibyte_is_read_to_the_cap(tmp_path):
    """A huge soul file costs no more than its cap, and is never written."""
    home = make_home(tmp_path)
    with (tmp_path / "MEMORY.md").open("r+b") as file:
        file.truncate(GIB)
    snapshot = home.read()
    assert len(snapshot.text("MEMORY.md").encode()) <= 2_097_152
    assert not snapshot.notes["MEMORY.md"].is_writable
    with pytest.raises(ToolnexusError):
        home.remember("x")
    still_works(home)
    assert (tmp_path / "MEMORY.md").stat().st_size == GIB


def test_a_folder_and_a_pipe_named_like_files(tmp_path):
    """A directory SOUL.md and a FIFO among the notes are found, and nothing waits for them."""
    home = make_home(tmp_path)
    (tmp_path / "SOUL.md").unlink()
    (tmp_path / "SOUL.md").mkdir()
    os.mkfifo(tmp_path / "memory/pipe.md")
    assert {("not-a-file", "SOUL.md"), ("not-a-file", "memory/pipe.md")} <= rules(home)
    still_works(home)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_without_permission(tmp_path):
    """A note that may not be read is found, and the rest works."""
    home = make_home(tmp_path, {**FILES, "memory/shut.md": "- x\n"})
    (tmp_path / "memory/shut.md").chmod(0)
    assert "memory/shut.md" in {path for _, path in rules(home)}
    still_works(home)


def test_a_name_of_three_hundred_characters(tmp_path):
    """An endless name is refused as a usage error, wherever it is given."""
    home = make_home(tmp_path, {**FILES, "memory/x.md": f"- [[{'n' * 300}]]\n"})
    assert ("broken-link", "memory/x.md") in rules(home)
    for work in (lambda: home.remember("x", "n" * 300), lambda: home.rename("tea", "n" * 300)):
        with pytest.raises(ToolnexusError) as caught:
            work()
        assert caught.value.exit_code == 2
    still_works(home)


@pytest.mark.parametrize(("one", "other"), [("caf\u00e9", "cafe\u0301"), ("Case", "case")])
def test_twins_by_composition_and_by_case(tmp_path, one, other):
    """Names that differ by Unicode form or case alone are found as one slug; both are kept."""
    twins = {f"memory/{one}.md": "- One.\n", f"memory/{other}.md": "- Two.\n"}
    home = make_home(tmp_path, {**FILES, **twins})
    if len(list((tmp_path / "memory").iterdir())) < 4:
        pytest.skip("this file system tells them not apart")
    assert "duplicate-slug" in {rule for rule, _ in rules(home)}
    still_works(home)
    assert {f"memory/{one}.md", f"memory/{other}.md"} <= set(files_of(tmp_path))


def test_an_empty_home(tmp_path):
    """A home with one empty file can be checked, dreamt about, and remembered in."""
    home = make_home(tmp_path, {"SOUL.md": ""})
    assert home.dream().outcome == "nothing"
    assert home.remember("First.").path == "MEMORY.md"
    assert (tmp_path / "MEMORY.md").read_text() == "- First.\n"


def test_torn_and_foreign_lines(tmp_path):
    """Lines that are no turns are found by file and line; the turns around them are read."""
    lines = ['{"role": "user", "content": "hi"}', "[1]", '{"role": "us', "\x00", '{"a": 1}']
    text = "\n".join([*lines, '{"role": "user", "content": "the canoe"}']) + "\n"
    home = make_home(tmp_path, {**FILES, "transcripts/a.jsonl": text})
    bad = {
        f.line for f in home.check() if f.path == "transcripts/a.jsonl" and f.severity == "error"
    }
    assert bad == {2, 3, 4, 5}
    assert [hit.number for hit in home.search_transcripts("canoe")] == [6]
    still_works(home)


@pytest.mark.parametrize(
    ("name", "conversation"), [("..%2Fx", "../x"), (".hid", ".hid"), ("%2E.", ".."), ("..", "..")]
)
def test_transcripts_whose_ids_begin_with_dots(tmp_path, name, conversation):
    """A leading dot in a transcript's name hides it from nobody, and its id finds it again."""
    turn = '{"role": "user", "content": "the canoe"}\n'
    home = make_home(tmp_path, {**FILES, f"transcripts/{name}.jsonl": turn})
    assert conversation in [record.id for record in home.conversations()]
    assert [hit.conversation for hit in home.search_transcripts("canoe")] == [conversation]
    assert [turn.text for turn in home.conversation(conversation).turns] == ["the canoe"]
    assert not [path for rule, path in rules(home) if rule == "unreadable-transcript"]


def test_a_transcript_without_a_name(tmp_path):
    """A transcript whose name holds no id is told of; what other tools lay beside one is not."""
    turn = '{"role": "user", "content": "the canoe"}\n'
    beside = {f"transcripts/{name}.jsonl": turn for name in ("", "._a", ".#a")}
    home = make_home(tmp_path, {**FILES, **beside})
    told = [path for rule, path in rules(home) if rule == "unreadable-transcript"]
    assert told == ["transcripts/.jsonl"]
    assert not home.search_transcripts("canoe")


def test_a_lock_held_by_a_dead_process(tmp_path):
    """A lock goes with the process that held it, killed or not; its file is in nobody's way."""
    home = make_home(tmp_path)
    holder = (
        "import os, signal, sys; from pathlib import Path; from toolnexus.store.door import Store\n"
        "with Store(Path(sys.argv[1])).hold('dream'): os.kill(os.getpid(), signal.SIGKILL)"
    )
    done = subprocess.run([sys.executable, "-c", holder, str(tmp_path)], check=False)
    assert done.returncode == -9
    assert (tmp_path / ".toolnexus/locks/dream.lock").exists()
    still_works(home)
