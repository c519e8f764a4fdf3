"""The notes that a persona meets while it thinks: what its answer may then be said to have used."""

from __future__ import annotations


class NotesMet:
    """Notes that were read or found since they were last taken; tools may add from any thread.

    Example:
        >>> met = NotesMet()
        >>> met.meet("memory/tea.md")
        >>> met.take(), met.take()
        (('memory/tea.md',), ())
    """

    def __init__(self) -> None:
        self._paths: dict[str, None] = {}

    def meet(self, path: str) -> None:
        """Add a note; none for an empty path."""
        if path:
            self._paths[path] = None

    def take(self) -> tuple[str, ...]:
        """Return the notes in the order in which they were first met, and forget them."""
        paths, self._paths = self._paths, {}
        return tuple(paths)
