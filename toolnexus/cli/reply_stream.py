"""Replies, printed while they are being said."""

from __future__ import annotations

import re
import sys
import threading

from toolnexus.cli.console import inert, visible

# A line that so begins may still become one that a workflow's runner obeys.
_UNDECIDED = re.compile(r"\s*:?")


class ReplyStream:
    """Prints the words of a reply as they come, on standard output.

    What could act on a terminal is made visible, and the first colon of a line that a workflow's
    runner would obey is escaped, as in every other result.
    """

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._held = ""
        self._at_start = True
        self._closed = False
        self.is_empty = True

    def write(self, text: str) -> None:
        """Print some more words; after the end nothing."""
        with self._guard:
            if self._closed:
                return
            lines = text.split("\n")
            shown = [self._part(line, ends=True) for line in lines[:-1]]
            shown.append(self._part(lines[-1], ends=False))
            self._print("".join(shown))

    def close(self) -> None:
        """End the reply, with a new line where it has none."""
        with self._guard:
            if self._closed:
                return
            self._closed = True
            ended = self._at_start and not self._held
            self._print("" if ended else visible(self._held) + "\n")

    def _part(self, text: str, *, ends: bool) -> str:
        """Return what is to be printed now of a part of a line; its beginning may be held."""
        text = self._held + text if self._at_start else text
        self._held = ""
        if self._at_start and not ends and _UNDECIDED.fullmatch(text):
            self._held = text
            return ""
        shown = inert(visible(text)) if self._at_start else visible(text)
        self._at_start = ends
        return shown + "\n" if ends else shown

    def _print(self, text: str) -> None:
        if text:
            self.is_empty = False
            sys.stdout.write(text)
            sys.stdout.flush()
