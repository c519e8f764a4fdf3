"""Stated: whether the user's own sentences say a fact, and do not only ask or suppose it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolnexus.dream.guard.verdict import Verdict, refuse, review
from toolnexus.dream.guard.vocabulary import ends, filler_stems
from toolnexus.dream.learning.lists import listed
from toolnexus.dream.learning.retold import is_retold
from toolnexus.dream.sentence import read_sentences
from toolnexus.dream.speech import alike, considering, words
from toolnexus.text.lexicon import fold_words
from toolnexus.text.words import stem, values

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolnexus.dream.guard.case import Case, Cited
    from toolnexus.dream.sentence import Sentence
    from toolnexus.dream.token import Token


def is_stated(case: Case) -> Verdict | None:
    """A fact is what one sentence of the quotes states; None where one does."""
    wanted = _wanted(case)
    said: set[str] = set()
    doubt: Verdict | None = None
    found = False
    for cited in case.cited:
        for sentence in _sentences(cited):
            found = True
            stems = _stems(sentence, cited.turn.text)
            if not stems & wanted:
                continue
            verdict = _doubt(case, cited, sentence, wanted)
            if verdict is None and wanted <= stems:
                return _is_over(case, cited, sentence) or is_retold(case, sentence, cited.turn.text)
            if verdict is None:
                said |= stems
            doubt = doubt or verdict
    if not found or (doubt is None and _is_quoted(wanted - said, case)):
        return refuse(
            "the quote stands in what somebody else is quoted to say, or in code",
            "quote the user's own words; without them there is nothing to add",
        )
    return _missing(wanted - said, doubt, case)


def _is_quoted(missing: frozenset[str], case: Case) -> bool:
    """Whether words that no sentence of the user's own says stand in the quote all the same."""
    return bool(missing) and all(map(case.quotes.has_stem, missing))


def _missing(missing: frozenset[str], doubt: Verdict | None, case: Case) -> Verdict:
    """Say what no single sentence states."""
    if doubt is not None and missing:
        return doubt
    if missing:
        shown = _shown(case.after, missing)
        return refuse(
            f"the quote does not say '{shown}'",
            "keep to the user's own words, and quote the whole sentence that says them",
        )
    return review(
        "the words come from several sentences, which may speak of different things",
        "one sentence of the user's that says all of it would settle it",
    )


def _wanted(case: Case) -> frozenset[str]:
    """Return the stems that the new text stands on: its words of content, names among them."""
    same = alike(case.language)
    keys = {*case.gained_words, *(stem(p) for n in case.new.names for p in fold_words(n))}
    keys -= {stem(word) for word in case.owner_words} | filler_stems()
    if case.new.dates:
        keys = {key for key in keys if not _is_of_a_date(key, case.after)}
    return frozenset(same.get(key, key) for key in keys)


def _is_of_a_date(key: str, text: str) -> bool:
    """Whether a word is a part of a date, such as a month: the guard looks at dates as a whole."""
    written = [word for word in fold_words(text) if stem(word) == key]
    return any(values(f"on 3 {word} 2026").dates for word in written)


def _sentences(cited: Cited) -> Iterator[Sentence]:
    """Yield the user's own sentences that a quote reaches into, whole."""
    start, end = cited.start, cited.start + len(cited.quote)
    when = None if cited.turn.ts is None else cited.turn.ts.date()
    for sentence in read_sentences(cited.turn.text, when):
        if sentence.tokens[0].start < end and sentence.tokens[-1].end > start:
            yield sentence


def _stems(sentence: Sentence, text: str) -> frozenset[str]:
    same = alike(sentence.language)
    spoken = " ".join(text[token.start : token.end] for token in sentence.tokens)
    found = {*sentence.stems, *(stem(word.removesuffix("'s")) for word in fold_words(spoken))}
    return frozenset(found | {same[key] for key in found if key in same})


def _doubt(case: Case, cited: Cited, sentence: Sentence, wanted: frozenset[str]) -> Verdict | None:
    """Return why a sentence states no fact."""
    is_own = cited.turn.role in case.facts.evidence_roles
    telling = {token.clause for token in sentence.tokens if _keys(token) & wanted}
    clauses = [token for token in sentence.tokens if token.clause in telling]
    said = frozenset(fold_words(case.after))
    spoken = " ".join(token.folded for token in clauses)
    if not sentence.asks and (when := listed(spoken, "past")) and not listed(case.after, "past"):
        return review(f"'{when}' tells what was so", "say it as the user does")
    if is_own and sentence.asks:
        return refuse("the quote only asks", "a turn in which the user says that it is so")
    if _supposes(sentence, clauses, said):
        return refuse(
            "the quote only supposes, wishes or plans it",
            "say it as the user does, or leave it: what is not so yet is no fact",
        )
    if _reports(clauses, sentence.language, said):
        return refuse(
            "the quote tells what somebody else says",
            "cite a turn in which the user says so themselves",
        )
    if _is_of_them(clauses, sentence.language, said):
        return refuse(
            "the quote speaks of somebody else", "name whom it is about, as the user does"
        )
    denied = any(token.kind == "negation" for token in clauses)
    if denied and not case.new.negations:
        return refuse("the quote denies it", "say what the user says, the negation included")
    return None


def _keys(token: Token) -> set[str]:
    return {token.key, stem(token.folded.removesuffix("'s"))}


def _supposes(sentence: Sentence, clauses: list[Token], said: frozenset[str]) -> bool:
    supposing = words("hypothetical", sentence.language) - said
    lead = sentence.tokens[0]
    if any(token.folded in supposing for token in (lead, *clauses)):
        return True
    spoken = f" {' '.join(token.folded for token in clauses)} "
    unsettled = listed(spoken, "unsettled")
    if unsettled and not said.issuperset(unsettled.split()):
        return True
    return any(
        not said.issuperset(m.split()) for m in considering(sentence.language).findall(spoken)
    )


def _reports(clauses: list[Token], language: str, said: frozenset[str]) -> bool:
    """Whether somebody but the user says it: "my boss says", "he told me"."""
    own = False
    for token in clauses:
        own = own or token.folded in words("self", language)
        if token.folded in words("telling", language) - said and not own:
            return True
    return False


def _is_of_them(clauses: list[Token], language: str, said: frozenset[str]) -> bool:
    """Whether "she" or "they" do it, and the new text names nobody."""
    for token in clauses:
        if token.folded in words("self", language):
            return False
        if token.folded in words("other", language):
            return token.folded not in said
    return False


def _is_over(case: Case, cited: Cited, sentence: Sentence) -> Verdict | None:
    """What the sentence says has ended is left to a person, unless the new text says so too."""
    spoken = cited.turn.text[sentence.start : sentence.end]
    if ends(spoken, sentence.language) and not ends(case.after, sentence.language):
        return review(
            "the quote speaks of an end", "a quote that says nothing of an end would settle it"
        )
    return None


def _shown(text: str, missing: frozenset[str]) -> str:
    """Return the first word of a text that is missing, as it is written there."""
    same = [alike(each) for each in ("en", "de", "fr", "es", "pt")]
    for word in fold_words(text):
        key = stem(word)
        if key in missing or any(likes.get(key) in missing for likes in same):
            return word
    return min(missing)
