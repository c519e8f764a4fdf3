"""A turn's content: a string, or a list of typed blocks."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator


class Content(NamedTuple):
    """What a content field says: the speaker's own text, and tool output that rides along."""

    text: str
    tool_text: str = ""
    has_tool_result: bool = False


def parse_content(value: object) -> Content:
    """Read a turn's content. Blocks that carry no text (images, tool calls) are passed over.

    Args:
        value: A string; a list of blocks of type text, tool_use, tool_result, image; or None,
            which a turn that only calls tools has.

    Raises:
        ValueError: when it is none of these.

    Example:
        >>> parse_content([{"type": "text", "text": "Look:"},
        ...                {"type": "tool_result", "content": "12 °C"}])
        Content(text='Look:', tool_text='12 °C', has_tool_result=True)
    """
    if isinstance(value, str):
        return Content(value)
    if value is None:
        return Content("")
    if not isinstance(value, list):
        raise ValueError("content is neither text nor a list of blocks")  # noqa: TRY004 (bad data)
    results = [block for block in value if _is_tool_result(block)]
    return Content(
        text="\n".join(_texts(value)),
        tool_text="\n".join(text for block in results for text in _result_texts(block)),
        has_tool_result=bool(results),
    )


def _is_tool_result(block: object) -> bool:
    return isinstance(block, dict) and block.get("type") == "tool_result"


def _result_texts(block: dict[str, object]) -> Iterator[str]:
    content = block.get("content")
    if isinstance(content, str):
        yield content
    elif isinstance(content, list):
        yield from _texts(content)


def _texts(blocks: list[object]) -> Iterator[str]:
    for block in blocks:
        if isinstance(block, str):
            yield block
        elif isinstance(block, dict) and block.get("type") == "text":
            text = block.get("text")
            if isinstance(text, str):
                yield text
