"""Recordings."""

from __future__ import annotations

import asyncio
import json

import pytest

from toolnexus.errors import Refused, Unreachable, UsageError
from toolnexus.models.completion import Request, ToolSpec
from toolnexus.models.message import UserMessage
from toolnexus.models.record import RecordingModel, ReplayModel
from toolnexus.models.redact import Redactor
from toolnexus.testing.model import ScriptedModel, call, say, use

TOOLS = (ToolSpec("memory", "remembers"),)


def ask(text: str) -> Request:
    return Request((UserMessage(text),), TOOLS)


def test_a_replay_says_what_was_said(tmp_path):
    """Words, calls, costs and errors come back the same, whoever asks first."""
    path = tmp_path / "run.jsonl"
    replies = [use(call("memory", action="list")), say("hello"), Unreachable("down", hint="wait")]
    model = RecordingModel(ScriptedModel(*replies), path)
    first, second = model.complete(ask("a")), model.complete(ask("b"))
    with pytest.raises(Unreachable):
        model.complete(ask("c"))
    replay = ReplayModel(path)
    assert replay.name == "scripted"
    assert replay.complete(ask("b")) == second
    assert asyncio.run(replay.acomplete(ask("a"))) == first
    with pytest.raises(Unreachable) as caught:
        replay.complete(ask("c"))
    assert (caught.value.message, caught.value.hint) == ("down", "wait")
    assert replay.left == 0


def test_equal_requests_are_replayed_in_order(tmp_path):
    """Asked the same twice, a replay gives the first reply first."""
    path = tmp_path / "run.jsonl"
    model = RecordingModel(ScriptedModel("one", "two"), path)
    model.complete(ask("a"))
    model.complete(ask("a"))
    replay = ReplayModel(path)
    assert [replay.complete(ask("a")).text, replay.complete(ask("a")).text] == ["one", "two"]


def test_streams_are_recorded_and_replayed(tmp_path):
    """A streamed reply is recorded whole and can be streamed again, sync and async."""
    path = tmp_path / "run.jsonl"
    model = RecordingModel(ScriptedModel("one two", "three"), path)
    assert "".join(delta.text for delta in model.stream(ask("a"))) == "one two"

    async def drain(streamed):
        return [delta async for delta in streamed]

    asyncio.run(drain(model.astream(ask("b"))))
    replay = ReplayModel(path)
    deltas = list(replay.stream(ask("a")))
    assert deltas[-1].completion is not None
    assert deltas[-1].completion.text == "one two"
    assert asyncio.run(drain(replay.astream(ask("b"))))[0].text == "three"


def test_another_question_is_a_clear_error(tmp_path):
    """A replay that is asked something else says where it parts from the recording."""
    path = tmp_path / "run.jsonl"
    RecordingModel(ScriptedModel("one"), path).complete(ask("Lives in Paris"))
    with pytest.raises(UsageError) as caught:
        ReplayModel(path).complete(ask("Lives in Berlin"))
    assert str(caught.value).startswith(f"{path}:1: ")
    assert "messages[0].content" in str(caught.value)
    assert "Berlin" in str(caught.value)


def test_a_replay_that_has_run_dry_says_so(tmp_path):
    """One question more than was recorded is told as that."""
    path = tmp_path / "run.jsonl"
    RecordingModel(ScriptedModel(), path)
    with pytest.raises(UsageError, match="no reply left"):
        ReplayModel(path).complete(ask("a"))


@pytest.mark.parametrize("line", ["{oops", "[]", '{"schema": "other/1"}', "[" * 100_000])
def test_a_broken_recording_is_named_by_line(tmp_path, line):
    """A file that is no recording is an error with its path and line, never a traceback."""
    path = tmp_path / "run.jsonl"
    path.write_text(f"\n{line}\n")
    with pytest.raises(UsageError) as caught:
        ReplayModel(path)
    assert str(caught.value).startswith(f"{path}:2: ")


def test_a_missing_recording_is_an_error(tmp_path):
    """A path with nothing there says how a recording is made."""
    with pytest.raises(UsageError) as caught:
        ReplayModel(tmp_path / "none.jsonl")
    assert "--record" in caught.value.hint


def test_no_key_is_recorded(tmp_path):
    """A key in a question, a reply or an error is masked in the file, and the replay still fits."""
    path = tmp_path / "run.jsonl"
    redactor = Redactor(["hunter2222"])
    inner = ScriptedModel("the key is hunter2222", Refused("bad key sk-abcdef123456"))
    model = RecordingModel(inner, path, redactor)
    model.complete(ask("hunter2222?"))
    with pytest.raises(Refused):
        model.complete(ask("again"))
    text = path.read_text()
    assert "hunter2222" not in text
    assert "sk-abcdef" not in text
    assert [json.loads(line)["model"] for line in text.splitlines()] == ["scripted", "scripted"]
    assert ReplayModel(path, redactor).complete(ask("hunter2222?")).text == "the key is [redacted]"
