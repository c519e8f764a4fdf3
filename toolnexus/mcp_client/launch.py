"""Launches: how a server is begun, with what persona.yaml leaves to the environment filled in."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from toolnexus.errors import ToolServerError
from toolnexus.models.redact import Redactor
from toolnexus.settings.references import MissingVariableError, expand, referenced

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from toolnexus.settings import McpServer

Pairs = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Launch:
    """How a server is begun. Texts about it go through `redactor` before anybody sees them.

    Attributes:
        name: What the home calls it.
        timeout_seconds: How long it may take to start, and each call.
        folder: Where a command runs.
        command: The program and its arguments; empty for a server that has an address.
        env: Variables of its environment, beside the few that every program needs.
        url: Where it is reached; empty for a command.
        headers: HTTP headers that go with each request.
        redactor: Masks what came from the environment.
    """

    name: str
    timeout_seconds: float
    folder: Path
    command: tuple[str, ...] = ()
    env: Pairs = field(default=(), repr=False)
    url: str = ""
    headers: Pairs = field(default=(), repr=False)
    redactor: Redactor = field(default_factory=Redactor, repr=False)


def launch_of(server: McpServer, home: Path, environ: Mapping[str, str]) -> Launch:
    """Return how a server is begun.

    Args:
        server: The server, as set.
        home: The home's folder.
        environ: The environment that values are taken from.

    Raises:
        ToolServerError: when a value refers to a variable that is not set.

    Example:
        >>> from pathlib import Path
        >>> from toolnexus.settings import McpServer
        >>> server = McpServer("web", url="http://h", headers=(("X-Key", "${KEY}"),))
        >>> launch_of(server, Path("ava"), {"KEY": "t0p"}).headers
        (('X-Key', 't0p'),)
    """
    handed_on = tuple((name, environ[name]) for name in server.env if name in environ)
    hidden = [environ.get(name, "") for name in _variables(server)]
    try:
        env = handed_on + _expanded(server.env_values, environ)
        headers = _expanded(server.headers, environ)
    except MissingVariableError as error:
        raise ToolServerError(str(error), hint="set it, or leave it out of persona.yaml") from None
    return Launch(
        name=server.name,
        timeout_seconds=server.timeout_seconds,
        folder=home / (server.cwd or ""),
        command=(server.command, *server.args) if server.command else (),
        env=env,
        url=server.url or "",
        headers=headers,
        redactor=Redactor.from_environment(environ, hidden),
    )


def _expanded(pairs: Pairs, environ: Mapping[str, str]) -> Pairs:
    return tuple((name, expand(text, environ)) for name, text in pairs)


def _variables(server: McpServer) -> list[str]:
    """List the variables that a server gets to see."""
    pairs = (*server.env_values, *server.headers)
    return [*server.env, *(name for _, text in pairs for name in referenced(text))]
