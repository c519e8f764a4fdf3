"""The importers there are: ours, and those that installed packages bring along.

A package brings one by an entry point in the group ``toolnexus.importers``:

    [project.entry-points."toolnexus.importers"]
    diary = "my_package:Diary"
"""

from __future__ import annotations

import re
from importlib import import_module
from typing import TYPE_CHECKING, cast

from toolnexus.errors import UsageError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

    from toolnexus.transcripts.importers.importer import Importer

GROUP = "toolnexus.importers"
OURS = {
    "claude-code": "claude_code:ClaudeCode",
    "codex": "codex:Codex",
    "chatgpt": "chatgpt:ChatGpt",
    "openclaw": "openclaw:OpenClaw",
    "jsonl": "messages:Messages",
}
_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,30}")


def load_importer(name: str) -> Importer:
    """Return an importer by its name; ours go before others of that name.

    Raises:
        UsageError: when there is none, or a package's own cannot be loaded.

    Example:
        >>> load_importer("codex").version
        1
    """
    if name in OURS:
        module, _, noun = OURS[name].partition(":")
        return cast("Importer", getattr(import_module(f"{__package__}.{module}"), noun)())
    brought = _brought().get(name)
    if brought is None:
        raise UsageError(
            f"there is no importer '{name}'", hint=f"one of: {', '.join(importer_names())}"
        )
    try:
        importer = brought.load()()
    except Exception as error:
        raise UsageError(
            f"the importer '{name}' of {brought.value} cannot be loaded: {error}",
            hint="update or remove the package that brings it",
        ) from error
    return cast("Importer", importer)


def importer_names() -> tuple[str, ...]:
    """List the names of all importers, ours first."""
    return (*OURS, *sorted(set(_brought()) - set(OURS)))


def _brought() -> dict[str, EntryPoint]:
    from importlib.metadata import entry_points

    return {point.name: point for point in entry_points(group=GROUP) if _NAME.fullmatch(point.name)}
