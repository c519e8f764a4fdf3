"""Finding the claim that a caller means by quoting it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from toolnexus.errors import UsageError
from toolnexus.text.fold import fold_claim
from toolnexus.text.secrets import shorten

if TYPE_CHECKING:
    from collections.abc import Sequence

    from toolnexus.text.types import Claim, Document

_LISTED = 8


@dataclass(frozen=True, slots=True)
class Found:
    """A claim that was meant, and which part of the file's text was quoted.

    Attributes:
        index: The claim's number in `Document.claims`.
        claim: The claim.
        start: Where the quoted part begins in the file's text; `end` is behind it.
        whole: Whether the whole claim was quoted.
    """

    index: int
    claim: Claim
    start: int
    end: int
    whole: bool


def find_claim(
    text: str, document: Document, words: str, *, path: str, under: Sequence[str] | None = None
) -> Found:
    """Find the one claim that some words mean: a whole claim first, else a part of one.

    Args:
        text: The file's text.
        document: The same, read.
        words: The claim's text, or a part of it on word boundaries; case does not count.
        path: The file, for messages.
        under: The headings that the claim must stand under, when the caller knows them.

    Raises:
        UsageError: when no claim fits, or several do; they are listed.
    """
    claims = [
        (index, claim)
        for index, claim in enumerate(document.claims)
        if under is None or claim.headings == tuple(under)
    ]
    wanted = fold_claim(words)
    whole = [(i, c) for i, c in claims if c.fold == wanted]
    if len(whole) == 1:
        index, claim = whole[0]
        return Found(index, claim, claim.body_start, claim.body_end, whole=True)
    if whole:
        raise _several(words, [claim for _, claim in whole], path)
    pattern = _as_part(words)
    hits = [
        (index, claim, match)
        for index, claim in claims
        for match in pattern.finditer(text, claim.body_start, claim.body_end)
    ]
    if len(hits) == 1:
        index, claim, match = hits[0]
        return Found(index, claim, match.start(), match.end(), whole=False)
    if hits:
        raise _several(words, [claim for _, claim, _ in hits], path)
    raise UsageError(
        f"no claim reads '{_shown(words)}'",
        path=path,
        hint="'read' shows the claims as they stand" + _nearest(words, document),
    )


def require_unpinned(claim: Claim, path: str) -> Claim:
    """Return a claim that may be changed.

    Raises:
        UsageError: when a person pinned it with ``<!-- keep -->``.
    """
    if claim.pinned:
        raise UsageError(
            f"'{_shown(claim.text)}' is pinned with <!-- keep -->",
            path=path,
            line=claim.line,
            hint="a person can take the pin out; until then it stays as it is",
        )
    return claim


def _as_part(words: str) -> re.Pattern[str]:
    r"""Match words with any white space between them, on Unicode word boundaries."""
    parts = [re.escape(part) for part in words.split()]
    body = r"\s+".join(parts)
    left = r"(?<!\w)" if re.match(r"\w", words.strip()) else ""
    right = r"(?!\w)" if re.search(r"\w\Z", words.strip()) else ""
    return re.compile(left + body + right, re.IGNORECASE)


def _several(words: str, claims: Sequence[Claim], path: str) -> UsageError:
    shown = "; ".join(f"line {c.line}: {_shown(c.text)}" for c in claims[:_LISTED])
    return UsageError(
        f"'{_shown(words)}' fits {len(claims)} places: {shown}",
        path=path,
        hint="quote more of the one that you mean",
    )


def _nearest(words: str, document: Document) -> str:
    from rapidfuzz import process

    folds = {claim.text: claim.fold for claim in document.claims}
    best = process.extractOne(fold_claim(words), folds, score_cutoff=60)
    return f"; the nearest is '{_shown(str(best[2]))}'" if best else ""


def _shown(text: str) -> str:
    return shorten(" ".join(text.split()), 120)
