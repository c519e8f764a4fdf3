from __future__ import annotations

import os
import shutil

import pytest

from toolnexus.errors import ConflictError, HomeError
from toolnexus.home.layout import LAYOUTS, SOUL_CAP_BYTES
from toolnexus.home.snapshot import IndexCap
from toolnexus.store import parse_pool, read
from toolnexus.store.parse_cache import CACHE_FILE, ParseCache
from toolnexus.store.parse_pool import parse_encoded
from toolnexus.store.read import HomeFacts, read_snapshot

LATER_NS = 10**19


def make_home(root, **files):
    (root / "memory").mkdir(parents=True, exist_ok=True)
    (root / "SOUL.md").write_text("You are Ava.\n")
    for name, data in files.items():
        (root / "memory" / f"{name}.md").write_bytes(data)
    return root


def cache_of(tmp_path, now_ns=LATER_NS):
    """A cache that believes all files to be old, so that their stamps can be trusted."""
    return ParseCache(tmp_path / CACHE_FILE, disk_time_ns=lambda: now_ns)


def forbid(monkeypatch, *names):
    """Let reading fail where it would read a file or parse a text."""

    def forbidden(*_):
        raise AssertionError("this must not be needed")

    for module, name in names:
        monkeypatch.setattr(module, name, forbidden)


READING = ((read, "read_capped"),)
PARSING = ((parse_pool, "parse_document"), (read, "parse_document"))


def test_bytes_come_back_as_they_are(tmp_path):
    """A byte order mark, CRLF and a missing last newline stand in the text as on the disk."""
    data = "\ufeff# Tea\r\n- Green".encode()
    home = read_snapshot(make_home(tmp_path, tea=data))
    assert home.text("memory/tea.md").encode() == data
    assert [claim.text for claim in home.notes["memory/tea.md"].document.claims] == ["Green"]


def test_a_file_that_is_not_utf8_is_left_out_and_told(tmp_path):
    """The finding names the byte; the note still answers to its name; the rest is read."""
    home = read_snapshot(make_home(tmp_path, latin=b"caf\xe9\n", tea=b"- Green\n"))
    (problem,) = home.problems
    assert (problem.path, problem.rule, problem.severity) == (
        "memory/latin.md",
        "not-utf8",
        "error",
    )
    assert "byte 3" in problem.message
    assert home.notes["memory/latin.md"].kind == "left-out"
    assert "memory/latin.md" not in home.texts
    assert home.text("memory/tea.md") == "- Green\n"


def test_a_huge_file_is_read_to_the_cap_only(tmp_path):
    """Over 2 MiB the text ends at a whole character, and the note is read-only and told."""
    huge = b"x" + "ä".encode() * SOUL_CAP_BYTES
    root = make_home(tmp_path, huge=huge)
    os.truncate(root / "memory" / "huge.md", 2**30)  # sparse: a gibibyte that is never read
    home = read_snapshot(root)
    text = home.text("memory/huge.md")
    assert SOUL_CAP_BYTES - 1 <= len(text.encode()) <= SOUL_CAP_BYTES
    assert text.endswith("ä")
    assert home.notes["memory/huge.md"].read_only
    assert [problem.rule for problem in home.problems] == ["soul-too-large"]


def test_a_file_at_the_cap_is_whole(tmp_path):
    """Exactly 2 MiB are no more than the cap: nothing is cut, and it can be written."""
    home = read_snapshot(make_home(tmp_path, full=b"x" * SOUL_CAP_BYTES))
    assert len(home.text("memory/full.md")) == SOUL_CAP_BYTES
    assert not home.notes["memory/full.md"].read_only


def test_a_text_that_changed_meanwhile_is_a_conflict(tmp_path):
    """A text is what the snapshot saw, or an error: never something newer."""
    home = read_snapshot(make_home(tmp_path, tea=b"- Green\n", cups=b"- Blue\n"))
    (tmp_path / "memory" / "tea.md").write_text("- Black\n")
    (tmp_path / "memory" / "cups.md").unlink()
    for path in ("memory/tea.md", "memory/cups.md"):
        with pytest.raises(ConflictError):
            home.text(path)


@pytest.mark.parametrize("kind", ["missing", "file", "empty", "other"])
def test_what_is_no_home_is_an_error_with_a_hint(tmp_path, kind):
    """Anything but a home names its path and suggests `toolnexus new`."""
    root = tmp_path / "ava"
    if kind == "file":
        root.write_text("x")
    elif kind != "missing":
        root.mkdir()
    if kind == "other":
        (root / "readme.txt").write_text("x")
    with pytest.raises(HomeError, match="ava") as raised:
        read_snapshot(root)
    assert "toolnexus new" in raised.value.hint


def test_settings_decide_over_looks(tmp_path):
    """Layout, name, owner and caps are what the settings say."""
    facts = HomeFacts(
        name="Ava", owner="Maria", layout=LAYOUTS["claude"], cap=IndexCap(lines=5), soul_cap_bytes=9
    )
    (tmp_path / "tea.md").write_text("- Green\n")
    home = read_snapshot(tmp_path, facts=facts)
    assert (home.name, home.owner, home.cap.lines, home.soul_cap_bytes) == ("Ava", "Maria", 5, 9)
    assert list(home.notes) == ["tea.md"]


def test_a_warm_read_reads_and_parses_nothing(tmp_path, monkeypatch):
    """With an unchanged home all comes from the cache: no file is opened, no text parsed."""
    root = make_home(tmp_path / "home", tea=b"- Green\n", latin=b"\xe9")
    cold = read_snapshot(root, cache=cache_of(tmp_path))
    forbid(monkeypatch, *READING, *PARSING)
    warm = read_snapshot(root, cache=cache_of(tmp_path))
    assert dict(warm.notes) == dict(cold.notes)
    assert warm.problems == cold.problems


def test_only_what_changed_is_parsed(tmp_path, monkeypatch):
    """One new text among others is the only one that is parsed; a renamed one is not."""
    root = make_home(tmp_path / "home", tea=b"- Green\n", cups=b"- Blue\n")
    read_snapshot(root, cache=cache_of(tmp_path))
    (root / "memory" / "cups.md").rename(root / "memory" / "mugs.md")
    (root / "memory" / "tea.md").write_text("- Black tea\n")
    parsed = []
    real = parse_pool.parse_document
    monkeypatch.setattr(
        parse_pool, "parse_document", lambda text: parsed.append(text) or real(text)
    )
    home = read_snapshot(root, cache=cache_of(tmp_path))
    assert parsed == ["- Black tea\n"]
    assert set(home.notes) == {"SOUL.md", "memory/tea.md", "memory/mugs.md"}
    assert home.notes["memory/mugs.md"].document.claims[0].text == "Blue"


def test_a_fresh_file_is_hashed_again(tmp_path, monkeypatch):
    """A file written within two seconds of the scan is not trusted by its stamp alone."""
    root = make_home(tmp_path / "home", tea=b"- Green\n")
    path = root / "memory" / "tea.md"
    now_ns = path.stat().st_mtime_ns + 1_000_000_000
    read_snapshot(root, cache=cache_of(tmp_path, now_ns))
    stamp = path.stat()
    path.write_text("- Black\n")
    os.utime(path, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))
    home = read_snapshot(root, cache=cache_of(tmp_path, now_ns))
    assert home.notes["memory/tea.md"].document.claims[0].text == "Black"
    forbid(monkeypatch, *PARSING)
    assert read_snapshot(root, cache=cache_of(tmp_path, now_ns)).text("memory/tea.md")


@pytest.mark.parametrize("damage", [b"", b"no database at all" * 99, None, "rows", "table"])
def test_a_damaged_cache_is_rebuilt(tmp_path, damage):
    """Whatever became of the cache, the home is read, and the next read is warm again."""
    import sqlite3

    root = make_home(tmp_path / "home", tea=b"- Green\n")
    read_snapshot(root, cache=cache_of(tmp_path))
    path = tmp_path / CACHE_FILE
    if isinstance(damage, bytes):
        path.write_bytes(damage)
    elif damage is None:
        path.write_bytes(path.read_bytes()[:5000])
    else:
        with sqlite3.connect(path) as base:
            base.execute("UPDATE files SET body = '[1'" if damage == "rows" else "DROP TABLE files")
        base.close()
    for _ in range(2):
        home = read_snapshot(root, cache=cache_of(tmp_path))
        assert home.notes["memory/tea.md"].document.claims[0].text == "Green"


def test_documents_of_another_parser_are_parsed_again(tmp_path, monkeypatch):
    """A new parser does not read what an old one kept."""
    from toolnexus.store import parse_cache

    root = make_home(tmp_path / "home", tea=b"- Green\n")
    read_snapshot(root, cache=cache_of(tmp_path))
    monkeypatch.setattr(parse_cache, "PARSER_VERSION", 10**6)
    assert cache_of(tmp_path).load()["memory/tea.md"].body is None
    home = read_snapshot(root, cache=cache_of(tmp_path))
    assert home.notes["memory/tea.md"].document.claims[0].text == "Green"


def test_the_cache_forgets_what_is_gone(tmp_path):
    """The cache holds what stands in the home and no more."""
    root = make_home(tmp_path / "home", tea=b"- Green\n", cups=b"- Blue\n")
    read_snapshot(root, cache=cache_of(tmp_path))
    (root / "memory" / "cups.md").unlink()
    read_snapshot(root, cache=cache_of(tmp_path))
    assert set(cache_of(tmp_path).load()) == {"SOUL.md", "memory/tea.md"}


def test_a_cache_that_cannot_be_kept_is_none(tmp_path):
    """Where the state folder is missing, reading works as without a cache."""
    root = make_home(tmp_path / "home", tea=b"- Green\n")
    cache = ParseCache(tmp_path / "nowhere" / CACHE_FILE)
    assert read_snapshot(root, cache=cache).text("memory/tea.md")
    assert not (tmp_path / "nowhere").exists()


def test_worker_processes_parse_as_this_one_does():
    """Texts that go through workers come back the same and in order; a dead worker is no loss."""
    texts = [f"# Note {number}\n- Claim [[{number}]] ä\n" for number in range(7)]
    assert parse_encoded(texts, workers=3) == parse_encoded(texts, workers=1)


def test_without_workers_this_process_parses(monkeypatch):
    """Where no interpreter can be started, nothing is missing."""
    monkeypatch.setattr(parse_pool.sys, "executable", "/nowhere/python")
    assert len(parse_encoded(["- a\n", "- b\n", "- c\n"], workers=3)) == 3


def test_a_moved_home_is_read_anew_from_its_cache(tmp_path):
    """A copied home, whose stamps all differ, is read right."""
    root = make_home(tmp_path / "home", tea=b"- Green\n")
    read_snapshot(root, cache=cache_of(tmp_path))
    shutil.copytree(root, tmp_path / "copy")
    (tmp_path / "copy" / "memory" / "tea.md").write_text("- Black\n")
    home = read_snapshot(tmp_path / "copy", cache=cache_of(tmp_path))
    assert home.notes["memory/tea.md"].document.claims[0].text == "Black"
