"""Run files."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolnexus.agent.run_file import RunFile, new_run_file, read_run
from toolnexus.clock import FixedClock, parse_instant
from toolnexus.errors import DiskError
from toolnexus.models.redact import Redactor

CLOCK = FixedClock(parse_instant("2026-11-29T03:00:00Z"))


def test_a_run_cut_short_is_readable(tmp_path):
    """What a crash leaves, half a line included, is read as far as it goes."""
    file = RunFile(tmp_path / "runs" / "a.jsonl", CLOCK)
    file.append("message", {"message": {"role": "user", "content": "hi"}})
    file.append("reply", {"message": {"role": "assistant", "content": "hello"}})
    with file.path.open("ab") as handle:
        handle.write(b'{"kind": "mess')
    record = read_run(file.path)
    assert [message.text for message in record.messages] == ["hi", "hello"]
    assert (record.outcome, record.skipped) == ("", 1)


def test_keys_are_masked(tmp_path):
    """No key gets into a run file."""
    file = RunFile(tmp_path / "a.jsonl", CLOCK, Redactor(["hunter2222"]))
    file.append("message", {"message": {"role": "user", "content": "key hunter2222 sk-abcdef12"}})
    assert "hunter" not in file.path.read_text()
    assert "sk-abc" not in file.path.read_text()


def test_a_bounded_number_is_kept(tmp_path):
    """The oldest run files go when there are too many; other files stay."""
    (tmp_path / "notes.txt").write_text("mine")
    for day in range(10, 16):
        (tmp_path / f"202611{day}T030000Z-beat-aaaaaa.jsonl").write_text("")
    file = new_run_file(tmp_path, CLOCK, job="beat", keep=3)
    file.append("start", {})
    names = sorted(path.name for path in tmp_path.iterdir())
    assert names[:2] == [f"202611{day}T030000Z-beat-aaaaaa.jsonl" for day in (14, 15)]
    assert names[2].startswith("20261129T030000Z-beat-")
    assert names[3:] == ["notes.txt"]


def test_a_failing_disk_is_told(tmp_path):
    """A run file that cannot be written is an error of the disk's, not a traceback."""
    (tmp_path / "runs").write_text("a file where a folder should be")
    with pytest.raises(DiskError):
        new_run_file(tmp_path / "runs", CLOCK)


def test_a_failing_disk_is_told_once_where_somebody_listens(tmp_path):
    """With a listener nothing is raised: the first error is handed over, and no more is written."""
    (tmp_path / "runs").write_text("a file where a folder should be")
    told: list[DiskError] = []
    file = new_run_file(tmp_path / "runs", CLOCK, on_trouble=told.append)
    assert told == []
    file.append("start", {})
    (tmp_path / "runs").unlink()
    file.append("end", {})
    assert [error.path for error in told] == [str(file.path)]
    assert not file.path.exists()


@given(st.binary(max_size=200))
def test_any_file_can_be_read(tmp_path_factory, data):
    """Whatever stands in a run file, reading it is no crash."""
    path = tmp_path_factory.getbasetemp() / "any.jsonl"
    path.write_bytes(data + b"\n" + json.dumps({"kind": "end", "outcome": "done"}).encode())
    assert read_run(path).outcome == "done"
