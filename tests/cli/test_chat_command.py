"""``chat``: scripted from a pipe, and at a terminal where Ctrl-C stops a reply alone."""

from __future__ import annotations

import json
import os
import pty
import re
import select
import signal
import subprocess
import sys
from typing import Any

import pytest
from talking_shell import MODEL, say, serve

from toolnexus.testing.openai_server import ServerReply

pytestmark = pytest.mark.slow

# A model that says two words and then never comes to an end; it stands in for litellm's.
CHILD = """
import signal, sys, threading

signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell in the background has it ignored
import toolnexus.models.litellm_model as vendor
from toolnexus.models.completion import Delta
from toolnexus.testing.model import ScriptedModel

class Endless(ScriptedModel):
    def __init__(self, name):
        super().__init__(default="Fine.", name=name)
    def stream(self, request):
        if "story" not in request.messages[-1].text:
            yield from super().stream(request)
            return
        yield Delta("Once upon")
        threading.Event().wait()

vendor.LiteLlmModel = Endless
from toolnexus.cli.main import run
run()
"""


def turns(shell: Any, conversation: str) -> list[tuple[str, str]]:
    text = shell.read(f"ben/transcripts/{conversation}.jsonl")
    found = (json.loads(line) for line in text.splitlines())
    return [(turn["role"], turn["content"]) for turn in found]


def chat(shell: Any, patch: pytest.MonkeyPatch, words: str, *options: str) -> Any:
    say(patch, words)
    return shell.run("chat", "ben", *MODEL, *options)


def test_a_chat_from_a_pipe(shell, home, monkeypatch):
    """Each line is a message; the model has what was said before; all is recorded in order."""
    with serve(monkeypatch, "Hello.", "You said hi.") as server:
        ran = chat(shell, monkeypatch, "hi\n\nwhat did I say?\n", "--conversation", "talk")
    assert (ran.code, ran.out, ran.err) == (0, "Hello.\nYou said hi.\n", "")
    said = [message["content"] for message in server.requests[1]["messages"][1:]]
    assert said == ["hi", "Hello.", "what did I say?"]
    assert turns(shell, "talk") == [
        ("user", "hi"),
        ("assistant", "Hello."),
        ("user", "what did I say?"),
        ("assistant", "You said hi."),
    ]


def test_commands_are_not_said_to_the_persona(shell, home, monkeypatch):
    """Commands show what they are asked for; an unknown one is told, and the chat goes on."""
    words = "/help\n/soul\n/memory\n/search sencha\n/nonsense\n/search\n/usage\n hm\n/quit\nnever\n"
    with serve(monkeypatch, "Well.") as server:
        ran = chat(shell, monkeypatch, words)
    assert ran.code == 2
    for shown in ("/search WORDS", "I am Ben.", "Drinks green tea", "Sencha at 70", "0 replies"):
        assert shown in ran.out
    assert "there is no command '/nonsense'" in ran.err
    assert [request["messages"][-1]["content"] for request in server.requests] == [" hm"]


def test_a_new_conversation_begins_in_the_midst(shell, home, monkeypatch):
    """After /new the model knows nothing of what was said, and another file is written."""
    with serve(monkeypatch, "One.", "Two.") as server:
        ran = chat(shell, monkeypatch, "hi\n/new\nhi again\n", "--conversation", "talk")
    [begun] = re.findall(r"a new conversation: (\S+)", ran.out)
    assert len(server.requests[1]["messages"]) == 2
    assert turns(shell, "talk") == [("user", "hi"), ("assistant", "One.")]
    assert turns(shell, begun) == [("user", "hi again"), ("assistant", "Two.")]


def test_an_error_is_told_and_the_chat_goes_on(shell, home, monkeypatch):
    """A refused question is one line on standard error; from a pipe its code is the chat's."""
    with serve(monkeypatch, ServerReply(status=400, text="no"), "Hello."):
        ran = chat(shell, monkeypatch, "bad\ngood\n", "--conversation", "talk")
    assert (ran.code, ran.out) == (69, "Hello.\n")
    assert turns(shell, "talk")[-2:] == [("user", "good"), ("assistant", "Hello.")]


def test_the_document_of_a_chat(shell, home, monkeypatch):
    """With --json one document tells all turns at the end, and what they cost."""
    with serve(monkeypatch, "Hello.", ServerReply(status=400, text="no")):
        ran = chat(shell, monkeypatch, "hi\n/help\nbad\n", "--json")
    told = ran.document
    assert told["schema"] == "toolnexus/chat/1"
    assert [turn["prompt"] for turn in told["turns"]] == ["hi", "bad"]
    assert told["turns"][0]["reply"] == "Hello."
    assert told["turns"][1]["error"]["exit_code"] == 69
    assert told["usage"]["model_calls"] == 1


def test_without_a_model_a_chat_does_not_begin(shell, home, monkeypatch):
    """No model is exit 78 before anything is read."""
    say(monkeypatch, "hi\n")
    ran = shell.run("chat", home)
    assert (ran.code, ran.out) == (78, "")


class Terminal:
    """A chat in a process of its own, at a terminal."""

    def __init__(self, *words: str) -> None:
        self._master, slave = pty.openpty()
        environment = {**os.environ, "TERM": "dumb", "INPUTRC": "/dev/null"}
        self.process = subprocess.Popen(
            [sys.executable, "-c", CHILD, *words],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            env=environment,
            start_new_session=True,
        )
        os.close(slave)
        self.seen = ""

    def expect(self, words: str) -> None:
        """Wait until it has printed some words, and forget what came before them."""
        assert self._sees(words, 30), f"no {words!r} in {self.seen!r}"
        self.seen = self.seen.partition(words)[2]

    def _sees(self, words: str, seconds: float) -> bool:
        """Read until some words came; False when nothing comes for so long."""
        while words not in self.seen:
            ready, _, _ = select.select([self._master], [], [], seconds)
            if not ready:
                return False
            try:
                self.seen += os.read(self._master, 4096).decode()
            except OSError:  # it has ended
                return False
        return True

    def type(self, text: str) -> None:
        """Type something."""
        os.write(self._master, text.encode())

    def interrupt(self, words: str) -> None:
        """Press Ctrl-C and wait for what it says to that.

        Python's line editor overlooks a signal that comes in the very moment in which it begins to
        wait, until the next one.
        """
        self.process.send_signal(signal.SIGINT)
        if not self._sees(words, 10):
            self.process.send_signal(signal.SIGINT)
        self.expect(words)

    def end(self) -> int:
        """Wait for its end; return the exit code."""
        code = self.process.wait(30)
        os.close(self._master)
        return code


def test_ctrl_c_stops_the_reply_and_not_the_program(shell, home):
    """An endless reply is stopped and recorded as cut, the chat goes on, and Ctrl-D leaves it."""
    terminal = Terminal("chat", "ben", "--model", "endless", "--conversation", "talk")
    terminal.expect("you> ")
    terminal.type("tell me a story\r")
    terminal.expect("Once upon")
    terminal.interrupt("(stopped")
    terminal.expect("you> ")
    terminal.type("how are you?\r")
    terminal.expect("Fine.")
    terminal.expect("you> ")
    terminal.type("\x04")
    assert terminal.end() == 0
    lines = shell.read("ben/transcripts/talk.jsonl").splitlines()
    cut = json.loads(lines[1])
    assert (cut["content"], cut["cut"]) == ("Once upon", "interrupted")
    assert turns(shell, "talk")[2:] == [("user", "how are you?"), ("assistant", "Fine.")]


def test_ctrl_c_twice_at_the_prompt_leaves(shell, home):
    """The first tells how to leave, and what was typed until then is forgotten."""
    terminal = Terminal("chat", "ben", "--model", "endless", "--conversation", "talk")
    terminal.expect("you> ")
    terminal.type("never mind")
    terminal.expect("never mind")
    terminal.interrupt("Ctrl-C again")
    terminal.expect("you> ")
    terminal.type("hi\r")
    terminal.expect("Fine.")
    terminal.expect("you> ")
    terminal.interrupt("Ctrl-C again")
    terminal.expect("you> ")
    terminal.interrupt("\n")
    assert terminal.end() == 0
    assert turns(shell, "talk")[0] == ("user", "hi")
