"""Type hints as JSON schemas, and JSON values as what the hints promise."""

from __future__ import annotations

import enum
import types
import typing
from typing import Annotated, Any, Literal, Union

from toolnexus.errors import UsageError

_PLAIN: dict[object, str] = {str: "string", int: "integer", float: "number", bool: "boolean"}


def schema_for(hint: Any) -> dict[str, Any]:
    """Write the JSON schema of a type hint.

    Supported are str, int, float, bool, None, Any, list, dict with text keys, Literal, enums of
    texts or numbers, and unions of these.

    Raises:
        UsageError: when a model could not send a value of that type.

    Example:
        >>> schema_for(list[int])
        {'type': 'array', 'items': {'type': 'integer'}}
        >>> schema_for(int | None)
        {'type': ['integer', 'null']}
    """
    origin, args = typing.get_origin(hint), typing.get_args(hint)
    if hint in _PLAIN:
        return {"type": _PLAIN[hint]}
    if hint is Any:
        return {}
    if hint is None or hint is types.NoneType:
        return {"type": "null"}
    if origin is Annotated:
        return schema_for(args[0])
    if origin is Literal:
        return _schema_of_values(args)
    if isinstance(hint, type) and issubclass(hint, enum.Enum):
        return _schema_of_values(tuple(member.value for member in hint))
    if hint is list or origin is list:
        return {"type": "array", "items": schema_for(args[0])} if args else {"type": "array"}
    if hint is dict or origin is dict:
        return _schema_of_dict(hint, args)
    if origin in (Union, types.UnionType):
        return _schema_of_union([schema_for(arg) for arg in args])
    raise UsageError(
        f"a tool cannot take {_shown(hint)}",
        hint="use str, int, float, bool, list, dict, Literal, an Enum, or unions of these",
    )


def without_none(hint: Any) -> Any:
    """Take None out of a union: an argument with a default is left out, not sent as null.

    Example:
        >>> without_none(int | None)
        <class 'int'>
    """
    args = typing.get_args(hint)
    if typing.get_origin(hint) not in (Union, types.UnionType) or types.NoneType not in args:
        return hint
    return Union[tuple(arg for arg in args if arg is not types.NoneType)]  # noqa: UP007 - built


def convert(value: Any, hint: Any) -> Any:
    """Turn a JSON value that fits a hint's schema into what the hint promises: enums, floats."""
    origin, args = typing.get_origin(hint), typing.get_args(hint)
    if origin is Annotated:
        return convert(value, args[0])
    if isinstance(hint, type) and issubclass(hint, enum.Enum):
        return hint(value)
    if hint is float and isinstance(value, int):
        return float(value)
    if hint is int and isinstance(value, float):
        return int(value)
    if origin is list:
        return [convert(item, args[0]) for item in value]
    if origin is dict:
        return {key: convert(item, args[1]) for key, item in value.items()}
    if origin in (Union, types.UnionType):
        return _convert_to_any(value, args)
    return value


def _convert_to_any(value: Any, hints: tuple[Any, ...]) -> Any:
    """Convert to the first hint of a union whose schema the value fits."""
    from toolnexus.agent.arguments import problems_of

    for hint in hints:
        if not list(problems_of(value, schema_for(hint))):
            return convert(value, hint)
    return value


def _schema_of_values(values: tuple[Any, ...]) -> dict[str, Any]:
    if not all(value is None or isinstance(value, str | int | float) for value in values):
        raise UsageError("a tool's choices must be texts or numbers")
    kinds = {_PLAIN.get(type(value), "null") for value in values}
    schema: dict[str, Any] = {"enum": list(values)}
    return {"type": kinds.pop(), **schema} if len(kinds) == 1 else schema


def _schema_of_dict(hint: Any, args: tuple[Any, ...]) -> dict[str, Any]:
    if args and args[0] is not str:
        raise UsageError(f"a tool cannot take {_shown(hint)}: the keys of JSON are texts")
    inner = schema_for(args[1]) if args else {}
    return {"type": "object", "additionalProperties": inner} if inner else {"type": "object"}


def _schema_of_union(schemas: list[dict[str, Any]]) -> dict[str, Any]:
    """Join schemas; plain types share one list, which more providers understand than anyOf."""
    if all(list(schema) == ["type"] and isinstance(schema["type"], str) for schema in schemas):
        return {"type": [schema["type"] for schema in schemas]}
    return {"anyOf": schemas}


def _shown(hint: Any) -> str:
    return hint.__name__ if isinstance(hint, type) else str(hint)
