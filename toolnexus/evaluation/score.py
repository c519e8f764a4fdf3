"""The score of one home: what it is after a pass, held against what it should be."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from toolnexus.evaluation.card import Scored, Tally
from toolnexus.evaluation.case import FOLDED, GONE
from toolnexus.home.claims import all_claims
from toolnexus.text.fold import fold_claim
from toolnexus.text.words import content_words, values

if TYPE_CHECKING:
    from collections.abc import Iterable

    from toolnexus.dream.types import Pass
    from toolnexus.evaluation.case import Case, Expected
    from toolnexus.home.snapshot import Snapshot


def score(case: Case, before: Snapshot, after: Snapshot, done: Pass) -> Scored:
    """Judge a pass by the home before and after, never by what the model says of it.

    Args:
        case: What should come of it.
        before: The home before.
        after: The home after.
        done: What the pass says that waits, and what it cost.
    """
    stood, stands = _folds(before), _folds(after)
    mapped = {f"[[{old}]]": f"[[{new}]]" for old, new in _moved(case).items()}
    new = [claim.claim.text for claim in all_claims(after) if not stood[claim.claim.fold]]
    counts: Counter[str] = Counter()
    missed: list[str] = []
    harmed: list[str] = []
    for claim in case.claims:
        verdict = _verdict(claim, stands, new, done, mapped)
        counts[verdict] += 1
        if verdict in {"missed", "waiting"}:
            missed.append(claim.text)
        elif verdict == "harmed":
            harmed.append(claim.text)
    made_up = [text for text in new if not _is_meant(text, case, mapped)]
    merged = [old for old in case.merges if old not in after.notes]
    repaired = [old for old in case.links if f"[[{old}]]" not in _whole(after)]
    missed += [old for old in case.merges if old in after.notes]
    missed += [f"[[{old}]]" for old in case.links if old not in repaired]
    wanted = sum(bool(claim.becomes) for claim in case.claims)
    tally = Tally(
        homes=1,
        claims=len(case.claims),
        wanted=wanted,
        corrected=counts["corrected"],
        waiting=counts["waiting"],
        missed=counts["missed"],
        standing=len(case.claims) - wanted,
        conserved=counts["conserved"],
        harmed=counts["harmed"] + len(made_up),
        merges=len(case.merges),
        merged=len(merged),
        links=len(case.links),
        repaired=len(repaired),
        model_calls=done.stats.model_calls,
        tokens_in=done.stats.tokens_in,
        tokens_out=done.stats.tokens_out,
        usd=done.stats.usd,
        seconds=done.stats.seconds,
    )
    return Scored(case.name, case.kind, case.language, tally, tuple(missed), (*harmed, *made_up))


def satisfies(text: str, claim: Expected) -> bool:
    """Whether a text says what a claim should become, in these words or others.

    It holds every word of content and value that comes in, and none of those that go.

    Example:
        >>> from toolnexus.evaluation.case import Expected
        >>> moved = Expected("MEMORY.md", "Lives in Lyon.", "Lives in Nantes.")
        >>> satisfies("Now lives in Nantes.", moved), satisfies("Left Lyon for Nantes.", moved)
        (True, False)
    """
    old, new, said = _said(claim.text), _said(claim.becomes), _said(text)
    negated = [bool(values(each).negations) for each in (text, claim.becomes)]
    return new - old <= said and not (old - new) & said and negated[0] == negated[1]


def _verdict(
    claim: Expected, stands: Counter[str], new: Iterable[str], done: Pass, mapped: dict[str, str]
) -> str:
    fold = _mapped(fold_claim(claim.text), mapped)
    if not claim.becomes:
        return "conserved" if stands[fold] or stands[fold_claim(claim.text)] else "harmed"
    if claim.becomes == FOLDED:
        return "corrected" if stands[fold] == 1 else "missed" if stands[fold] else "harmed"
    if stands[fold]:
        return "waiting" if _waits(claim, done) else "missed"
    if claim.becomes == GONE:
        return "corrected"
    return "corrected" if any(satisfies(text, claim) for text in new) else "harmed"


def _waits(claim: Expected, done: Pass) -> bool:
    """Whether a right change of a claim waits for a person."""
    return any(
        change.before == claim.text
        and (not change.after if claim.becomes == GONE else satisfies(change.after, claim))
        for change in done.waiting
    )


def _is_meant(text: str, case: Case, mapped: dict[str, str]) -> bool:
    """Whether a claim that was not there before comes from what the case asks for."""
    folds = {_mapped(fold_claim(claim.text), mapped) for claim in case.claims}
    return fold_claim(text) in folds or any(
        claim.becomes not in {"", GONE, FOLDED} and satisfies(text, claim) for claim in case.claims
    )


def _moved(case: Case) -> dict[str, str]:
    """Return where links lead after the pass, by the names that they had."""
    slugs = {_slug(old): _slug(new) for old, new in case.merges.items()}
    return slugs | case.links


def _slug(path: str) -> str:
    return path.rpartition("/")[2].removesuffix(".md")


def _mapped(fold: str, mapped: dict[str, str]) -> str:
    for old, new in mapped.items():
        fold = fold.replace(old, new)
    return fold


def _folds(home: Snapshot) -> Counter[str]:
    return Counter(claim.claim.fold for claim in all_claims(home))


def _whole(home: Snapshot) -> str:
    return "\n".join(home.texts.values())


def _said(text: str) -> frozenset[str]:
    found = values(text)
    return frozenset((*content_words(text), *found.numbers, *found.dates, *found.names))
