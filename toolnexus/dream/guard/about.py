"""About it: whether the quotes speak of the claim at all."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolnexus.dream.guard.case import KINDS, Case
from toolnexus.dream.guard.ground import Ground
from toolnexus.dream.guard.over import ends_another, how_over
from toolnexus.dream.guard.part import ends_only
from toolnexus.dream.guard.verdict import Verdict, refuse, review
from toolnexus.dream.guard.vocabulary import tells_of_change

if TYPE_CHECKING:
    from collections.abc import Callable

FEWEST_SHARED = 2
SHARE_TO_DROP = 0.3
"""How much of a claim a quote without a word of ending must speak of, for the claim to go."""


def is_about(case: Case) -> Verdict | None:
    """The quotes share words with every sentence of the claim that would change."""
    if case.request.claim is None:
        return None
    reached = [sentence for sentence in case.changed if _is_reached(case, sentence)]
    if not reached:
        return _not_about(case)
    if case.is_removal and (verdict := _is_over(case)) is not None:
        return verdict
    if len(reached) < len(case.changed):
        return review(
            "the quotes speak only of a part of what would change",
            "change only the sentence that they speak of, or cite what speaks of the rest",
        )
    return None


def _is_over(case: Case) -> Verdict | None:
    """A quote that drops a claim ends or denies the claim's own words."""
    if ends_another(case):
        return review(
            "the quote says that something else is over",
            "a quote with a word of negation or of ending for this claim would settle it",
        )
    end, is_plain = how_over(case), _share(case) >= SHARE_TO_DROP
    if (end or is_plain) and (other := ends_only(case)):
        return review(
            f"the quote may only say that something with '{other}' is over",
            "a quote which says that all of the claim is over would settle it",
        )
    if end == "ended" or (end == "denied" and is_plain):
        return None
    return _doubtful_end() if end or is_plain else _not_about(case)


def _doubtful_end() -> Verdict:
    return review(
        "the quote speaks of the claim, but does not say that it is over",
        "a quote with a word of negation or of ending would settle it",
    )


def _share(case: Case) -> float:
    """Return how much of what would go the quotes speak of, 0 to 1."""
    wanted = {word for sentence in case.changed for word in case.topic_stems(sentence)}
    return sum(map(case.quotes.has_stem, wanted)) / max(1, len(wanted))


def _is_reached(case: Case, sentence: str) -> bool:
    wanted = case.topic_stems(sentence)
    shared = sum(map(case.quotes.has_stem, wanted))
    if shared >= FEWEST_SHARED:
        return True
    if not case.is_small(sentence):
        return False
    return shared >= 1 or _brings_change(case)


def _brings_change(case: Case) -> bool:
    """Whether the quotes tell of a change and hold a new value in the place of one of its kind."""
    if case.is_removal or not any(tells_of_change(s.text, case.language) for s in case.quotes.said):
        return False
    return any(
        case.lost[kind] and any(has(case.quotes, value) for value in case.gained[kind])
        for kind, has in HOLDS.items()
    )


def _not_about(case: Case) -> Verdict:
    words = ", ".join(sorted(case.topic_stems(case.changed[0]))[:8])
    if case.is_small(case.changed[0]):
        return refuse(
            "the quote does not speak of this claim",
            f"quote words that share one of its content words ({words}), or that tell of a change "
            "and hold the new value",
        )
    return refuse(
        "the quote does not speak of this claim",
        f"quote words that share at least two of its content words ({words})",
    )


HOLDS: dict[str, Callable[[Ground, str], bool]] = dict(
    zip(
        KINDS,
        (
            Ground.has_number,
            Ground.has_date,
            Ground.has_name,
            Ground.has_address,
            Ground.has_phrase,
        ),
        strict=True,
    )
)
"""How each kind of value is looked for in what was said."""
