"""Turns, recorded as they are said: each on the disk before the next one begins."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from toolnexus.agent.memory_tool import MEMORY_TOOL
from toolnexus.agent.search_tools import NOTE_SEARCH_TOOL, TRANSCRIPT_SEARCH_TOOL
from toolnexus.app.history import PARTING
from toolnexus.clock import format_instant
from toolnexus.models.message import AssistantMessage, Message, ToolMessage, UserMessage
from toolnexus.models.redact import Redactor
from toolnexus.models.wire import render_message

if TYPE_CHECKING:
    from toolnexus.app.conversations import Conversations

# What these return stands in the home already; recorded, a search would find it a second time.
OWN_TOOLS = frozenset({MEMORY_TOOL, NOTE_SEARCH_TOOL, TRANSCRIPT_SEARCH_TOOL})


class TurnRecorder:
    """Writes one question and what is replied to it into a conversation.

    What tools are told and say is written with keys masked; what people and the persona say stands
    as it was said.

    Args:
        home: Whose conversation it is.
        conversation: Its id.

    Attributes:
        messages: What was said so far, with the question; a reply cut short ends it.
        recorded: How many turns were recorded.
    """

    def __init__(self, home: Conversations, conversation: str) -> None:
        self._home = home
        self._conversation = conversation
        self._pieces: list[str] = []
        self._spoke = False
        self._redactor = Redactor.from_environment()
        self._guard = threading.Lock()
        self._closed = False
        self.messages: list[Message] = []
        self.recorded = 0

    @property
    def partial(self) -> str:
        """The words of a reply that has begun and is not whole."""
        with self._guard:
            return "".join(self._pieces)

    def asked(self, prompt: str) -> None:
        """Record the question.

        Raises:
            UsageError: when it holds half of a surrogate pair.
            DiskError: when the disk is full or failing.
        """
        owner = self._home.settings.owner
        self._append({"role": "user", "content": prompt}, name=owner or "")
        self.messages.append(UserMessage(prompt))

    def take(self, piece: str) -> str:
        """Take in words as they come; return what to show of them.

        Of several messages in one answer the later ones are parted from the earlier by a blank
        line. Nothing is shown of words that come after the end.
        """
        with self._guard:
            if self._closed:
                return ""
            lead = PARTING if self._spoke and not self._pieces else ""
            self._pieces.append(piece)
            self._spoke = True
            return lead + piece

    def said(self, message: Message, finish: str) -> None:
        """Record a whole turn of the answer."""
        with self._guard:
            self._pieces.clear()
        self.messages.append(message)
        if isinstance(message, ToolMessage) and message.name not in OWN_TOOLS:
            self._append(self._redactor.value(render_message(message)))
        elif isinstance(message, AssistantMessage):
            calls = tuple(call for call in message.calls if call.name not in OWN_TOOLS)
            if calls or message.text:
                turn = self._redactor.value(render_message(AssistantMessage("", calls)))
                cut = "length" if finish == "length" else ""
                self._append({**turn, "content": message.text}, name=self._home.name, cut=cut)

    def cut_off(self, why: str) -> str:
        """Record the words of a reply that will never be whole; return them.

        Args:
            why: ``interrupted`` or ``broke off``.
        """
        with self._guard:
            self._closed = True
            text = "".join(self._pieces)
            self._pieces.clear()
        if text.strip():
            message = AssistantMessage(text)
            self.messages.append(message)
            self._append(render_message(message), name=self._home.name, cut=why)
        return text

    def _append(self, turn: dict[str, object], *, name: str = "", cut: str = "") -> None:
        marks = {"name": name, "cut": cut}
        told = {key: value for key, value in marks.items() if value}
        at = format_instant(self._home.clock.now())
        self._home.transcripts.append(self._conversation, {**turn, "ts": at, **told})
        self.recorded += 1
