"""Tools made of typed functions."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import Annotated, Any, Literal, Optional

import pytest

from toolnexus.agent.arguments import parse_arguments
from toolnexus.agent.docstring import parse_docstring
from toolnexus.agent.tool import Tool, render_result, tool_from, tools_by_name
from toolnexus.errors import UsageError


class Room(enum.Enum):
    """Where a lamp stands."""

    KITCHEN = "kitchen"
    HALL = "hall"


def lamp(  # noqa: D417 - some arguments go without saying
    room: Room,
    level: float,
    on: bool = True,
    colours: list[str] | None = None,
    mode: Literal["warm", "cold"] = "warm",
    extra: Optional[dict[str, int]] = None,  # noqa: UP045 - the old spelling is read too
    rooms: Annotated[list[Room], "others"] = [],  # noqa: B006 - it is not changed
    anything: Any = None,
) -> str:
    """Set a lamp.

    It takes a second.

    Args:
        room: Which one; the hall's
            is slow.
        level (float): From 0 to 1.

    Returns:
        What was done.
    """
    return f"{room!r} {level!r} {on} {colours} {mode} {extra} {rooms} {anything}"


def test_hints_become_the_schema():
    """Each kind of hint becomes its JSON schema, with what the docstring says of it."""
    spec = tool_from(lamp).spec
    assert spec.name == "lamp"
    assert spec.description == "Set a lamp.\n\nIt takes a second."
    assert spec.parameters == {
        "type": "object",
        "properties": {
            "room": {
                "type": "string",
                "enum": ["kitchen", "hall"],
                "description": "Which one; the hall's is slow.",
            },
            "level": {"type": "number", "description": "From 0 to 1."},
            "on": {"type": "boolean"},
            "colours": {"type": "array", "items": {"type": "string"}},
            "mode": {"type": "string", "enum": ["warm", "cold"]},
            "extra": {"type": "object", "additionalProperties": {"type": "integer"}},
            "rooms": {"type": "array", "items": {"type": "string", "enum": ["kitchen", "hall"]}},
            "anything": {},
        },
        "required": ["room", "level"],
        "additionalProperties": False,
    }


def test_a_call_gets_what_its_hints_promise():
    """Enums come as members, whole numbers as floats, defaults as they are."""
    tool = tool_from(lamp)
    arguments = parse_arguments(
        '{"room": "hall", "level": 1, "rooms": ["kitchen"]}', tool.spec.parameters
    )
    said = tool.call(arguments)
    assert said == ("<Room.HALL: 'hall'> 1.0 True None warm None [<Room.KITCHEN: 'kitchen'>] None")


def test_a_null_for_an_optional_argument_is_as_if_left_out():
    """Models fill in nulls; a default stays what the function says."""
    tool = tool_from(lamp)
    text = '{"room": "hall", "level": 0.5, "mode": null, "colours": null}'
    assert parse_arguments(text, tool.spec.parameters) == {"room": "hall", "level": 0.5}
    with pytest.raises(UsageError, match="'room'"):
        parse_arguments('{"room": null, "level": 1}', tool.spec.parameters)


def no_hint(plant) -> None: ...


def starred(*plants: str) -> None: ...


def odd_type(plant: bytes) -> None: ...


def odd_keys(plants: dict[int, str]) -> None: ...


@pytest.mark.parametrize("function", [no_hint, starred, odd_type, odd_keys, lambda x: x])
def test_what_cannot_be_a_tool_is_an_error(function):
    """A parameter that a model could not fill is told when the tool is made."""
    with pytest.raises(UsageError) as caught:
        tool_from(function)
    assert caught.value.message


def test_names_are_unique():
    """Two tools under one name are an error."""
    with pytest.raises(UsageError, match="lamp"):
        tools_by_name([lamp, tool_from(lamp)])


def test_methods_and_callables_are_tools():
    """A bound method's self is not offered; an object that can be called is a tool of its type."""

    class Garden:
        def water(self, plant: str) -> str:
            """Water a plant."""
            return f"watered {plant}"

        def __call__(self, plant: str) -> str:
            return f"seen {plant}"

    assert tool_from(Garden().water).call({"plant": "fern"}) == "watered fern"
    made = tool_from(Garden())
    assert made.name == "Garden"
    assert made.call({"plant": "fern"}) == "seen fern"


def test_a_tool_stays_itself():
    """Making a tool of a tool gives it back."""
    made = tool_from(lamp, name="light", description="Light.", timeout_seconds=2)
    assert isinstance(made, Tool)
    assert tool_from(made) is made
    assert (made.name, made.spec.description, made.timeout_seconds) == ("light", "Light.", 2)


@dataclass
class Point:
    x: int


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("as it is", "as it is"),
        (None, "Done."),
        ([1, "ü"], '[1, "ü"]'),
        (Point(3), '{"x": 3}'),
        ({"a": {1}}, '{"a": [1]}'),
        ("half \ud83d here", "half ? here"),
        (Room.HALL, '"Room.HALL"'),
    ],
)
def test_results_are_text(value, text):
    """Whatever a tool returns becomes text that any provider takes."""
    assert render_result(value) == text


def test_a_docstring_without_sections_is_a_description():
    """A plain docstring, or none, is no error."""
    assert parse_docstring("Waters.").description == "Waters."
    assert parse_docstring(None).description == ""
