"""Markdown as it reads on the page: marks gone, links as what they show."""

from __future__ import annotations

import re

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
    found = scan_inline(text, 0, len(text))
    shown = [(start, end, "") for start, end in found.comments]
    shown += [(start, end, text[start:end].strip("`").strip()) for start, end in found.code]
    for link in found.links:
        label = link.label or " > ".join(part for part in (link.target, link.anchor) if part)
        shown.append((link.start, link.end, label))
    parts: list[str] = []
    position = 0
    for start, end, words in sorted(shown):
        if start < position:
            continue
        parts += [_plain_run(text[position:start]), words]
        position = end
    parts.append(_plain_run(text[position:]))
    # Emphasis may span a link or a code span, so its marks go last.
    return " ".join(strip_emphasis("".join(parts)).split())


def _plain_run(text: str) -> str:
    return _ESCAPED.sub(r"\1", _EXTERNAL.sub(r"\1", text))
