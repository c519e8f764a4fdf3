"""Tools: what a model may call, made of typed Python functions or of a spec and a callable."""

from __future__ import annotations

import dataclasses
import inspect
import json
import re
import typing
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from toolnexus.agent.docstring import parse_docstring
from toolnexus.agent.hints import convert, schema_for, without_none
from toolnexus.errors import UsageError
from toolnexus.models.completion import ToolSpec
from toolnexus.models.wire import clean_text

_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")
_BY_NAME = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)

Arguments = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Tool:
    """Something that a model may call.

    Attributes:
        spec: What the model sees.
        call: What is called with the arguments, once they fit the spec; it may be a coroutine
            function. A `ToolnexusError` that it raises is told to the model.
        timeout_seconds: How long it may take; None leaves it to the run's bounds.
    """

    spec: ToolSpec
    call: Callable[[Arguments], object]
    timeout_seconds: float | None = None

    @property
    def name(self) -> str:
        """What the model calls it."""
        return self.spec.name


def tool_from(
    function: Tool | Callable[..., object],
    *,
    name: str | None = None,
    description: str | None = None,
    timeout_seconds: float | None = None,
) -> Tool:
    """Make a tool of a function: its hints become the schema, its docstring the description.

    Args:
        function: A function with type hints, which may be async; a tool is given back as it is.
        name: What the model calls it; None takes the function's name.
        description: When to use it; None takes the docstring up to its first section.
        timeout_seconds: How long it may take.

    Raises:
        UsageError: when its name will not do, or a parameter has no hint or one that JSON cannot
            carry.

    Example:
        >>> def water(plant: str, litres: float = 0.5) -> str:
        ...     '''Water a plant.
        ...
        ...     Args:
        ...         plant: Which one.
        ...     '''
        ...     return f"gave {plant} {litres} l"
        >>> tool_from(water).spec.parameters["required"]
        ['plant']
    """
    if isinstance(function, Tool):
        return function
    called = name or str(getattr(function, "__name__", type(function).__name__))
    if not _NAME.fullmatch(called):
        raise UsageError(
            f"a tool cannot be called {called!r}",
            hint="give it a name of up to 64 letters, digits, '_' and '-'",
        )
    docstring = parse_docstring(inspect.getdoc(function))
    hints = _hints(function, called)
    parameters = _parameters(function, called, hints, docstring.arguments)
    spec = ToolSpec(called, description or docstring.description, parameters)
    return Tool(spec, _caller(function, hints), timeout_seconds)


def tools_by_name(tools: typing.Iterable[Tool | Callable[..., object]]) -> dict[str, Tool]:
    """Make tools of functions where they are none yet.

    Raises:
        UsageError: when two have one name.
    """
    named: dict[str, Tool] = {}
    for made in map(tool_from, tools):
        if made.name in named:
            raise UsageError(f"there are two tools called '{made.name}'", hint="rename one")
        named[made.name] = made
    return named


def render_result(value: object) -> str:
    """Write what a tool gave back for the model: a text as it is, all else as JSON.

    Half characters, which no provider takes, are replaced.

    Example:
        >>> render_result({"n": 1}), render_result(None)
        ('{"n": 1}', 'Done.')
    """
    if value is None:
        return "Done."
    if not isinstance(value, str):
        value = json.dumps(value, ensure_ascii=False, default=_plain)
    return clean_text(value)


def _plain(value: object) -> object:
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {f.name: getattr(value, f.name) for f in dataclasses.fields(value)}
    if isinstance(value, set | frozenset | tuple):
        return list(value)
    return str(value)


def _caller(
    function: Callable[..., object], hints: Mapping[str, Any]
) -> Callable[[Arguments], object]:
    def call(arguments: Arguments) -> object:
        return function(**{key: convert(item, hints[key]) for key, item in arguments.items()})

    return call


def _hints(function: Callable[..., object], name: str) -> dict[str, Any]:
    target = function if inspect.isroutine(function) else type(function).__call__
    try:
        return typing.get_type_hints(target, include_extras=True)
    except (NameError, TypeError) as error:
        raise UsageError(f"the type hints of tool '{name}' cannot be read: {error}") from None


def _parameters(
    function: Callable[..., object], name: str, hints: dict[str, Any], said: Mapping[str, str]
) -> dict[str, Any]:
    properties: dict[str, Any] = {}
    required: list[str] = []
    for parameter in inspect.signature(function).parameters.values():
        if parameter.kind not in _BY_NAME or parameter.name not in hints:
            raise UsageError(
                f"parameter '{parameter.name}' of tool '{name}' cannot be offered to a model",
                hint="give each parameter a name and a type hint; leave out * and **",
            )
        hint, is_required = hints[parameter.name], parameter.default is parameter.empty
        schema = schema_for(hint if is_required else without_none(hint))
        if said.get(parameter.name):
            schema["description"] = said[parameter.name]
        if is_required:
            required.append(parameter.name)
        properties[parameter.name] = schema
    return {
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": False,
    }
