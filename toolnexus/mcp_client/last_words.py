"""The last words of a program: what it wrote on standard error, as far as one line can tell."""

from __future__ import annotations

import asyncio
import contextlib
import os
from typing import TYPE_CHECKING, Self, TextIO

if TYPE_CHECKING:
    from types import TracebackType

_KEPT_BYTES = 4_096
_LINE_CHARS = 300


class LastWords:
    """A pipe for a program's standard error. It is read on the running event loop.

    Example:
        >>> async def listen() -> str:
        ...     with LastWords() as words:
        ...         print("no such table", file=words.stream, flush=True)
        ...         await asyncio.sleep(0)
        ...         return words.line
        >>> asyncio.run(listen())
        'no such table'
    """

    def __init__(self) -> None:
        self._kept = b""

    def __enter__(self) -> Self:
        self._reading, writing = os.pipe()
        os.set_blocking(self._reading, False)
        self.stream: TextIO = os.fdopen(writing, "w", encoding="utf-8")
        self._loop = asyncio.get_running_loop()
        self._loop.add_reader(self._reading, self._read)
        return self

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        self.let_go()
        self._loop.remove_reader(self._reading)
        os.close(self._reading)

    def let_go(self) -> None:
        """Close our end for writing, once the program has its own."""
        self.stream.close()

    @property
    def line(self) -> str:
        """The last line that is not empty; empty when nothing was said."""
        self._read()
        lines = self._kept.decode("utf-8", "replace").splitlines()
        said = [line.strip() for line in lines if line.strip()]
        return said[-1][:_LINE_CHARS] if said else ""

    def _read(self) -> None:
        """Keep the end of what has come; a pipe that is full would hold up the program."""
        with contextlib.suppress(BlockingIOError):
            while piece := os.read(self._reading, 65_536):
                self._kept = (self._kept + piece)[-_KEPT_BYTES:]
            self._loop.remove_reader(self._reading)  # its end: the program is gone
