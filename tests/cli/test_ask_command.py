"""``ask``: where the prompt comes from, what is printed and recorded, and how it ends."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest
from talking_shell import MODEL, Terminal, say, serve

from toolnexus.testing.openai_server import ServerReply


def turns(shell: Any, conversation: str) -> list[dict[str, Any]]:
    text = shell.read(f"ben/transcripts/{conversation}.jsonl")
    return [json.loads(line) for line in text.splitlines()]


@pytest.mark.slow
def test_a_reply_is_printed_and_recorded(shell, home, monkeypatch):
    """Standard output has the reply alone; it was streamed, under the soul as system prompt."""
    with serve(monkeypatch, "Good evening, Maria.") as server:
        ran = shell.run("ask", home, "Good evening!", "--conversation", "evening", *MODEL)
    assert (ran.code, ran.out, ran.err) == (0, "Good evening, Maria.\n", "")
    assert [turn["content"] for turn in turns(shell, "evening")] == [
        *("Good evening!", "Good evening, Maria.")
    ]
    [request] = server.requests
    assert request["stream"] is True
    assert request["messages"][0]["content"].startswith("## SOUL.md\n\n### Soul\n\nI am Ben.")
    assert request["messages"][-1] == {"role": "user", "content": "Good evening!"}


@pytest.mark.parametrize(
    ("words", "piped", "prompt"),
    [
        (["ben", "-"], "From a pipe.\n", "From a pipe."),
        (["ben"], "Two\nlines.\n", "Two\nlines."),
        (["Where am I?"], "", "Where am I?"),
        (["-"], "Here.", "Here."),
    ],
)
def test_the_prompt_comes_from_the_line_or_a_pipe(shell, home, monkeypatch, words, piped, prompt):
    """HOME may be left out, and so may the prompt where standard input has it."""
    if "ben" not in words:
        monkeypatch.chdir(home)
    say(monkeypatch, piped)
    with serve(monkeypatch, "Yes.") as server:
        assert shell.run("ask", *words, *MODEL).out == "Yes.\n"
    assert server.requests[0]["messages"][-1]["content"] == prompt


@pytest.mark.parametrize("words", [["ben"], ["ben", ""], ["ben", "two", "words"], ["ben", "-"], []])
def test_a_missing_prompt_is_wrong_usage(shell, home, monkeypatch, words):
    """Without a prompt, with an empty one or with too many words nobody is asked: exit 2."""
    monkeypatch.setattr("sys.stdin", Terminal())
    assert shell.run("ask", *words, *MODEL).code == 2
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"\xff\xfe"), "utf-8"))
    assert shell.run("ask", *words, *MODEL).code == 2


def test_without_a_model_the_hint_names_the_ways(shell, home):
    """No model is wrong settings, exit 78; no conversation is begun."""
    ran = shell.run("ask", home, "Hi.")
    assert (ran.code, ran.out) == (78, "")
    assert "ben: there is no model to ask" in ran.err
    assert "$TOOLNEXUS_MODEL" in ran.err
    assert not (shell.folder / "ben/transcripts/heartbeat.jsonl").exists()
    assert len(list((shell.folder / "ben/transcripts").iterdir())) == 1
    assert (
        shell.run("ask", home, "Hi.", "--model", "none", "--json").document["error"]["exit_code"]
        == 78
    )


def test_the_document(shell, home, monkeypatch):
    """With --json one document tells reply, conversation and cost, and nothing is streamed."""
    with serve(monkeypatch, ServerReply(text="Once upon", finish="length")):
        ran = shell.run("ask", home, "A story?", "--conversation", "story", "--json", *MODEL)
    told = ran.document
    assert (told["schema"], told["reply"], told["conversation"], told["cut"]) == (
        *("toolnexus/ask/1", "Once upon", "story", "length"),
    )
    usage = told["usage"]
    assert (usage["model_calls"], usage["tokens_in"], usage["tokens_out"]) == (1, 100, 20)
    assert turns(shell, "story")[-1]["cut"] == "length"


def test_a_reply_that_breaks_off(shell, home, monkeypatch):
    """Its words are printed and recorded as cut, and the exit code is the model's: 69."""
    with serve(monkeypatch, ServerReply(text="Once upon a time", cut_after=3)):
        ran = shell.run("ask", home, "A story?", "--conversation", "story", *MODEL)
    assert (ran.code, ran.out) == (69, "Once upon\n")
    assert ran.err.startswith("toolnexus: the model openai/gpt-4o-mini")
    last = turns(shell, "story")[-1]
    assert (last["content"], last["cut"]) == ("Once upon", "broke off")


def test_a_model_that_says_no(shell, home, monkeypatch):
    """A refused key is one line and exit 69; what the person said is kept."""
    with serve(monkeypatch, ServerReply(status=401, text="bad key")):
        ran = shell.run("ask", home, "Hi.", "--conversation", "talk", *MODEL)
    assert (ran.code, ran.out) == (69, "")
    assert [turn["role"] for turn in turns(shell, "talk")] == ["user"]


def test_a_reply_cannot_act_on_a_terminal_or_a_workflow(shell, home, monkeypatch):
    """Control characters are made visible, and no line is one that a workflow's runner obeys."""
    text = "red \x1b[31m\n ::error::gone\n::warning"
    with serve(monkeypatch, text):
        ran = shell.run("ask", home, "Hi.", *MODEL)
    assert ran.out == "red \\x1b[31m\n \\x3a:error::gone\n\\x3a:warning\n"


def test_tools_are_used_on_the_way(shell, home, monkeypatch):
    """What the persona says before it calls a tool is printed too, parted by a blank line."""
    args = json.dumps({"action": "add", "text": "Has a cat."})
    calls = ServerReply(text="Let me note that.", calls=(("memory", args),))
    with serve(monkeypatch, calls, "Noted."):
        ran = shell.run("ask", home, "I have a cat.", *MODEL)
    assert ran.out == "Let me note that.\n\nNoted.\n"
    assert "Has a cat." in shell.read("ben/MEMORY.md")
