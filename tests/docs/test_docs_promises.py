"""What the documents promise of a dream, shown on the sample persona."""

from __future__ import annotations

import inspect
import re
import socket
from typing import TYPE_CHECKING, NamedTuple

import pytest
from documents import read_page

import toolnexus
from toolnexus import Home, copy_sample
from toolnexus.home.claims import all_claims

if TYPE_CHECKING:
    from pathlib import Path

    from toolnexus.dream.types import Pass

Files = dict[str, tuple[bytes, int]]


class Dreamt(NamedTuple):
    """A neglected home and two passes over it, with its files before, between and behind them."""

    home: Home
    found: Files
    first: Pass
    left: Files
    second: Pass
    last: Files


@pytest.fixture(scope="module")
def dreamt(tmp_path_factory):
    """The sample persona Ava, dreamt twice with no way out to any network."""

    def refuse(*_: object) -> None:
        raise AssertionError("something opened a connection")

    folder = copy_sample("ava", tmp_path_factory.mktemp("promises") / "ava")
    home = Home.open(folder)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(socket.socket, "connect", refuse)
        patch.delenv("TOOLNEXUS_MODEL", raising=False)
        found, first = files_below(folder), home.dream()
        left, second = files_below(folder), home.dream()
    return Dreamt(home, found, first, left, second, files_below(folder))


def files_below(folder: Path) -> Files:
    """Return each file's bytes and time, the state folder left out."""
    return {
        path.relative_to(folder).as_posix(): (path.read_bytes(), path.stat().st_mtime_ns)
        for path in folder.rglob("*")
        if path.is_file() and ".toolnexus" not in path.parts
    }


@pytest.mark.slow
def test_a_suspected_claim_stays_as_it_is(dreamt):
    """A claim that a turn contradicts is shown with the turn, and stands in the home afterwards."""
    assert dreamt.first.wrote
    suspected = {suspicion.claim for suspicion in dreamt.first.suspected}
    assert any("39.90 euros" in claim for claim in suspected)
    assert all(suspicion.evidence for suspicion in dreamt.first.suspected)
    assert suspected <= {located.claim.text for located in all_claims(dreamt.home.read())}


def test_a_dream_stays_at_home(dreamt):
    """A whole pass connects to nothing, and leaves transcripts and who the persona is untouched."""
    still = {
        name: seen
        for name, seen in dreamt.found.items()
        if name.startswith("transcripts/") or name == "SOUL.md"
    }
    assert len(still) > 5
    assert still.items() <= dreamt.left.items()


def test_a_pass_with_nothing_to_do_touches_no_file(dreamt):
    """The second pass answers HEARTBEAT_OK, and writes no file of the home, the log included."""
    assert dreamt.second.reply == "HEARTBEAT_OK"
    assert dreamt.last == dreamt.left


def test_the_python_page_tells_true_signatures():
    """Each method in the page's table is one of `Home`, with the arguments that it takes."""
    names, _, methods = read_page("docs/python.md").partition("## Methods of Home")
    rows = re.findall(r"^\| `(\w+)\((.*?)\)` \|", methods, re.MULTILINE)
    ports = re.findall(r"`(\w+)\(", "".join(re.findall(r"^\| `.*", names, re.MULTILINE)))
    assert ports
    assert set(ports) <= set(toolnexus.__all__)
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
        assert shown == [argument for argument in taken if argument in shown], name
