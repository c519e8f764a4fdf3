"""The memory tool: a persona's way to its notes, and the dreamer's."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, Protocol

from toolnexus.agent.memory_actions import (
    DREAMER_ACTIONS,
    PERSONA_ACTIONS,
    MemoryAction,
    MemoryArguments,
    parse_memory_arguments,
)
from toolnexus.agent.tool import Arguments, Tool
from toolnexus.errors import UsageError
from toolnexus.models.completion import ToolSpec
from toolnexus.text.secrets import mask

if TYPE_CHECKING:
    from collections.abc import Sequence

MEMORY_TOOL = "memory"
MemoryVariant = Literal["persona", "dreamer"]
INDEX_TARGETS = ("self", "user")
_WITHOUT_NOTES: tuple[MemoryAction, ...] = ("read", "add", "replace", "remove")

_DOES: dict[str, str] = {
    "list": "list: the notes there are.",
    "read": "read: the claims of 'target', numbered.",
    "add": "add: put 'text' into 'target' as one item.",
    "replace": "replace: put 'with' in the place of the claim 'text', or of a part of one claim.",
    "remove": "remove: delete the claim 'text', or a part of one claim.",
    "write": "write: create the note 'target' with 'title' and the Markdown 'text'; a note that is"
    " there is replaced only if none of its claims is lost.",
    "demote": "demote: move the claim 'text' of MEMORY.md, or a list of them, into the note 'to';"
    " 'with' is the short line that stays and must link the note, such as 'Travel: [[travel]]'.",
    "merge": "merge: fold the notes 'from' into the note 'to'; links follow by themselves.",
    "relink": "relink: point the broken link 'text' at the note 'with', in 'target' or everywhere.",
}
_PERSONA_LEAD = (
    "Your long-term memory: claims in Markdown that outlast this conversation. Save what will"
    " matter later; one fact an item. What you change shows in your instructions next time."
)
_DREAMER_LEAD = (
    "The memory you keep true. A change of a claim needs evidence: where a person said so, with"
    " their words exactly as they stand there."
)


class MemoryDoor(Protocol):
    """What the memory tool works on."""

    def perform(self, action: MemoryAction, arguments: MemoryArguments) -> str:
        """Do it, and tell in plain sentences what was done.

        Raises:
            ToolnexusError: when it cannot be done; nothing has changed then.
        """
        ...


def memory_tool(
    door: MemoryDoor, variant: MemoryVariant = "persona", *, notes: bool = True
) -> Tool:
    """Make the memory tool.

    Args:
        door: What it works on.
        variant: ``persona`` has list, read, add, replace, remove and write, without evidence;
            ``dreamer`` has all actions, and evidence.
        notes: Whether notes can be reached; else only MEMORY.md and USER.md.

    Example:
        >>> class Door:
        ...     def perform(self, action, arguments):
        ...         return f"{action} {arguments.text}"
        >>> memory_tool(Door()).call({"action": "add", "text": "Likes tea."})
        'add Likes tea.'
    """
    dreams = variant == "dreamer"
    actions = DREAMER_ACTIONS if dreams else PERSONA_ACTIONS if notes else _WITHOUT_NOTES
    lead = _DREAMER_LEAD if dreams else _PERSONA_LEAD
    description = "\n".join([lead, *(f"- {_DOES[action]}" for action in actions)])
    spec = ToolSpec(MEMORY_TOOL, description, _schema(actions, dreams=dreams, notes=notes))

    def call(arguments: Arguments) -> str:
        given = dict(arguments)
        if not notes and (given.get("target") or "self") not in INDEX_TARGETS:
            raise UsageError(f"there is no target {given['target']!r}", hint="self or user")
        action = given.pop("action", "")
        read = parse_memory_arguments(action, given, actions, evidence=dreams)
        return mask(door.perform(action, read))

    return Tool(spec, call)


def _schema(actions: Sequence[MemoryAction], *, dreams: bool, notes: bool) -> dict[str, Any]:
    properties: dict[str, Any] = {
        "action": {"type": "string", "enum": list(actions)},
        "target": _text("'self' for MEMORY.md (the default), 'user' for USER.md, or a note's slug"),
        "text": _text("the claim or text; an existing claim word for word"),
        "with": _text("what comes in its place"),
        "title": _text("a new note's title"),
    }
    if not notes:
        del properties["title"]
        said = "'self' for MEMORY.md (the default) or 'user' for USER.md"
        properties["target"] = {"type": "string", "enum": list(INDEX_TARGETS), "description": said}
    if dreams:
        properties["text"] = {
            **_ONE_OR_SEVERAL,
            "description": "the claim or text, word for word; for demote also a list of claims",
        }
        properties["to"] = _text("the slug of the note that receives")
        properties["from"] = {
            **_ONE_OR_SEVERAL,
            "description": "the slugs of the notes to merge",
        }
        properties["evidence"] = _EVIDENCE
    return {
        "type": "object",
        "properties": properties,
        "required": ["action"],
        "additionalProperties": False,
    }


def _text(description: str) -> dict[str, Any]:
    return {"type": "string", "description": description}


_ONE_OR_SEVERAL: dict[str, Any] = {
    "anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]
}
_EVIDENCE: dict[str, Any] = {
    "type": "array",
    "description": "the turns that a change rests on",
    "items": {
        "type": "object",
        "properties": {
            "conversation": {"type": "string", "description": "the conversation's id"},
            "turn": {
                "anyOf": [{"type": "integer"}, {"type": "string"}],
                "description": "the turn's number or id",
            },
            "quote": {"type": "string", "description": "words that stand in that turn"},
        },
        "required": ["conversation", "turn", "quote"],
        "additionalProperties": False,
    },
}
