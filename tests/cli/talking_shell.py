"""A model on loopback for the commands that talk, and a person's words on standard input."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

from toolnexus.testing.openai_server import OpenAiServer, ServerReply

if TYPE_CHECKING:
    import pytest

MODEL = ("--model", "openai/gpt-4o-mini")


class Terminal(io.StringIO):
    """Standard input that says it is a terminal."""

    def isatty(self) -> bool:
        """Say so."""
        return True


def serve(patch: pytest.MonkeyPatch, *replies: ServerReply | str) -> OpenAiServer:
    """Return a server, to be entered, that litellm takes for OpenAI's."""
    made = (r if isinstance(r, ServerReply) else ServerReply(text=r) for r in replies)
    server = OpenAiServer(*made)
    patch.setenv("OPENAI_API_BASE", server.base_url)
    patch.setenv("OPENAI_API_KEY", "sk-none")
    return server


def say(patch: pytest.MonkeyPatch, text: str) -> None:
    """Put words on standard input."""
    patch.setattr("sys.stdin", io.StringIO(text))
