"""The protocol that everything above this package knows a language model by."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

    from toolnexus.models.completion import Completion, Delta, Request


class Model(Protocol):
    """A language model.

    All four methods raise `ModelError`: `Unreachable` when it could not be reached in time,
    `Refused` when its provider said no, `Malformed` when its answer cannot be read.

    Attributes:
        name: What it is called in messages, settings and records.
    """

    @property
    def name(self) -> str:
        """What it is called."""
        ...

    def complete(self, request: Request) -> Completion:
        """Ask and wait for the whole reply."""
        ...

    def stream(self, request: Request) -> Iterator[Delta]:
        """Ask and hand on the reply in pieces; the last one carries the whole."""
        ...

    async def acomplete(self, request: Request) -> Completion:
        """Ask and wait for the whole reply."""
        ...

    def astream(self, request: Request) -> AsyncIterator[Delta]:
        """Ask and hand on the reply in pieces; the last one carries the whole."""
        ...
