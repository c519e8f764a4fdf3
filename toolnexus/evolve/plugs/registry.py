"""The plugs there are: ours, and those that installed packages bring along.

A package brings one by an entry point in the group ``toolnexus.plugs``, a function that takes the
source and returns a plug:

    [project.entry-points."toolnexus.plugs"]
    diary = "my_package:open_diary"
"""

from __future__ import annotations

import re
from importlib import import_module
from typing import TYPE_CHECKING, cast

from toolnexus.errors import ToolnexusError, UsageError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

    from toolnexus.evolve.plugging.event import Plug

GROUP = "toolnexus.plugs"
OURS = {
    "markdown": "markdown:MarkdownFolder",
    "jsonl": "jsonl:JsonLines",
    "documents": "documents:Documents",
}
_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,30}")


def load_plug(name: str, source: str) -> Plug:
    """Return a plug for a source; ours go before others of that name.

    Args:
        name: The plug's name.
        source: What it reads: a file, a folder, or what an installed plug takes.

    Raises:
        UsageError: when there is none, a package's own cannot be made, or there is no such source.

    Example:
        >>> load_plug("markdown", "docs").name  # doctest: +SKIP
        'markdown'
    """
    if name in OURS:
        module, _, noun = OURS[name].partition(":")
        return cast("Plug", getattr(import_module(f"{__package__}.{module}"), noun)(source))
    brought = _brought().get(name)
    if brought is None:
        raise UsageError(f"there is no plug '{name}'", hint=f"one of: {', '.join(plug_names())}")
    try:
        return cast("Plug", brought.load()(source))
    except ToolnexusError:
        raise
    except Exception as error:
        message = f"the plug '{name}' of {brought.value} cannot be made: {error}"
        hint = "check the source, or update the package that brings it"
        raise UsageError(message, hint=hint) from error


def plug_names() -> tuple[str, ...]:
    """List the names of all plugs, ours first."""
    return (*OURS, *sorted(set(_brought()) - set(OURS)))


def _brought() -> dict[str, EntryPoint]:
    from importlib.metadata import entry_points

    return {point.name: point for point in entry_points(group=GROUP) if _NAME.fullmatch(point.name)}
