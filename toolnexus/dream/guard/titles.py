"""Titles: whether a new heading says only what was said, and whom a title names.

A heading is said of all that stands under it. So a title that a model makes up is a claim that
nobody made: "Ex-husband in prison". What files things away ("Travel", "More notes") says nothing.
"""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING, Literal

from toolnexus.dream.speech import words
from toolnexus.dream.word_lists import phrases
from toolnexus.text.lexicon import LANGUAGES, fold_words, light_words, negations
from toolnexus.text.words import stem

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

List = Literal["topic", "turning", "given"]
_FREE_WORDS = 1
"""So many words of a claim are no statement yet; more have to keep its order and negations."""


def unsaid_word(title: str, said: Iterable[str], free: frozenset[str] = frozenset()) -> str:
    """Return the first word of a title that nothing allows; empty where the title says no more.

    Its words have to stand in one of the texts in the same order, its negations included, unless
    they only file things away.

    Args:
        title: The heading, or a slug.
        said: What stands under it: claims, and the headings over them.
        free: Folded words that are always allowed, such as the owner's name.

    Example:
        >>> unsaid_word("Travel notes", ["Prefers window seats."])
        ''
        >>> unsaid_word("Ex-husband in prison", ["Plays chess in Berlin."])
        'ex'
        >>> unsaid_word("Window seats", ["Prefers window seats."])
        ''
    """
    told = [_told(text) for text in said]
    wanted = [word for word in _words(title) if not _is_free(word, free)]
    if not wanted:
        return ""
    nearest = max((_missing_at(wanted, text) for text in told), default=0)
    return wanted[nearest] if nearest < len(wanted) else ""


def person_named(title: str, around: str = "") -> str:
    """Return the word of a title that names a person or a relation; empty when none does.

    Args:
        title: The title of a note, or a heading.
        around: What is said in and of the note, to tell names from other words by.

    Example:
        >>> person_named("Ingrid"), person_named("My sister"), person_named("Knitting")
        ('ingrid', 'sister', '')
    """
    told = fold_words(around)
    for word in fold_words(title):
        bare = word.removesuffix("'s")
        if bare in _listed("given") or bare in _relations():
            return bare
        if bare not in _listed("topic") and _is_told_of(bare, told):
            return bare
    return ""


def turning_word(title: str) -> str:
    """Return the word of a title that turns what stands under it; empty when none does.

    Example:
        >>> turning_word("Lies people tell"), turning_word("Books")
        ('lies', '')
    """
    return next((word for word in fold_words(title) if _turns(word)), "")


def names_any(text: str, word: str) -> bool:
    """Whether a text holds a word, in any of its forms."""
    return stem(word) in {stem(each.removesuffix("'s")) for each in fold_words(text)}


def content_stems(text: str) -> frozenset[str]:
    """Return the stems of the words of a title or slug that tell it from others.

    Example:
        >>> sorted(content_stems("The cardamom-buns"))
        ['bun', 'cardamom']
    """
    return frozenset(stem(w) for w in _words(text) if len(w) > 1 and not _is_light(w))


def _words(title: str) -> list[str]:
    return fold_words(title.replace("_", " "))


def _told(text: str) -> tuple[list[str], bool]:
    """Return a text's stems, and whether it denies something."""
    folded = [word.removesuffix("'s") for word in _words(text)]
    return [stem(word) for word in folded], any(map(_negates, folded))


def _missing_at(wanted: Sequence[str], told: tuple[list[str], bool]) -> int:
    """Return the number of the first word that a text does not go on with; all of them fit else."""
    stems, denies = told
    at = 0
    for number, word in enumerate(wanted):
        try:
            at = stems.index(stem(word.removesuffix("'s")), at) + 1
        except ValueError:
            return number
    if denies and len(wanted) > _FREE_WORDS and not any(map(_negates, wanted)):
        return _FREE_WORDS
    return len(wanted)


def _is_free(word: str, free: frozenset[str]) -> bool:
    if _turns(word) or _negates(word):
        return False
    bare = word.removesuffix("'s")
    return bare in free or bare in _listed("topic") or stem(bare) in _topics() or _is_light(bare)


@cache
def _listed(heading: List) -> frozenset[str]:
    package = "toolnexus.dream.guard"
    return frozenset().union(*(phrases(package, "titles", each, heading) for each in LANGUAGES))


@cache
def _topics() -> frozenset[str]:
    return frozenset(map(stem, _listed("topic")))


@cache
def _relations() -> frozenset[str]:
    return frozenset().union(*(words("relation", language) for language in LANGUAGES))


def _turns(word: str) -> bool:
    return word in _listed("turning") or _negates(word)


def _negates(word: str) -> bool:
    return word.endswith("n't") or any(word in negations(language) for language in LANGUAGES)


def _is_light(word: str) -> bool:
    return word in _light()


@cache
def _light() -> frozenset[str]:
    """Return the light words that say nothing by themselves: "of", and not "has", "is", "she"."""
    light = frozenset().union(*map(light_words, LANGUAGES))
    saying = (words(m, each) for m in ("be", "asking", "self", "other") for each in LANGUAGES)
    return light.difference(*saying)


def _is_told_of(word: str, told: Sequence[str]) -> bool:
    """Whether what is said goes on about a word as about somebody: "Ada's", "Ada, she"."""
    if f"{word}'s" in told:
        return True
    others = frozenset().union(*(words("other", language) for language in LANGUAGES))
    return any(one == word and two in others for one, two in pairwise(told))
