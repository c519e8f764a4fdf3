"""Hosts: what the program around a home brings along, in place of what the home would take."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from toolnexus.agent.tool import Tool
    from toolnexus.models.model import Model

    ModelLike = str | Model
    """A litellm model's name, ``none`` to work offline, or an object that is a `Model`."""

    ToolLike = Tool | Callable[..., object]
    """A tool, or a function with type hints that becomes one."""


@dataclass(frozen=True, slots=True)
class Host:
    """What the program around a home brings along.

    Attributes:
        model: Who thinks; None leaves it to the settings and the environment.
        tools: The host's own tools, beside memory and search.
        store: Where conversations are; None for the home's own transcripts.
        memory: Whether the persona gets the memory tool.
        notes: Whether notes can be reached; else only MEMORY.md and USER.md.
        index_cap: Whether MEMORY.md is cut at its cap in the soul.
        name: What the persona is called where its settings do not say; empty is its folder's name.
    """

    model: ModelLike | None = None
    tools: tuple[ToolLike, ...] = ()
    store: object | None = None
    memory: bool = True
    notes: bool = True
    index_cap: bool = True
    name: str = ""

    @property
    def model_name(self) -> str | None:
        """The model's name; None where the host names none."""
        return self.model if self.model is None or isinstance(self.model, str) else self.model.name

    @property
    def thinker(self) -> Model | None:
        """The model itself, where the host hands it in; None where it gives at most a name."""
        return None if self.model is None or isinstance(self.model, str) else self.model
