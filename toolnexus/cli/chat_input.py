"""What a person says in a chat: read line by line, put together where it has several lines."""

from __future__ import annotations

import contextlib
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

FENCE = "```"
QUOTES = '"""'
PASTE_BEGINS, PASTE_ENDS = "\x1b[200~", "\x1b[201~"
_ASK_FOR_MARKS, _NO_MORE_MARKS = "\x1b[?2004h", "\x1b[?2004l"


class Assembly:
    r"""Puts lines together to what is said.

    A line alone is a message. A backslash at its end goes on with the next line; three backticks
    at its beginning go on to three backticks, which are kept, and three quotation marks to three
    quotation marks, which are not. What a terminal marks as pasted is one message.

    Example:
        >>> lines = Assembly()
        >>> lines.feed("one \\"), lines.feed("two")
        (None, 'one \ntwo')
    """

    def __init__(self) -> None:
        self._lines: list[str] = []
        self._until = ""

    @property
    def is_open(self) -> bool:
        """Whether a message has begun and is not whole."""
        return bool(self._lines or self._until)

    def feed(self, line: str) -> str | None:
        """Take in a line without its end; return the message when it is whole."""
        if "\n" in line:  # a line editor gives what was pasted as one line
            return self._pasted(line)
        if self._until:
            return self._go_on(line)
        opened = line.lstrip()
        for mark in (PASTE_BEGINS, QUOTES, FENCE):
            if opened.startswith(mark) and not self._lines:
                self._until = PASTE_ENDS if mark == PASTE_BEGINS else mark
                if mark == FENCE and FENCE not in opened[len(FENCE) :]:
                    self._lines.append(opened)
                    return None
                return self._go_on(opened if mark == FENCE else opened[len(mark) :])
        backslashes = len(line) - len(line.rstrip("\\"))
        if backslashes % 2:
            self._lines.append(line[:-1])
            return None
        self._lines.append(line)
        return self.take()

    def take(self) -> str:
        """Return what there is of a message, and begin anew."""
        text = "\n".join(self._lines).strip("\n")
        self._lines, self._until = [], ""
        return text

    def _pasted(self, text: str) -> str | None:
        """Take in several lines at once: a message of their own, or a part of an open block."""
        if not self.is_open:
            return text
        fed = [self.feed(line) for line in text.split("\n")]
        whole = [message for message in fed if message is not None]
        if self._lines or self._until:
            self._lines[:0] = whole
            return None
        return "\n".join(whole)

    def _go_on(self, line: str) -> str | None:
        """Take in a line of a block; return the message when it is whole."""
        if self._until == FENCE:
            self._lines.append(line)
            return self.take() if line.rstrip().endswith(FENCE) else None
        before, mark, behind = line.partition(self._until)
        if mark and (self._until == PASTE_ENDS or not behind.strip()):
            self._lines.append(before + behind.rstrip())
            return self.take()
        self._lines.append(line)
        return None


class Reader:
    """Reads messages: from a terminal with a prompt, from anything else line by line.

    Args:
        prompt: Stands before what is typed, on a terminal.

    Attributes:
        interactive: Whether somebody sits at a terminal.
    """

    def __init__(self, prompt: str) -> None:
        self.interactive = sys.stdin.isatty() and sys.stdout.isatty()
        self._prompt = prompt
        self._assembly = Assembly()
        self._marks_pastes = self.interactive and not _has_line_editor()

    def read(self) -> str:
        """Return the next message.

        Raises:
            EOFError: when there is none any more.
            KeyboardInterrupt: when it was interrupted; what was typed of it is forgotten.
        """
        try:
            with self._marked_pastes():
                return self._read()
        except KeyboardInterrupt:
            self._assembly.take()
            raise

    def _read(self) -> str:
        ask: Callable[[], str] = self._typed if self.interactive else self._next_line
        while True:
            try:
                line = ask()
            except EOFError:
                if self._assembly.is_open:
                    return self._assembly.take()
                raise
            message = self._assembly.feed(line)
            if message is not None:
                return message

    def _typed(self) -> str:
        return input(f"{'.' * len(self._prompt)}  " if self._assembly.is_open else self._prompt)

    @staticmethod
    def _next_line() -> str:
        line = sys.stdin.readline()
        if not line:
            raise EOFError
        return line.removesuffix("\n").removesuffix("\r")

    @contextlib.contextmanager
    def _marked_pastes(self) -> Iterator[None]:
        """Have the terminal mark what is pasted, where no line editor sees to it."""
        if not self._marks_pastes:
            yield
            return
        print(_ASK_FOR_MARKS, end="", flush=True)
        try:
            yield
        finally:
            print(_NO_MORE_MARKS, end="", flush=True)


def _has_line_editor() -> bool:
    """Load Python's line editor, which knows what is pasted; tell whether there is one."""
    try:
        import readline  # noqa: F401 - loading it is what makes `input` use it
    except ImportError:
        return False
    return True
