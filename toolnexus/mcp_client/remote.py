"""What a server offers and answers, in our own types."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class RemoteTool:
    """A tool, as its server tells of it.

    Attributes:
        name: Its name there.
        description: When to use it.
        parameters: Its arguments as a JSON schema.
    """

    name: str
    description: str
    parameters: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class RemoteResult:
    """What a call gave.

    Attributes:
        text: Its text; what is no text is named in it as left out.
        is_error: Whether the tool says that it failed.
    """

    text: str
    is_error: bool = False


class Remote(Protocol):
    """A server to which a connection is open. What goes wrong is raised in the SDK's own words."""

    async def list_tools(self) -> list[RemoteTool]:
        """Ask for its tools."""
        ...

    async def call(self, name: str, arguments: Mapping[str, Any]) -> RemoteResult:
        """Call a tool."""
        ...
