"""Claude Code: a session is a JSONL file; its sub-agents talk beside it, each in its own talk.

Rows of type ``user`` carry the person's words, but tool results, recaps, commands and reminders
too. What a sub-agent is told comes from the agent above it, so those words are of role system.
"""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING

from toolnexus.transcripts.importers.content import Message, as_text, labelled, read_message
from toolnexus.transcripts.importers.importer import Item, Session, Skip
from toolnexus.transcripts.importers.injected import tagged, without_tagged
from toolnexus.transcripts.importers.source import Row, read_rows, walk
from toolnexus.transcripts.importers.speech import Frame, instant_or_none, utter
from toolnexus.transcripts.names import printable

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from toolnexus.transcripts.turn import Role

_SUFFIX = ".jsonl"
_AGENT = "agent-"
_HEAD_ROWS = 200  # the session's id and first instant stand in the first rows that have any
_INJECTED = frozenset(
    {
        "system-reminder", "user-prompt-submit-hook", "task-notification", "ide_opened_file",
        "ide_selection", "ide_diagnostics", "command-name", "command-message", "command-contents",
        "local-command-stdout", "local-command-stderr", "local-command-caveat", "bash-input",
        "bash-stdout", "bash-stderr", "background-task-input", "background-task-output",
    }
)  # fmt: skip
_ARGUMENTS = "command-args"  # of a slash command: these words are the person's
_INTERRUPTED = re.compile(r"\[Request interrupted by user[^\]\n]*\]")
_FLAGS = {
    "isMeta": "a meta row",
    "isCompactSummary": "a compact summary",
    "isVisibleInTranscriptOnly": "a row for show only",
    "isApiErrorMessage": "an API error",
}


class ClaudeCode:
    """Reads a session, a project's folder, or the folder of all projects."""

    version = 1

    def files(self, source: Path) -> Iterator[Path | Skip]:
        """Find session files; of the whole ``.claude`` folder only its projects are looked at."""
        projects = source / "projects"
        return walk(projects if projects.is_dir() else source, lambda name: name.endswith(_SUFFIX))

    def sessions(self, path: Path) -> Iterator[Session | Skip]:
        """Tell of the one session that a file holds."""
        head = [row.fields for row in islice(read_rows(path), _HEAD_ROWS) if isinstance(row, Row)]
        ids = [found for fields in head if (found := as_text(fields.get("sessionId")))]
        instants = [ts for fields in head if (ts := instant_or_none(fields.get("timestamp")))]
        stem = printable(path.name).removesuffix(_SUFFIX)
        is_agent = stem.startswith(_AGENT)
        name = ids[0] if ids else _folder_session(path) if is_agent else stem
        yield Session(
            f"{name}.{stem}" if is_agent else name,
            lambda: _Reader(is_agent=is_agent).read(path),
            instants[0] if instants else None,
        )


def _folder_session(path: Path) -> str:
    """Return the session whose folder a sub-agent's file lies in."""
    return printable(path.parent.parent.name if path.parent.name == "subagents" else "unknown")


class _Reader:
    """Reads the rows of one file, following the talks beside the main one."""

    def __init__(self, *, is_agent: bool) -> None:
        self._is_agent = is_agent
        self._threads: dict[str, str] = {}  # of rows beside the main talk, by their uuid

    def read(self, path: Path) -> Iterator[Item]:
        for row in read_rows(path):
            if isinstance(row, Skip):
                yield row
            else:
                yield from self._row(row)

    def _row(self, row: Row) -> Iterator[Item]:
        fields = row.fields
        thread = self._thread(row)
        kind = fields.get("type")
        message = fields.get("message")
        if kind not in ("user", "assistant"):
            yield Skip(labelled("a record", "type", kind), row.number)
        elif reason := next((why for flag, why in _FLAGS.items() if fields.get(flag) is True), ""):
            yield Skip(reason, row.number)
        elif not isinstance(message, dict):
            yield Skip("a row without a message", row.number)
        else:
            frame = Frame(row.number, fields.get("uuid"), fields.get("timestamp"), thread=thread)
            yield from self._message("user" if kind == "user" else "assistant", message, frame)

    def _message(self, role: Role, fields: dict[str, object], frame: Frame) -> Iterator[Item]:
        if role == "assistant" and fields.get("model") == "<synthetic>":
            yield Skip("a message of the program's own", frame.line)
            return
        try:
            message = read_message(fields.get("content"))
        except ValueError as error:
            yield Skip(str(error), frame.line)
            return
        if role == "user":
            _keep_own_words(message)
            if self._is_agent or frame.thread:
                role = "system"
        yield from utter(role, message, frame)

    def _thread(self, row: Row) -> str:
        """Tell which talk beside the main one a row belongs to: its parent's, else a new one."""
        fields = row.fields
        if self._is_agent or fields.get("isSidechain") is not True:
            return ""
        own = as_text(fields.get("uuid")) or f"line-{row.number}"
        agent = as_text(fields.get("agentId"))
        parent = self._threads.get(as_text(fields.get("parentUuid")))
        thread = f"{_AGENT}{agent}" if agent else parent or f"sidechain-{own}"
        self._threads[own] = thread
        return thread


def _keep_own_words(message: Message) -> None:
    """Leave in a user's message what the person said, and name what goes."""
    for number, text in enumerate(message.texts):
        own = _own_words(text)
        if own == text:
            continue
        message.texts[number] = own
        if not own and text.strip():
            message.skipped.append("text of the program's own in a user's message")


def _own_words(text: str) -> str:
    if "<" not in text and "[Request" not in text:
        return text
    arguments = tagged(text, _ARGUMENTS)
    own = without_tagged(text, _INJECTED | {_ARGUMENTS})
    own = _INTERRUPTED.sub("", own)
    if own == text:
        return text
    return "\n".join(part.strip() for part in (arguments, own) if part.strip())
