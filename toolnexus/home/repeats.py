"""Repeats: whether a file may say something twice, told at a glance."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from toolnexus.text.types import Document

_LINK = re.compile(r"\[\[.*?\]\]|\[[^\]]*\]\([^)]*\)")


def may_repeat(document: Document) -> bool:
    r"""Tell whether two claims of a document could be the same, wherever their links lead.

    Whether they are takes resolving the links and looking at what the claims stand under.

    Example:
        >>> from toolnexus.text.document import parse_document
        >>> may_repeat(parse_document("- See [[tea]].\n- See [[cups]].\n"))
        True
        >>> may_repeat(parse_document("- Likes tea.\n- Likes coffee.\n"))
        False
    """
    claims = document.claims
    if len(claims) < 2:
        return False
    folds = {_LINK.sub("", claim.fold) if "[" in claim.fold else claim.fold for claim in claims}
    return len(folds) < len(claims)
