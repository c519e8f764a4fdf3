"""Lead-ins: lines that say how the claims behind them are to be read."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from toolnexus.text.types import Claim, Document

_LABEL = re.compile(r"(\*\*|__).+\1:?")


def is_lead(claim: Claim) -> bool:
    r"""Whether a paragraph announces what stands behind it: "Anna must never eat:", "**Ines**".

    Example:
        >>> from toolnexus.text.document import parse_document
        >>> [is_lead(c) for c in parse_document("Bob likes:\n\n- Tea\n").claims]
        [True, False]
    """
    if claim.kind != "paragraph":
        return False
    return claim.text.endswith((":", "?")) or _LABEL.fullmatch(claim.text) is not None


def lead_of(document: Document, number: int) -> str:
    """Return the folded lead-in that a claim stands behind; empty when there is none.

    For an item that is the line before its list, announcing or not; for other claims the line right
    before them, when it announces something or asks it. Two equal claims behind different lines
    are two facts.
    """
    claims = document.claims
    claim = claims[number]
    before = number - 1
    if claim.kind == "item":
        if before >= 0 and claims[before].kind == "item" and claims[before].text.endswith("?"):
            return claims[before].fold
        while before >= 0 and claims[before].kind == "item":
            before -= 1
    if before < 0 or claims[before].headings != claim.headings:
        return ""
    lead = claims[before]
    if claim.kind == "item":
        return lead.fold if lead.kind == "paragraph" else ""
    return lead.fold if is_lead(lead) else ""
