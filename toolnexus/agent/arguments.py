"""A call's arguments, read and checked before the call, with errors that a model can mend."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from toolnexus.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_SHOWN_PROBLEMS = 6
_DEEPEST = 32
_NAMES = {
    "string": "a text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "array": "a list",
    "object": "an object",
    "null": "null",
}


def parse_arguments(text: str, schema: Mapping[str, Any]) -> dict[str, Any]:
    """Read a call's arguments. A null where none is allowed or needed counts as left out.

    Args:
        text: What the model wrote; nothing stands for no arguments.
        schema: The tool's parameters.

    Raises:
        UsageError: when they are no JSON object or do not fit; it says all that is wrong.

    Example:
        >>> schema = {"type": "object", "properties": {"n": {"type": "integer"}}}
        >>> parse_arguments('{"n": 3}', schema)
        {'n': 3}
    """
    value = _without_nulls(parse_json_object(text), schema)
    # A schema that names properties means these and no others; one that names none is open.
    strict = {"additionalProperties": not schema.get("properties"), **schema}
    problems = list(problems_of(value, strict))
    if problems:
        more = len(problems) - _SHOWN_PROBLEMS
        said = "; ".join(problems[:_SHOWN_PROBLEMS]) + (f"; and {more} more" if more > 0 else "")
        raise UsageError(f"the arguments do not fit: {said}", hint="mend them and call again")
    return value


def parse_json_object(text: str) -> dict[str, Any]:
    """Read a JSON object.

    Raises:
        UsageError: when the text is none; it says where it goes wrong.
    """
    try:
        value = json.loads(text if text.strip() else "{}")
    except ValueError as error:
        raise UsageError(
            f"the arguments are not valid JSON: {error}",
            hint=f"send the whole object anew; it began {text[:60]!r}",
        ) from None
    except RecursionError:
        raise UsageError("the arguments are nested too deeply") from None
    if not isinstance(value, dict):
        raise UsageError(f"the arguments must be a JSON object, not {_kind(value)}")
    return value


def problems_of(value: Any, schema: Mapping[str, Any], where: str = "") -> Iterator[str]:
    """Tell what is wrong with a value; words of JSON schema that are not known are passed over.

    Known are type, enum, const, properties, required, additionalProperties, items, minItems,
    maxItems, minimum, maximum, anyOf and oneOf (as anyOf).
    """
    if not isinstance(schema, dict):  # 'true': anything goes
        return
    if where.count(".") + where.count("[") > _DEEPEST:
        yield f"{_at(where)} is nested too deeply"
        return
    kinds = schema.get("type")
    allowed = [kinds] if isinstance(kinds, str) else list(kinds or ())
    if allowed and not any(_is_of(value, kind) for kind in allowed):
        wanted = " or ".join(_NAMES.get(kind, kind) for kind in allowed)
        yield f"{_at(where)} must be {wanted}, not {_kind(value)}"
        return
    yield from _value_problems(value, schema, where)
    if isinstance(value, dict):
        yield from _object_problems(value, schema, where)
    if isinstance(value, list):
        yield from _list_problems(value, schema, where)
    choices = schema.get("anyOf") or schema.get("oneOf") or ()
    if choices and all(any(problems_of(value, choice, where)) for choice in choices):
        yield f"{_at(where)} is of none of the kinds that fit: {json.dumps(choices)[:200]}"


def _without_nulls(value: dict[str, Any], schema: Mapping[str, Any]) -> dict[str, Any]:
    """Leave out the nulls that models fill in for arguments which they do not need."""
    known, required = schema.get("properties") or {}, schema.get("required") or ()
    return {
        name: item
        for name, item in value.items()
        if item is not None
        or name in required
        or name not in known
        or not any(problems_of(None, known[name]))
    }


def _value_problems(value: Any, schema: Mapping[str, Any], where: str) -> Iterator[str]:
    choices = [schema["const"]] if "const" in schema else schema.get("enum")
    if choices is not None and not any(_equal(value, choice) for choice in choices):
        listed = ", ".join(json.dumps(choice, ensure_ascii=False) for choice in choices)
        yield f"{_at(where)} must be one of {listed}, not {_kind(value, show=True)}"
    if isinstance(value, int | float) and not isinstance(value, bool):
        if value < schema.get("minimum", value):
            yield f"{_at(where)} must be at least {schema['minimum']}"
        if value > schema.get("maximum", value):
            yield f"{_at(where)} must be at most {schema['maximum']}"


def _object_problems(value: dict[str, Any], schema: Mapping[str, Any], where: str) -> Iterator[str]:
    known = schema.get("properties") or {}
    for name in schema.get("required") or ():
        if name not in value:
            yield f"{_at(_join(where, name))} is missing"
    others = schema.get("additionalProperties", True)
    for name, item in value.items():
        if name in known:
            yield from problems_of(item, known[name], _join(where, name))
        elif others is False:
            names = ", ".join(known) or "none"
            yield f"{_at(_join(where, name))} is unknown (there is: {names})"
        elif isinstance(others, dict):
            yield from problems_of(item, others, _join(where, name))


def _list_problems(value: list[Any], schema: Mapping[str, Any], where: str) -> Iterator[str]:
    if len(value) < schema.get("minItems", 0):
        yield f"{_at(where)} needs {schema['minItems']} items or more"
    if len(value) > schema.get("maxItems", len(value)):
        yield f"{_at(where)} may have {schema['maxItems']} items at most"
    items = schema.get("items")
    if isinstance(items, dict):
        for number, item in enumerate(value):
            yield from problems_of(item, items, f"{where}[{number}]")


def _is_of(value: Any, kind: str) -> bool:
    match kind:
        case "string":
            return isinstance(value, str)
        case "integer":
            return _is_number(value) and (isinstance(value, int) or value.is_integer())
        case "number":
            return _is_number(value)
        case "boolean":
            return isinstance(value, bool)
        case "array":
            return isinstance(value, list)
        case "object":
            return isinstance(value, dict)
        case "null":
            return value is None
    return True


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _equal(value: Any, choice: Any) -> bool:
    return value == choice and isinstance(value, bool) == isinstance(choice, bool)


def _kind(value: Any, *, show: bool = False) -> str:
    if show or isinstance(value, bool):
        return json.dumps(value)[:60]
    match value:
        case None:
            return "null"
        case str():
            return "a text"
        case int() | float():
            return "a number"
        case list():
            return "a list"
    return "an object"


def _join(where: str, name: str) -> str:
    return f"{where}.{name}" if where else name


def _at(where: str) -> str:
    return f"'{where}'" if where else "it"
