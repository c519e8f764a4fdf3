"""What the documents promise of a dream, shown on the sample persona."""

from __future__ import annotations

import inspect
import re
import socket
from typing import TYPE_CHECKING

import pytest
from documents import read_page

from toolnexus import Home, copy_sample
from toolnexus.home.claims import all_claims

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def ava(tmp_path, monkeypatch):
    """The neglected sample persona, with no way out to any network."""

    def refuse(*_: object) -> None:
        raise AssertionError("something opened a connection")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.delenv("TOOLNEXUS_MODEL", raising=False)
    return Home.open(copy_sample("ava", tmp_path / "ava"))


def files_below(folder: Path) -> dict[str, tuple[bytes, int]]:
    """Return each file's bytes and time, the state folder left out."""
    return {
        path.relative_to(folder).as_posix(): (path.read_bytes(), path.stat().st_mtime_ns)
        for path in folder.rglob("*")
        if path.is_file() and ".toolnexus" not in path.parts
    }


def test_a_suspected_claim_stays_as_it_is(ava):
    """A claim that a turn contradicts is shown with the turn, and stands in the home afterwards."""
    done = ava.dream()
    assert done.wrote
    suspected = {suspicion.claim for suspicion in done.suspected}
    assert any("39.90 euros" in claim for claim in suspected)
    assert all(suspicion.evidence for suspicion in done.suspected)
    assert suspected <= {located.claim.text for located in all_claims(ava.read())}


def test_a_dream_stays_at_home(ava):
    """A whole pass connects to nothing, and leaves transcripts and who the persona is untouched."""
    before = files_below(ava.root)
    ava.dream()
    after = files_below(ava.root)
    still = [name for name in before if name.startswith("transcripts/") or name == "SOUL.md"]
    assert len(still) > 5
    assert {name: after[name] for name in still} == {name: before[name] for name in still}


def test_a_pass_with_nothing_to_do_touches_no_file(ava):
    """The second pass answers HEARTBEAT_OK, and writes no file of the home, the log included."""
    ava.dream()
    before = files_below(ava.root)
    assert ava.dream().reply == "HEARTBEAT_OK"
    assert files_below(ava.root) == before


def test_the_python_page_tells_true_signatures():
    """Each method in the page's table is one of `Home`, with the arguments that it takes."""
    rows = re.findall(r"^\| `(\w+)\((.*?)\)` \|", read_page("docs/python.md"), re.MULTILINE)
    public = {
        name: method
        for name, method in inspect.getmembers(Home, inspect.isfunction)
        if not name.startswith("_")
    }
    assert len(rows) > 10
    assert {name for name, _ in rows} <= set(public)
    for name, arguments in rows:
        taken = list(inspect.signature(public[name]).parameters)[1:]
        shown = re.findall(r"(\w+)(?:=(?:\([^)]*\)|[^,]+))?(?:, |$)", arguments)
        assert shown == taken, name
