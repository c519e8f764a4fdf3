"""The plugs that come along, those that packages bring, and the command."""

from __future__ import annotations

import json
from importlib.metadata import EntryPoint

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pasted_secrets import PASTED
from ripe_homes import made_home

from toolnexus.app import Home
from toolnexus.cli.main import main
from toolnexus.errors import UsageError
from toolnexus.evolve.plugging import run as running
from toolnexus.evolve.plugging.event import PlugEvent, PlugSkip
from toolnexus.evolve.plugs import registry
from toolnexus.evolve.plugs.documents import Documents, chunks
from toolnexus.evolve.plugs.jsonl import JsonLines, read_record
from toolnexus.evolve.plugs.markdown import MarkdownFolder
from toolnexus.evolve.plugs.registry import load_plug, plug_names


def write(root, files: dict[str, str | bytes]):
    """Write files below a folder, and return it."""
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(text.encode() if isinstance(text, str) else text)
    return root


def parted(plug) -> tuple[list[PlugEvent], list[PlugSkip]]:
    found = list(plug.events())
    events = [each for each in found if isinstance(each, PlugEvent)]
    return events, [each for each in found if isinstance(each, PlugSkip)]


def test_a_folder_of_markdown_is_knowledge(tmp_path):
    """Front matter is taken over, folders are scopes, hidden and foreign files are left out."""
    source = write(
        tmp_path / "notes",
        {
            "Tea.md": "---\ntitle: Green tea\ntags: [drinks]\naliases: [brew]\n---\nSencha.\n",
            "travel/Lisbon Trip.md": "---\nstage: raw\ncreated: 2026-03-01\n---\nSee [[Tea]].\n",
            "bad.md": b"\xff\xfe",
            ".hidden/secret.md": "no\n",
            "picture.png": b"\x89PNG",
        },
    )
    outside = write(tmp_path / "outside", {"x.md": "outside\n"})
    (source / "link.md").symlink_to(outside / "x.md")
    events, skips = parted(MarkdownFolder(source))
    assert [(e.id, e.scope, e.stage, e.title, e.tags) for e in events] == [
        ("Tea.md", "", "knowledge", "Green tea", ("drinks",)),
        ("travel/Lisbon Trip.md", "travel", "raw", "", ()),
    ]
    assert (events[0].text, events[0].aliases) == ("Sencha.\n", ("brew",))
    assert events[1].created == "2026-03-01"
    assert sorted(skip.reason for skip in skips) == [
        "it is a link that leads out of the source",
        "it is not UTF-8",
    ]
    home = made_home(tmp_path / "home", {})
    home.plug(MarkdownFolder(source))
    assert home.read().text("memory/travel/lisbon-trip.md").endswith("\nSee [[Tea]].\n")
    assert {each.rule for each in home.check()} == set()


def test_json_lines_are_read_however_they_call_their_text(tmp_path):
    """Texts, ids and days under their usual names; bad lines are counted with their place."""
    lines = [
        {
            "id": 7,
            "memory": "Likes tea.",
            "created": "in spring",
            "created_at": "2026-03-01",
            "tags": "a, b",
        },
        {"content": "No id.", "title": "T", "stage": "skill", "scope": "work"},
        {"page_content": "From a store.", "source": "https://example.org"},
        {"id": "empty"},
        [1],
    ]
    text = "\n".join(json.dumps(line) for line in lines) + "\n{torn\n\n"
    events, skips = parted(JsonLines(write(tmp_path, {"m.jsonl": text}) / "m.jsonl"))
    assert [(e.id, e.text) for e in events] == [
        ("7", "Likes tea."),
        (events[1].id, "No id."),
        (events[2].id, "From a store."),
    ]
    assert events[1].id.startswith("text:")
    assert (events[0].tags, events[0].created) == (("a", "b"), "2026-03-01")
    assert (events[1].stage, events[1].scope, events[2].source) == (
        "skill",
        "work",
        "https://example.org",
    )
    assert [skip.place for skip in skips] == ["m.jsonl:4", "m.jsonl:5", "m.jsonl:6"]


def test_a_line_taken_out_changes_no_other_record(tmp_path):
    """Where a record stands in its file is no part of it: the others are unchanged, one is gone."""
    lines = [json.dumps({"id": n, "text": f"Fact {n}."}) + "\n" for n in range(3)]
    source = write(tmp_path, {"m.jsonl": "".join(lines)}) / "m.jsonl"
    home = made_home(tmp_path / "home", {})
    home.plug(JsonLines(source))
    write(tmp_path, {"m.jsonl": "".join(lines[1:])})
    done = home.plug(JsonLines(source))
    assert (done.unchanged, done.updated, done.gone, done.wrote) == (2, 0, 1, False)


def test_a_line_without_end_is_not_held(tmp_path):
    """A line over four megabytes is skipped, and the next one is read."""
    text = '{"text": "' + "x" * 4_300_000 + '"}\n{"text": "next"}\n'
    events, skips = parted(JsonLines(write(tmp_path, {"m.jsonl": text})))
    assert [e.text for e in events] == ["next"]
    assert [skip.reason for skip in skips] == ["its line is too long"]


@pytest.mark.slow
@given(
    st.one_of(
        st.binary(max_size=60),
        st.recursive(
            st.one_of(st.none(), st.booleans(), st.floats(), st.text(max_size=8)),
            lambda inner: (
                st.lists(inner, max_size=3)
                | st.dictionaries(
                    st.sampled_from(["id", "text", "tags", "stage", "created"]), inner
                )
            ),
            max_leaves=8,
        ).map(lambda value: json.dumps(value).encode()),
    )
)
def test_any_line_is_an_event_or_a_skip(line):
    """Whatever stands in a line, reading it raises nothing."""
    assert isinstance(read_record(line, "m.jsonl", 1), PlugEvent | PlugSkip)


def test_documents_come_in_chunks(tmp_path):
    """A long text is cut where paragraphs end, each chunk known by its number."""
    paragraphs = [f"Paragraph {n}. " + "word " * 60 for n in range(20)]
    source = write(tmp_path, {"book.txt": "\n\n".join(paragraphs), "bad.txt": b"ok\n\xff"})
    events, skips = parted(Documents(source, chunk_chars=1_000))
    assert len(events) > 5
    assert [e.id for e in events] == [f"book.txt#{n}" for n in range(1, len(events) + 1)]
    assert all(len(e.text) <= 1_000 for e in events)
    assert " ".join("\n".join(e.text for e in events).split()) == " ".join(
        " ".join(paragraphs).split()
    )
    assert [skip.reason for skip in skips] == ["it is not UTF-8 from some place on"]
    with pytest.raises(UsageError):
        Documents(source, chunk_chars=10)


@given(st.text(alphabet="ab .\n", max_size=400), st.integers(100, 140))
def test_chunks_keep_every_word(text, most):
    """Chunks are as short as they should be, none is empty, and together they say it all."""
    found = list(chunks(text.splitlines(keepends=True), most))
    assert all(0 < len(chunk) <= most for chunk in found)
    assert "".join("".join(found).split()) == "".join(text.split())


def test_a_package_brings_a_plug(tmp_path, monkeypatch):
    """An entry point in the group is a plug by its name; one that fails is told, ours stay."""
    point = EntryPoint("diary", "test_shipped_plugs:diary", registry.GROUP)
    broken = EntryPoint("broken", "test_shipped_plugs:nothing_there", registry.GROUP)
    ours = EntryPoint("markdown", "test_shipped_plugs:diary", registry.GROUP)
    monkeypatch.setattr("importlib.metadata.entry_points", lambda **_: [point, broken, ours])
    assert plug_names() == ("markdown", "jsonl", "documents", "broken", "diary")
    assert load_plug("diary", "x").name == "diary"
    assert isinstance(load_plug("markdown", str(tmp_path)), MarkdownFolder)
    with pytest.raises(UsageError, match="cannot be made"):
        load_plug("broken", "x")
    with pytest.raises(UsageError, match="no plug 'dairy'") as refused:
        load_plug("dairy", "x")
    assert "diary" in str(refused.value.hint)
    with pytest.raises(UsageError, match="no such file"):
        load_plug("jsonl", str(tmp_path / "gone"))


def diary(source: str):
    """A plug of a package."""

    class Diary:
        name = "diary"

        def events(self):
            yield PlugEvent("day-1", source)

    return Diary()


def test_the_command_tells_what_came_of_it(tmp_path, monkeypatch, capsys):
    """Counts as text and as a document, what was left by name, and the same again as unchanged."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NO_COLOR", "1")
    made_home(tmp_path / "ben", {})
    write(tmp_path, {"n/tea.md": "Sencha.\n", "n/cup.md": "Red.\n", "n/bad.md": b"\xff"})
    assert main(["plug", "markdown", "n", "--into", "ben", "--dry-run"]) == 0
    dry = capsys.readouterr().out
    assert "+++ b/ben/memory/markdown/" in dry
    assert "+Sencha.\n" in dry
    assert "\nwould write 2 notes: 2 new" in dry
    assert main(["plug", "markdown", "n", "--into", "ben", "--dry-run", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["added"] == 2
    assert main(["plug", "markdown", "n", "--into", "ben", "--scope", "shelf"]) == 0
    shown = capsys.readouterr()
    (written,) = Home.open(tmp_path / "ben").log()
    assert shown.out.splitlines() == [
        "wrote 2 notes: 2 new, 0 updated; 0 unchanged",
        "skipped:",
        "        1  it is not UTF-8, first at n/bad.md",
        f"undo it with: toolnexus revert ben {written.id}",
    ]
    assert "2 events read, 2 notes written so far" in shown.err
    assert main(["plug", "markdown", "n/tea.md", "--into", "ben", "--scope", "one"]) == 0
    assert "1 event read, 1 note written so far" in capsys.readouterr().err
    write(tmp_path, {"n/tea.md": "Gyokuro.\n", "ben/memory/shelf/tea.md": "Mine.\n"})
    assert main(["plug", "markdown", "n", "--into", "ben", "--scope", "shelf", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["schema"] == "toolnexus/plug/1"
    assert (document["added"], document["unchanged"], document["wrote"]) == (0, 1, False)
    assert document["left"] == [
        {"path": "memory/shelf/tea.md", "reason": "the note was changed here"}
    ]
    assert main(["plug", "markdown", "n", "--into", "ben", "--scope", "shelf"]) == 0
    assert "ben/memory/shelf/tea.md  the note was changed here" in capsys.readouterr().out
    assert main(["plug", "nothing", "n", "--into", "ben"]) == 2


def test_each_part_tells_how_it_is_undone(tmp_path, monkeypatch, capsys):
    """Of several parts each has its command, newest first; in this order they undo all of it."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(running, "PART_EVENTS", 1)
    before = set(made_home(tmp_path / "ben", {}).read().notes)
    write(tmp_path, {f"n/{name}.md": f"About {name}.\n" for name in ("cup", "pot", "tea")})
    assert main(["plug", "markdown", "n", "--into", "ben"]) == 0
    told = capsys.readouterr().out
    assert "undo its 3 parts with:\n" in told
    commands = [line.split() for line in told.splitlines() if "toolnexus revert" in line]
    ids = [record.id for record in Home.open(tmp_path / "ben").log()]
    assert [words[-1] for words in commands] == ids[::-1]
    assert [main(words[1:]) for words in commands] == [0, 0, 0]
    assert set(Home.open(tmp_path / "ben").read().notes) == before


def test_secrets_that_come_in_are_told(tmp_path, monkeypatch, capsys):
    """What a source brings is not ours to change, but a key in it is told, and not shown."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NO_COLOR", "1")
    made_home(tmp_path / "ben", {})
    key = PASTED["an OpenAI key"]
    write(tmp_path, {"n/tea.md": "Sencha.\n", "n/key.md": f"The key: {key}\n"})
    assert main(["plug", "markdown", "n", "--into", "ben"]) == 0
    shown = capsys.readouterr().out
    assert "1 of them holds what looks like a secret; 'toolnexus check ben'" in shown
    assert key not in shown
    assert main(["plug", "markdown", "n", "--into", "ben", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["secrets"] == 0


def test_no_home_is_plugged_into_itself(tmp_path):
    """A folder in the home, or around it, is refused; a single file of it may come in."""
    home = made_home(tmp_path / "ben", {"memory/tea.md": "Sencha.\n"})
    for folder in (tmp_path, tmp_path / "ben", tmp_path / "ben/memory"):
        with pytest.raises(UsageError, match="into itself"):
            home.plug(MarkdownFolder(folder))
    assert home.plug(MarkdownFolder(tmp_path / "ben/SOUL.md")).added == 1
