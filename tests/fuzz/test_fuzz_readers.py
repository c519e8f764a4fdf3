"""Fuzzing: no text, line or value from elsewhere makes a reader do what it is not documented to.

TOOLNEXUS_SOAK=full runs a hundred times as many examples behind the marker ``soak``.
"""

from __future__ import annotations

import contextlib
import json
import os

import pytest
from fuzz_targets import ATOMS, LINES, TARGETS, VALUES
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from toolnexus.errors import ToolnexusError
from toolnexus.models.record import read_recording
from toolnexus.transcripts.importers.registry import OURS, load_importer

pytestmark = pytest.mark.slow

EXAMPLES = 30
MANY = 4_000 if os.environ.get("TOOLNEXUS_SOAK") == "full" else 60
_CHECKS = [HealthCheck.too_slow, HealthCheck.function_scoped_fixture, HealthCheck.data_too_large]
BOUNDED = settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=_CHECKS)
LONG = settings(max_examples=MANY, deadline=None, suppress_health_check=_CHECKS)


def feed(name, value):
    """Give a target something to read; only what it is documented to raise may come out."""
    target = TARGETS[name]
    with contextlib.suppress(*target.raises):
        target.read(value)


@pytest.mark.parametrize("name", TARGETS)
@BOUNDED
@given(data=st.data())
def test_a_reader_raises_only_what_it_documents(name, data):
    """Fragments of every syntax, in any order: an answer, or the error that is documented."""
    feed(name, data.draw(TARGETS[name].feed))


@pytest.mark.soak
@pytest.mark.parametrize("name", TARGETS)
@LONG
@given(data=st.data())
def test_a_reader_raises_only_what_it_documents_for_long(name, data):
    """The same with many more examples."""
    feed(name, data.draw(TARGETS[name].feed))


def imported(name, path):
    """Read a file as an importer does; return what it makes of it."""
    importer = load_importer(name)
    found = []
    with contextlib.suppress(OSError):
        for each in list(importer.files(path)):
            if hasattr(each, "reason"):
                continue
            for session in list(importer.sessions(each)):
                if not hasattr(session, "reason"):
                    with contextlib.suppress(OSError):
                        found += list(session.read())
    return found


SUFFIXES = {
    "chatgpt": "conversations.json",
    "codex": "rollout-2026-01-01T00-00-00-0a0b0c0d-1111-2222-3333-444455556666.jsonl",
}


@pytest.mark.parametrize("name", sorted(OURS))
@BOUNDED
@given(lines=st.lists(LINES, max_size=6))
def test_an_importer_takes_any_file(name, lines, tmp_path):
    """Bytes, lines of JSON and half lines become turns or counted skips, and never a traceback."""
    path = tmp_path / SUFFIXES.get(name, "session.jsonl")
    path.write_bytes(b"\n".join(lines))
    for item in imported(name, path):
        assert item.line >= 0


@BOUNDED
@given(lines=st.lists(LINES, max_size=6))
def test_a_recording_is_read_or_refused(lines, tmp_path):
    """Whatever a recording holds, it is read, or an error names its line."""
    path = tmp_path / "tape.jsonl"
    path.write_bytes(b"\n".join(lines))
    said = [n for n, line in enumerate(path.read_bytes().splitlines(), 1) if line.strip()]
    try:
        read = [each.line for each in read_recording(path)]
    except ToolnexusError as error:
        read = [error.line] if error.path == str(path) else []
        said = [line for line in said if line == error.line]
    assert read == said


@BOUNDED
@given(value=VALUES)
def test_the_values_that_feed_the_readers_are_json(value):
    """What the fuzzer calls a JSON value survives JSON, so that it could have come from a file."""
    assert isinstance(json.dumps(value), str)


def test_the_fragments_are_many():
    """The alphabet of the fuzzer has the marks of each syntax that is read."""
    assert len(set(ATOMS)) == len(ATOMS) > 60
