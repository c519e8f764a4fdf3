"""What a message of another tool says: a string, or a list of typed blocks."""

from __future__ import annotations

from dataclasses import dataclass, field
from hashlib import blake2b

_TEXTS = frozenset({"text", "input_text", "output_text"})
_THOUGHTS = frozenset({"thinking", "redacted_thinking", "reasoning", "summary_text"})
_CALLS = frozenset({"tool_use", "server_tool_use", "toolCall"})
_RESULTS = frozenset({"tool_result"})
_IMAGES = frozenset({"image", "image_url", "input_image", "document", "file", "input_audio"})
_SHOWN_CHARS = 40
_LONGEST_ID = 200
_LONGEST_ID_NUMBER = 10**30


@dataclass(frozen=True, slots=True)
class ToolResult:
    """What a tool gave back, and the id of the call that it answers."""

    call_id: str
    text: str


@dataclass(slots=True)
class Message:
    """A message, sorted: words, results of tools, calls of tools, and what is none of these.

    Attributes:
        texts: Its words, block by block.
        results: What tools gave back.
        calls: Calls of tools: ``{id, name, arguments}``.
        skipped: Reasons for what was left out.
    """

    texts: list[str] = field(default_factory=list)
    results: list[ToolResult] = field(default_factory=list)
    calls: list[dict[str, object]] = field(default_factory=list)
    skipped: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        """All its words."""
        return "\n".join(text for text in self.texts if text)


def read_message(content: object) -> Message:
    """Sort what a content field says.

    Raises:
        ValueError: when it is neither text nor blocks nor nothing at all.

    Example:
        >>> read_message([{"type": "text", "text": "Hm."}, {"type": "thinking"}]).skipped
        ['thinking']
    """
    message = Message()
    if isinstance(content, str):
        message.texts.append(content)
    elif isinstance(content, list):
        for block in content:
            _sort(block, message)
    elif content is not None:
        raise ValueError("content is neither text nor blocks")
    return message


def _sort(block: object, message: Message) -> None:
    kind = block.get("type") if isinstance(block, dict) else None
    if isinstance(block, str):
        message.texts.append(block)
    elif not isinstance(block, dict) or not isinstance(kind, str):
        message.skipped.append("a content block without a type")
    elif kind in _TEXTS and isinstance(block.get("text"), str):
        message.texts.append(block["text"])
    elif kind in _THOUGHTS:
        message.skipped.append("thinking")
    elif kind in _CALLS:
        message.calls.append(_call(block))
    elif kind in _RESULTS:
        message.results.append(
            ToolResult(as_text(block.get("tool_use_id")), output_text(block.get("content")))
        )
    elif kind in _IMAGES:
        message.skipped.append("an image or a file")
    else:
        message.skipped.append(f"content block '{short(kind)}'")


def _call(block: dict[str, object]) -> dict[str, object]:
    arguments = block.get("input", block.get("arguments"))
    return tool_call(block.get("id"), block.get("name"), arguments)


def tool_call(call_id: object, name: object, arguments: object) -> dict[str, object]:
    """Return a call of a tool as a turn's ``tool_calls`` has it."""
    return {"id": as_text(call_id), "name": as_text(name), "arguments": arguments}


def output_text(value: object) -> str:
    """Return the words of what a tool gave back: text, blocks, or an object around one of them.

    Example:
        >>> output_text([{"type": "text", "text": "12 °C"}, {"type": "image"}])
        '12 °C'
    """
    if isinstance(value, str):
        return value
    if isinstance(value, dict):
        return output_text(value.get("content", value.get("output", value.get("text"))))
    if not isinstance(value, list):
        return ""
    texts = [_output_block(block) for block in value]
    return "\n".join(text for text in texts if text)


def _output_block(block: object) -> str:
    if isinstance(block, str):
        return block
    text = block.get("text") if isinstance(block, dict) else None
    return text if isinstance(text, str) else ""


def as_text(value: object) -> str:
    """Return an id or a name as text; empty for what is none, the digest of what is too long."""
    if isinstance(value, bool) or not isinstance(value, str | int):
        return ""
    if isinstance(value, int):
        return str(value) if abs(value) < _LONGEST_ID_NUMBER else ""
    return value if len(value) <= _LONGEST_ID else digest(value)


def digest(*parts: str) -> str:
    """Return 32 hexadecimal digits that stand for some texts.

    Example:
        >>> len(digest("a", "b"))
        32
    """
    whole = blake2b(digest_size=16)
    for part in parts:
        whole.update(f"{len(part)}:{part}".encode("utf-8", "replace"))
    return whole.hexdigest()


def labelled(what: str, noun: str, value: object) -> str:
    """Name a kind of thing by its label in the file, for a reason that is counted.

    Example:
        >>> labelled("a record", "type", "summary"), labelled("a message", "role", None)
        ("a record of type 'summary'", 'a message without a role')
    """
    return f"{what} without a {noun}" if value is None else f"{what} of {noun} '{short(value)}'"


def short(value: object) -> str:
    """Return any value as a few characters on one line, for a reason that is counted.

    Example:
        >>> short({"a": 1})
        'dict'
    """
    return (
        " ".join(value.split())[:_SHOWN_CHARS] if isinstance(value, str) else type(value).__name__
    )
