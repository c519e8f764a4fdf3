"""What names a claim in ledgers."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


def claim_digest(text: str, context: Sequence[str]) -> str:
    """Return what names a claim in the ledger: it changes with its words or its context.

    Example:
        >>> claim_digest("Lives in Paris.", ("ines",)) == claim_digest("Lives in Paris.", ())
        False
    """
    whole = "\x1f".join((text, *context)).encode("utf-8", "surrogatepass")
    return hashlib.blake2b(whole, digest_size=8).hexdigest()
