"""The servers of ``mcp_servers``: a command to start or an address to ask, read and checked."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from toolnexus.settings import values
from toolnexus.settings.reading import BadValueError
from toolnexus.settings.references import has_bad_reference, referenced
from toolnexus.settings.secrets import is_secret_name
from toolnexus.settings.types import McpServer

if TYPE_CHECKING:
    from toolnexus.settings.reading import Section

_NAME = r"[A-Za-z0-9-]+(?:_[A-Za-z0-9-]+)*"
_LONGEST_NAME = 32  # it stands before each tool's name, and the whole may have 64 characters
_VARIABLE = r"[A-Za-z_][A-Za-z0-9_]*"
_HEADER = r"[A-Za-z0-9!#$%&'*+.^_`|~-]+"
_SECRET_HEADERS = frozenset({"authorization", "proxy-authorization", "cookie"})
_REFERENCE_HINT = "write ${NAME} for a variable of the environment"
_OF_A_COMMAND = ("args", "env", "cwd")

Pairs = tuple[tuple[str, str], ...]
Environment = tuple[tuple[str, ...], Pairs]
"""Names of variables that are handed on, and variables with their values."""

_NO_ENVIRONMENT: Environment = ((), ())


def read_tool_servers(section: Section) -> tuple[McpServer, ...]:
    """Read all servers that a home names."""
    return tuple(_server(name, server) for name, server in section.sections())


def _server(name: str, section: Section) -> McpServer:
    _check_shape(name, section)
    default = McpServer(name)
    handed_on, env_values = section.take("env", _read_environment, _NO_ENVIRONMENT)
    return McpServer(
        name=name,
        command=section.take("command", values.read_text, None),
        args=section.take("args", values.read_texts, ()),
        env=handed_on,
        url=section.take("url", values.read_url, None),
        allow=section.take("allow", values.read_texts, None),
        env_values=env_values,
        cwd=section.take("cwd", values.read_text, None),
        headers=section.take("headers", _read_headers, ()),
        timeout_seconds=section.take("timeout_seconds", _read_seconds, default.timeout_seconds),
    )


def _check_shape(name: str, section: Section) -> None:
    """Report a name that will not do, and keys that do not go together."""
    if len(name) > _LONGEST_NAME or not re.fullmatch(_NAME, name):
        hint = f"use up to {_LONGEST_NAME} letters, digits and '-', and single '_' between them"
        section.report("", f"'mcp_servers.{name}' cannot stand before the name of a tool", hint)
    if section.has("command") == section.has("url"):
        hint = "give it a command to start or a url to reach"
        section.report("", f"'mcp_servers.{name}' needs either a command or a url", hint)
    elif section.has("url"):
        for key in filter(section.has, _OF_A_COMMAND):
            told = f"'mcp_servers.{name}.{key}' belongs to a command, and this server has a url"
            section.report(key, told, "remove it")
    elif section.has("headers"):
        told = f"'mcp_servers.{name}.headers' belongs to a url, and this server has a command"
        section.report("headers", told, "hand things on to a command by 'env'")


def _read_environment(value: object) -> Environment:
    """Read names of variables to hand on, or a mapping of names to values."""
    if not isinstance(value, dict):
        return values.read_variables(value), ()
    return (), _read_pairs(value, _VARIABLE, "a variable of the environment")


def _read_headers(value: object) -> Pairs:
    """Read a mapping of HTTP headers to values."""
    if not isinstance(value, dict):
        raise BadValueError("must be a mapping of headers to values", "write {X-Name: value}")
    return _read_pairs(value, _HEADER, "a header")


def _read_pairs(fields: dict[str, object], pattern: str, what: str) -> Pairs:
    """Read names with values, which may refer to the environment and must where they are keys."""
    pairs = []
    for name, value in fields.items():
        if not re.fullmatch(pattern, name):
            raise BadValueError(f"has a name that {what} cannot have: '{name}'", "rename it", name)
        text = _read_value(name, value)
        is_key = is_secret_name(name) or name.casefold() in _SECRET_HEADERS
        if is_key and not referenced(text):
            hint = f"set it in the environment, and write ${{{_variable(name)}}} here"
            raise BadValueError(f"holds a secret, by its name: '{name}'", hint, name)
        pairs.append((name, text))
    return tuple(pairs)


def _read_value(name: str, value: object) -> str:
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise BadValueError(f"needs a text for '{name}'", "write it in quotes", name)
    text = values.read_text(str(value))
    if has_bad_reference(text):
        raise BadValueError(f"has a reference in '{name}' that is none", _REFERENCE_HINT, name)
    return text


def _variable(name: str) -> str:
    """Name the variable that a header's or a variable's value could come from."""
    return re.sub(r"\W", "_", name, flags=re.ASCII).upper()


def _read_seconds(value: object) -> float:
    seconds = values.read_amount(value)
    if not 0 < seconds <= 3600:
        raise BadValueError("must be above 0, and 3,600 at most", "write seconds, such as 30")
    return seconds
