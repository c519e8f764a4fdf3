"""Retold: whether a fact says what a sentence says: of the same one, in its order, with its "not".

The words of a fact may all stand in a sentence that says something else: "Anna hates Tom" is no
"Tom hates Anna", "our cat is allergic to nuts" no "allergic to nuts", and who eats everything
except nuts eats none.
"""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING

from toolnexus.dream.guard.verdict import Verdict, refuse, review
from toolnexus.dream.guard.vocabulary import bids, filler_stems
from toolnexus.dream.learning.lists import exceptions
from toolnexus.dream.sentence import read_sentences
from toolnexus.dream.speech import alike, words
from toolnexus.dream.statement import is_verb
from toolnexus.dream.token import VALUE_KINDS, WORD_KINDS
from toolnexus.text.lexicon import fold_words
from toolnexus.text.words import stem

if TYPE_CHECKING:
    from collections.abc import Sequence

    from toolnexus.dream.guard.case import Case
    from toolnexus.dream.sentence import Sentence
    from toolnexus.dream.token import Token

_FAITHFUL = "keep the user's words in their order, with whom they say it of and all that limits it"
_VERB_REACH = 2


def is_retold(case: Case, sentence: Sentence, text: str) -> Verdict | None:
    """Say why a fact is not what a sentence says; None where it is.

    Args:
        case: The addition.
        sentence: A sentence of the user's that holds all of its words.
        text: What the sentence stands in.
    """
    told = [keys for each in read_sentences(case.after) for t in each.tokens if (keys := _keys(t))]
    said = [_keys(token) for token in sentence.tokens]
    wanted = [keys for keys in told if any(keys & there for there in said)]
    places = _in_order(wanted, said)
    if places is None:
        return _out_of_order(wanted, said, sentence, text)
    if not places:
        return None
    return (
        _leaves_exception_out(case, sentence, places)
        or _leaves_subject_out(case, sentence, places, text)
        or _leaves_unknown_out(case, sentence)
    )


def _keys(token: Token) -> frozenset[str]:
    """Return what a word or value is compared by; nothing for light words."""
    if token.kind not in VALUE_KINDS | WORD_KINDS:
        return frozenset()
    found = {token.key, stem(token.folded.removesuffix("'s"))} - {""}
    same = [alike(each) for each in ("en", "de", "fr", "es", "pt")]
    return frozenset(found | {like[key] for like in same for key in found if key in like})


def _in_order(wanted: Sequence[frozenset[str]], said: Sequence[frozenset[str]]) -> list[int] | None:
    """Return where words stand, one behind the other; None where they stand in another order."""
    places: list[int] = []
    at = 0
    for keys in wanted:
        place = next((n for n in range(at, len(said)) if keys & said[n]), None)
        if place is None:
            return None
        places.append(place)
        at = place + 1
    return places


def _out_of_order(
    wanted: Sequence[frozenset[str]],
    said: Sequence[frozenset[str]],
    sentence: Sentence,
    text: str,
) -> Verdict:
    """Values in another order are said of others; other words may say the same."""
    tokens = zip(sentence.tokens, said, strict=True)
    fixed = [keys for token, keys in tokens if _is_value(token, text)]
    moved = [keys for keys in wanted if any(keys & there for there in fixed)]
    if _in_order(moved, fixed) is None:
        return refuse("the quote says this in another order, which says something else", _FAITHFUL)
    return review("the words stand in another order in the quote", _FAITHFUL)


def _is_value(token: Token, text: str) -> bool:
    return token.kind in VALUE_KINDS or text[token.start].isupper()


def _leaves_exception_out(case: Case, sentence: Sentence, places: Sequence[int]) -> Verdict | None:
    """What the sentence takes out, "only" and "except", belongs to the fact."""
    listed = exceptions(sentence.language)
    spoken = [token.folded for token in sentence.tokens]
    found = next(iter(listed.finditer(f" {' '.join(spoken)} ")), None)
    if found is None or listed.search(f" {' '.join(fold_words(case.after))} "):
        return None
    at = len(found.string[: found.start()].split())
    end = at + len(found[0].split()) - 1
    if at < places[-1] and sentence.tokens[end].clause == sentence.tokens[places[-1]].clause:
        return refuse(f"the quote says '{found[0]}', and this does not", _FAITHFUL)
    return review(f"the quote says '{found[0]}' of it, and this does not", _FAITHFUL)


def _leaves_subject_out(
    case: Case, sentence: Sentence, places: Sequence[int], text: str
) -> Verdict | None:
    """Whom the sentence speaks of before its verb is named, unless it is the user."""
    tokens, first = sentence.tokens, places[0]
    clause = [n for n in range(first) if tokens[n].clause == tokens[first].clause]
    selves = words("self", sentence.language)
    if any(tokens[n].folded in selves for n in clause):
        return None
    left = [n for n in clause if _is_content(tokens[n], case)]
    if not left or _opens_name(sentence, left[-1], first):
        return None
    who = tokens[left[-1]]
    return review(f"the quote may speak of somebody else: '{text[who.start : who.end]}'", _FAITHFUL)


def _is_content(token: Token, case: Case) -> bool:
    """Whether a word may be whom a sentence is about; the owner's name is the user."""
    if token.kind not in WORD_KINDS:
        return False
    language = case.language
    passed_over = words("change", language) | words("conjunction", language)
    bare = token.folded.removesuffix("'s")
    is_owner = bare in case.owner_words and not token.folded.endswith("'s")
    is_adverb = language == "en" and bare.endswith("ly")
    said_otherwise = bare in passed_over or bids(bare, language) or token.key in filler_stems()
    return not (is_owner or is_adverb or said_otherwise)


def _opens_name(sentence: Sentence, last: int, first: int) -> bool:
    """Whether a word only goes with the one behind it, which has the verb: "my old dog is"."""
    tokens = sentence.tokens
    if last + 1 != first or tokens[last].folded.endswith("'s"):
        return False
    if tokens[first].kind == "name":
        return True
    if is_verb(tokens[first], sentence.language) or tokens[last].kind == "name":
        return False
    behind = tokens[first + 1 : first + 1 + _VERB_REACH]
    return any(is_verb(token, sentence.language) for token in behind)


def _leaves_unknown_out(case: Case, sentence: Sentence) -> Verdict | None:
    """In scripts without word lists nothing may be left out: it may be a "not"."""
    there = set(fold_words(case.after))
    for token in sentence.tokens:
        word = token.folded
        if word and word not in there and _is_foreign(word):
            return review(f"the quote also says '{word}', whose language has no list", _FAITHFUL)
    return None


def _is_foreign(word: str) -> bool:
    """Whether a word is written in none of the scripts that the word lists are in: not Latin."""
    return not unicodedata.name(word[0], "").startswith("LATIN")
