"""Signs: the words of a sentence that end or deny something, those left out that only seem to."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Literal

from toolnexus.dream.guard.vocabulary import listed
from toolnexus.dream.word_lists import pattern_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from toolnexus.dream.sentence import Sentence
    from toolnexus.dream.token import Token

Sign = Literal["end", "not"]

_SIBLINGS = {"es": "pt", "pt": "es"}
_REACH = 3
"""So many words behind a negation it may deny an ending: "never really stopped"."""


def read_signs(sentence: Sentence) -> dict[int, Sign]:
    """Return where the words of a sentence begin that end or deny something.

    Not those that only seem to: "not only", "never stopped", "no longer than", "never without".

    Example:
        >>> from toolnexus.dream.sentence import read_sentences
        >>> for text in ("I quit tea.", "I can't quit tea.", "I drink no tea.", "Not only tea."):
        ...     print(list(read_signs(read_sentences(text)[0]).values()))
        ['end']
        []
        ['not']
        []
    """
    tokens, language = sentence.tokens, sentence.language
    spoken = [token.folded or token.key for token in tokens]
    void = set(_void(tokens, spoken, language))
    endings = _spans(spoken, _akin("ending", language))
    ends = [span for span in (*endings, *_parted(spoken, language)) if void.isdisjoint(set(span))]
    ending = {at for span in ends for at in span}
    denying = {
        at
        for at, token in enumerate(tokens)
        if token.kind == "negation" and at not in void | ending
    }
    denying -= _undone(tokens, denying, language)
    for span in ends:
        if nots := _denials_of(tokens, span, denying, language):
            denying -= nots
            ending -= set(span)
        elif span.stop < len(spoken) and spoken[span.stop] in listed("than", language):
            ending -= set(span)
    signs: dict[int, Sign] = {tokens[at].start: "not" for at in denying}
    return signs | {tokens[at].start: "end" for at in ending}


def _parted(spoken: Sequence[str], language: str) -> Iterator[range]:
    """Yield the endings whose negation is written as one with the verb: "je n'aime plus"."""
    prefixes = tuple(listed("negating", language))
    for at, word in enumerate(spoken):
        close = spoken[max(0, at - _REACH) : at]
        if word in listed("wanting", language) and any(w.startswith(prefixes) for w in close):
            yield range(at, at + 1)


def _void(tokens: Sequence[Token], spoken: Sequence[str], language: str) -> Iterator[int]:
    """Yield what only seems to end or deny, with the negation before it: "ne … pas que"."""
    for span in _spans(spoken, _akin("unending", language)):
        yield from span
        for at in range(max(0, span.start - _REACH), span.start):
            if tokens[at].kind == "negation" and tokens[at].clause == tokens[span.start].clause:
                yield at


def _akin(heading: Literal["ending", "unending"], language: str) -> frozenset[str]:
    """Return a language's phrases; and its sibling's, which short texts are taken for."""
    sibling = _SIBLINGS.get(language)
    return listed(heading, language) | (listed(heading, sibling) if sibling else frozenset())


def _undone(tokens: Sequence[Token], denying: set[int], language: str) -> set[int]:
    """Return the negations that another word undoes: "not … only", "never … without"."""
    without, only = listed("without", language), listed("only", language)
    undone: set[int] = set()
    for at in denying:
        clause = tokens[at].clause
        same = {other for other in denying if tokens[other].clause == clause}
        if tokens[at].folded in without and len(same) > 1:
            undone |= same
        behind = tokens[at + 1 : at + 1 + _REACH]
        if any(token.folded in only and token.clause == clause for token in behind):
            undone.add(at)
    return undone


def _denials_of(tokens: Sequence[Token], span: range, denying: set[int], language: str) -> set[int]:
    """Return the negations that deny an ending; none for one that wants them: "not any more"."""
    phrase = " ".join(token.folded for token in tokens[span.start : span.stop])
    if phrase in listed("wanting", language):
        return set()
    close = range(span.start - _REACH, span.start)
    # "Vergiss nicht": in some languages the negation stands behind the verb.
    behind = {span.stop} if language == "de" else set()
    clause = tokens[span.start].clause
    return {at for at in denying & {*close, *behind} if tokens[at].clause == clause}


def _spans(spoken: Sequence[str], phrases: frozenset[str]) -> Iterator[range]:
    """Yield which words phrases cover."""
    text = f" {' '.join(spoken)} "
    starts = [match.start() for match in re.finditer(r"(?<= )\S", text)]
    order = {start: number for number, start in enumerate(starts)}
    for match in pattern_of(phrases).finditer(text):
        first = order[match.start()]
        yield range(first, first + match.group().count(" ") + 1)
