"""Writing links: a new one, or another target for one that stands."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from toolnexus.text.types import Link, LinkKind

# What would end or change a Markdown destination. Letters of all scripts stay as they are.
_UNSAFE = re.compile(r"""[\x00-\x20\x7f-\x9f\s"#%&()<>?:\[\\\]^`{|}]""")


def render_link(
    kind: LinkKind,
    target: str,
    anchor: str = "",
    label: str = "",
    *,
    escaped_pipe: bool = False,
) -> str:
    r"""Write a link.

    Args:
        kind: ``wiki``, ``embed`` (``![[…]]``) or ``markdown``.
        target: The note, ``.md`` included where it is wanted.
        anchor: A heading's text or ``^block``.
        label: What is shown; a Markdown link shows its target when there is none.
        escaped_pipe: Whether the label is parted by ``\|``, as a table's cell needs.

    Example:
        >>> render_link("wiki", "trips", "Plans", "see there")
        '[[trips#Plans|see there]]'
        >>> render_link("markdown", "my trips.md", label="Trips")
        '[Trips](my%20trips.md)'
    """
    label = " ".join(label.split())
    if kind == "markdown":
        shown = re.sub(r"([\\\[\]])", r"\\\1", label or target or anchor)
        tail = f"#{encode_target(anchor)}" if anchor else ""
        return f"[{shown}]({encode_target(target)}{tail})"
    pipe = r"\|" if escaped_pipe else "|"
    inner = target + (f"#{anchor}" if anchor else "") + (f"{pipe}{label}" if label else "")
    return f"{'!' if kind == 'embed' else ''}[[{inner}]]"


def retarget(text: str, link: Link, new_target: str) -> str:
    """Return what goes between the link's `target_start` and `target_end` to lead it elsewhere.

    The anchor and the label stand outside that span and stay as they are.

    Example:
        >>> from toolnexus.text.document import parse_document
        >>> text = "[Trips](trips.md#plans)"
        >>> retarget(text, parse_document(text).links[0], "old trips.md")
        'old%20trips.md'
    """
    is_wiki = text.startswith(("[[", "![["), link.start)
    return new_target if is_wiki else encode_target(new_target)


def encode_target(target: str) -> str:
    """Percent-encode what a Markdown destination cannot hold.

    Example:
        >>> encode_target("Café (2).md")
        'Café%20%282%29.md'
    """
    return _UNSAFE.sub(
        lambda match: "".join(f"%{byte:02X}" for byte in match.group().encode()), target
    )
