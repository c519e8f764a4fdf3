"""A Markdown text, read into claims, headings, structure and links."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from toolnexus.text.blocks import parse_blocks
from toolnexus.text.frontmatter import read_front_matter
from toolnexus.text.lines import Lines
from toolnexus.text.reader import BodyReader
from toolnexus.text.secrets.problems import secret_problems

if TYPE_CHECKING:
    from toolnexus.text.types import Document

LAST_READ = 8
"""So many texts are remembered with their documents: one operation looks at a file several times
before it changes, and once it would have."""


@lru_cache(LAST_READ)
def parse_document(text: str) -> Document:
    r"""Read a file's text. It never raises, whatever the text is.

    Args:
        text: The file's bytes decoded as UTF-8, byte order mark and line endings as they are.

    Example:
        >>> document = parse_document("# Ines\n- Lives in *Lyon*. <!-- keep -->\n")
        >>> [(claim.text, claim.headings, claim.pinned) for claim in document.claims]
        [('Lives in *Lyon*.', ('Ines',), True)]
    """
    front, problems = read_front_matter(text)
    lines = Lines(text)
    first = lines.number_at(front.end) - 1 if front.end < len(text) else len(lines)
    reader = BodyReader(lines, first, front.end)
    reader.read(parse_blocks(text[front.end :]))
    return reader.document(front, (*problems, *secret_problems(text)))
