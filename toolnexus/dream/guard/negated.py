"""Negated: whether what a new text denies was denied, and what it no longer denies was said."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolnexus.dream.guard.signs import read_signs
from toolnexus.dream.guard.verdict import Verdict, refuse, review
from toolnexus.dream.guard.vocabulary import contrasts, denied_words, denies, joins, negates
from toolnexus.dream.sentence import read_sentences
from toolnexus.dream.speech import words
from toolnexus.dream.token import WORD_KINDS
from toolnexus.text.words import content_words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolnexus.dream.guard.case import Case
    from toolnexus.dream.sentence import Sentence
    from toolnexus.dream.token import Token

WORDS_FOR_A_GAP = 5
"""Of so many words that a claim denies, a quote without the negation may lack one."""


def gains_no_negation(case: Case) -> Verdict | None:
    """A negation that comes in stands in the quotes, over all that the new text denies."""
    if len(case.new.negations) <= len(case.old.negations):
        return None
    if any(negates(said.text, said.language) for said in case.quotes.said):
        return _spread(case)
    if case.turns.has_negation() or any(denies(s.text, s.language) for s in case.quotes.said):
        return review(
            "the new text denies something, and the quote has no negation",
            "quote the words that deny it",
        )
    return refuse(
        "the new text denies something that the cited turns do not deny",
        "quote the words that deny it",
    )


def loses_no_negation(case: Case) -> Verdict | None:
    """A negation that goes is spoken of: the quotes say the rest of the claim without one."""
    if case.is_removal or len(case.old.negations) <= len(case.new.negations):
        return None
    if _denies_the_same(case):
        return review(
            "a negation would be lost, and the quote holds one",
            "quote the words that say it without one",
        )
    denied = _denied(case.before, case)
    unsaid = [token for token in denied if not case.quotes.has_stem(token.key)]
    named = [token for token in unsaid if token.kind == "name"]
    if not named and len(unsaid) <= len(denied) // WORDS_FOR_A_GAP:
        return None
    return review(
        f"a negation would be lost, and the quote does not say '{(named or unsaid)[0].folded}'",
        "quote the words that say all that the claim denies",
    )


def contradicts_claim(case: Case) -> Verdict | None:
    """A quote that says all the claim says, and denies nothing, takes no word of it away."""
    if case.is_removal or not case.lost_words or case.lost_values or case.old.negations:
        return None
    wanted = {stem for sentence in case.changed for stem in case.topic_stems(sentence)}
    for said in case.quotes.said:
        for sentence in read_sentences(said.text):
            if wanted <= sentence.stems and not read_signs(sentence):
                return review(
                    "the quote says what the claim says",
                    "quote the words in which the user says otherwise",
                )
    return None


def _denies_the_same(case: Case) -> bool:
    """Whether the quotes, too, deny what the claim denies, as far as words beside tell."""
    denied = set(denied_words(case.before))
    for said in case.quotes.said:
        if not negates(said.text, said.language):
            continue
        if denied.isdisjoint(content_words(said.text)):
            return True
        if not denied.isdisjoint(denied_words(said.text)):
            return True
    return False


def _spread(case: Case) -> Verdict | None:
    """Leave to a person what would deny more than the quotes deny: not this, only that."""
    denied: set[str] = set()
    spared: set[str] = set()
    for said in case.quotes.said:
        for sentence in read_sentences(said.text):
            for token, is_denied in _content_behind(sentence):
                (denied if is_denied else spared).add(token.key)
    wanted = [token.key for token in _denied(case.after, case)]
    unsaid = [key for key in wanted if not case.quotes.has_stem(key)]
    if unsaid and denied.difference(wanted, case.topic_stems(f"{case.before} {case.after}")):
        return review(
            f"the quote denies something else than '{unsaid[0]}'",
            "deny only what the quote denies",
        )
    if not joins(case.after, case.language):
        wanted = [key for key in wanted if key in spared]
    beyond = [key for key in wanted if key not in denied]
    if not beyond:
        return None
    return review(
        f"the new text denies '{beyond[0]}', which the quote does not deny",
        "deny only what the quote denies",
    )


def _denied(text: str, case: Case) -> tuple[Token, ...]:
    """Return the content words that the negations of a text reach, the owner left out."""
    return tuple(
        token
        for sentence in read_sentences(text)
        for token, is_denied in _content_behind(sentence)
        if is_denied and token.folded.removesuffix("'s") not in case.owner_words
    )


def _content_behind(sentence: Sentence) -> Iterator[tuple[Token, bool]]:
    """Yield the content words behind a sentence's first negation, and whether it reaches them.

    It reaches as far as a word of contrast or a clause with a speaker of its own. What stands
    before it, parted by a word of contrast, is out of its reach: "I eat fish, but no meat".
    """
    language, negated, reaches, clause = sentence.language, False, False, -1
    ahead: list[Token] = []
    speakers = words("self", language) | words("other", language)
    for token in sentence.tokens:
        if token.kind == "negation":
            negated, reaches, clause = True, True, token.clause
        elif contrasts(token.folded, language) or (
            token.clause != clause and token.folded in speakers
        ):
            reaches = False
            yield from ((token, False) for token in ahead)
            ahead.clear()
        elif negated and token.kind in WORD_KINDS:
            yield token, reaches
        elif token.kind in WORD_KINDS:
            ahead.append(token)
