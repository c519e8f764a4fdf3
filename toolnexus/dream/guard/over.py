"""Over: what it is that a quote says is over, where it speaks of several things."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolnexus.dream.guard.vocabulary import contrasts, denies
from toolnexus.dream.sentence import read_sentences
from toolnexus.dream.token import WORD_KINDS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolnexus.dream.guard.case import Case
    from toolnexus.dream.sentence import Sentence
    from toolnexus.dream.token import Token

_WORDS_OF_ENDING = 1
"""So many words of content an ending has that speak of nothing: "stopped"."""


def ends_another(case: Case) -> bool:
    """Whether quotes speak most of a claim where they end nothing: "no coffee, but tea is great".

    What ends has to have words of its own: in "the gym, I quit it" it is the gym that ends.
    """
    topic = {word for sentence in case.changed for word in case.topic_stems(sentence)}
    ended, others, own = 0, 0, False
    for said in case.quotes.said:
        for sentence in read_sentences(said.text):
            for part in _parts(sentence):
                content = {token.key for token in part if token.kind in WORD_KINDS}
                shared = len(content & topic)
                if denies(" ".join(token.folded for token in part), sentence.language):
                    ended += shared
                    own = own or len(content - topic) > _WORDS_OF_ENDING
                else:
                    others += shared
    return own and others > ended


def _parts(sentence: Sentence) -> Iterator[list[Token]]:
    """Yield a sentence's clauses, parted at words of contrast, too."""
    part: list[Token] = []
    for token in sentence.tokens:
        if part and (token.clause != part[-1].clause or contrasts(token.folded, sentence.language)):
            yield part
            part = []
        part.append(token)
    yield part
