"""Markdown as it reads on the page: marks gone, links as what they show."""

from __future__ import annotations

import re
from itertools import zip_longest

from toolnexus.text.fold import strip_emphasis
from toolnexus.text.inline import scan_inline

_MARKUP = re.compile(r"[*_~=`\[\\<&!]")
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")
_EXTERNAL = re.compile(r"!?\[([^\[\]]*)\]\([^()\s]*(?:\s+\"[^\"]*\")?\)")


def plain_text(text: str) -> str:
    """Render one line's Markdown plain: no emphasis, code or escape marks, links as their label.

    Example:
        >>> plain_text("The **best** `code` of [[ines|Ines]] and [Clara](clara.md)")
        'The best code of Ines and Clara'
    """
    if not _MARKUP.search(text):
        return " ".join(text.split())
    text = text.replace("\0", "\ufffd")
    held: list[str] = []
    parts: list[str] = []
    position = 0
    for start, end, words in _shown(text):
        if start < position:  # inside what is shown already
            continue
        parts += [text[position:start], "\0"]
        held.append(words)
        position = end
    parts.append(text[position:])
    # Emphasis may span a link or a code span, so a stand-in marks their place.
    pieces = strip_emphasis(_EXTERNAL.sub(r"\1", "".join(parts))).split("\0")
    return " ".join(
        "".join(piece for pair in zip_longest(pieces, held) for piece in pair if piece).split()
    )


def _shown(text: str) -> list[tuple[int, int, str]]:
    """Return the stretches that show as something else: comments, code, links, escapes."""
    found = scan_inline(text, 0, len(text))
    shown = [(start, end, "") for start, end in found.comments]
    shown += [(start, end, text[start:end].strip("`").strip()) for start, end in found.code]
    for link in found.links:
        label = link.label or " > ".join(part for part in (link.target, link.anchor) if part)
        shown.append((link.start, link.end, _ESCAPED.sub(r"\1", strip_emphasis(label))))
    shown += [(escape.start(), escape.end(), escape[1]) for escape in _ESCAPED.finditer(text)]
    # Of two that begin together, the longer one; an escape inside a code span comes too late.
    return sorted(shown, key=lambda each: (each[0], -each[1]))
