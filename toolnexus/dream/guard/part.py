"""Parts: whether what a quote ends is the claim, and not another thing or a part of it.

Who is no longer allergic to cats is still allergic to nuts; who sold the boat has the cabin.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolnexus.dream.guard.signs import read_signs
from toolnexus.dream.guard.vocabulary import contrasts, filler_stems, joins, listed, says
from toolnexus.dream.sentence import read_sentences
from toolnexus.dream.speech import words
from toolnexus.dream.token import WORD_KINDS
from toolnexus.text.lexicon import calendar_words

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from toolnexus.dream.guard.case import Case
    from toolnexus.dream.guard.signs import Sign
    from toolnexus.dream.sentence import Sentence
    from toolnexus.dream.token import Token

_SHORTEST = 3
"""So many letters have two forms of a word in common at least."""


def ends_only(case: Case) -> str:
    """Return the word that tells what alone is over; empty where some words end the claim.

    Args:
        case: A removal whose quotes hold a word of ending or negation.
    """
    first = ""
    for said in case.quotes.said:
        for sentence in read_sentences(said.text):
            signs = read_signs(sentence)
            for part in _ending_parts(sentence, signs):
                other = _only(case, part, signs, sentence.language)
                if not other:
                    return ""
                first = first or other
    return first


def _ending_parts(sentence: Sentence, signs: dict[int, Sign]) -> Iterator[list[Token]]:
    """Yield the stretches of a sentence in which something ends or is denied."""
    part: list[Token] = []
    for token in sentence.tokens:
        if part and (token.clause != part[-1].clause or contrasts(token.folded, sentence.language)):
            if any(each.start in signs for each in part):
                yield part
            part = []
        part.append(token)
    if any(each.start in signs for each in part):
        yield part


def _only(case: Case, part: Sequence[Token], signs: dict[int, Sign], language: str) -> str:
    """Return the word for what alone ends in a stretch; empty where it is the claim."""
    topic = {key for each in case.changed for key in case.topic_stems(each)}
    sign = [token for token in part if token.start in signs]
    phrase = " ".join(token.folded for token in sign)
    if says(phrase, "taking", language):
        return _other_object(part, sign, topic, language)
    is_habit = says(phrase, "habit", language) or any(signs[t.start] == "not" for t in sign)
    return _narrowed(part, sign, topic, language) if is_habit else ""


def _other_object(
    part: Sequence[Token], sign: Sequence[Token], topic: set[str], language: str
) -> str:
    """Return what is sold, left or given up, where the claim does not speak of it."""
    behind = [t for t in part if t.start > sign[-1].start]
    before = [t for t in part if t.start < sign[0].start]
    phrase = _phrase(behind, language) or _phrase(before, language)
    if not phrase or any(_is_of(token, topic) for token in phrase):
        is_lost = says(" ".join(t.folded for t in sign), "lost", language)
        return sign[0].folded if is_lost else ""
    return phrase[-1].folded


def _phrase(tokens: Sequence[Token], language: str) -> list[Token]:
    """Return the first noun with what stands before it; a post in a firm is passed over."""
    whose = listed("mine", language) | listed("subject", language) | words("self", language)
    found: list[Token] = []
    for token in tokens:
        if joins(token.folded, language):
            break
        if _is_thing(token, language):
            found.append(token)
        elif found and token.folded not in whose:
            break
    return found


def _narrowed(part: Sequence[Token], sign: Sequence[Token], topic: set[str], language: str) -> str:
    """Return what narrows an end: no longer allergic to cats, no Italian with the boss."""
    strange = [t for t in part if _is_thing(t, language) and not _is_of(t, topic) and t not in sign]
    if not strange:
        return ""
    spoken = [token for token in part if _is_of(token, topic)]
    if not spoken or not all(any(_is_of(token, {key}) for token in spoken) for key in topic):
        return strange[-1].folded
    behind = [token for token in strange if token.start > spoken[-1].start]
    bound = [token for token in behind if part[part.index(token) - 1].kind == "light"]
    return bound[0].folded if bound else ""


def _is_of(token: Token, topic: Collection[str]) -> bool:
    """Whether a word is one of the claim's, in another form of it, too: trinke, trinkt."""
    if token.key in topic:
        return True
    if token.kind not in WORD_KINDS:
        return False
    return any(_are_forms(token.key, key) for key in topic)


def _are_forms(one: str, other: str) -> bool:
    """Whether two stems differ in their last letter alone."""
    common = max(_SHORTEST, len(one) - 1, len(other) - 1)
    return len(one) >= common <= len(other) and one[:common] == other[:common]


def _is_thing(token: Token, language: str) -> bool:
    """Whether a word says what, and not only when, how surely or that something changed."""
    if token.kind not in WORD_KINDS or token.key in filler_stems():
        return False
    if token.folded in words("change", language) or token.folded in listed("post", language):
        return False
    names = calendar_words("months"), calendar_words("weekdays"), listed("time", language)
    return not any(token.folded in each for each in names)
