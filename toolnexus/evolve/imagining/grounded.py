"""Grounded: whether what a model makes of notes may be kept as a guess.

A guess may put things together, and may not bring any in: each number, date, name and address that
it holds stands in its notes.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from toolnexus.text.fold import fold_claim
from toolnexus.text.lexicon import LANGUAGES, fold_words, light_words, negations
from toolnexus.text.quotes import normalise_quote
from toolnexus.text.words import Values, content_words, values

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

LONGEST = 400
"""Characters: a guess is one sentence or two."""
NOTHING = "NOTHING"
_MARKUP = re.compile(
    r"^\s*(?:#|>|[-*+]\s|\d+[.)]\s|\||={3,}|-{3,}|:{3,})|[`|\\]|<!--|-->|<[/!?a-z]|\]\(|!\[|\[\["
    r"|(?:^|\s)#\w|\s\^[\w-]+$|~~|\$\$",
    re.IGNORECASE,
)
_HIDDEN = re.compile(
    r"[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff]"
)
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_LINK = re.compile(r"\[\[([^\[\]|#\n]+)(?:#[^\[\]|\n]*)?(?:\|([^\[\]\n]*))?\]\]")
_SHOWN = {"numbers": "number", "dates": "date", "addresses": "address", "quoted": "quoted text"}


@dataclass(frozen=True, slots=True)
class Source:
    """What one note of an idea says: what it may be linked by, and its title and claims."""

    names: frozenset[str]
    texts: tuple[str, ...]


def without_links(text: str, sources: Iterable[Source]) -> str:
    """Take the brackets off links to the notes themselves; other links are left as they are.

    A guess links nothing: what it is made of, its front matter tells.
    """
    names = frozenset(name for source in sources for name in source.names)

    def bare(match: re.Match[str]) -> str:
        target = match[1].strip()
        return (match[2] or target).strip() if target in names else match[0]

    return _LINK.sub(bare, text)


def find_objection(text: str, sources: Sequence[Source]) -> str:
    """Tell why a text may not be kept as a guess; empty when it may.

    Args:
        text: What a model wrote, links to the notes taken off.
        sources: The notes that it was shown.
    """
    said = [each for source in sources for each in source.texts]
    return (
        _shape(text)
        or _values(text, "\n".join(said))
        or _names(text, said)
        or _about(text, sources)
    )


def _shape(text: str) -> str:
    if not text.strip(" .!") or text.strip(" .!").upper() == NOTHING:
        return "the model made nothing of it"
    if len(text) > LONGEST:
        return f"it is {len(text):,} characters long; {LONGEST} are the most"
    if "\n" in text or "\r" in text:
        return "it has several lines; one is the most"
    if _HIDDEN.search(text):
        return "it holds characters that cannot be seen"
    if _MARKUP.search(text):
        return "it holds markup or a link; a guess is plain text"
    return ""


def _values(text: str, said: str) -> str:
    gained, held = values(text), values(said)
    for kind, shown in _SHOWN.items():
        for value in getattr(gained, kind):
            if value not in getattr(held, kind) and not _stands(kind, value, held, said):
                return f"the {shown} '{value}' does not stand in the notes"
    return ""


def _stands(kind: str, value: str, held: Values, said: str) -> bool:
    """Whether a value stands in the notes in another way."""
    if kind == "numbers":  # a year may stand there as a part of a date
        return len(value) == 4 and any(date.startswith(f"{value}-") for date in held.dates)
    return (
        kind == "quoted" and normalise_quote(value).casefold() in normalise_quote(said).casefold()
    )


def _names(text: str, said: Sequence[str]) -> str:
    """Find a word that may be a name and that no note holds.

    A capital letter makes a word suspect wherever it stands, at a sentence's beginning too; in
    scripts without capitals every word is.
    """
    known = _no_names().union(word for each in said for word in fold_words(each))
    folded = normalise_quote("\n".join(said)).casefold()
    for match in _WORD.finditer(text):
        word = match.group()
        is_uncased = word[0].lower() == word[0].upper()
        if not (is_uncased or word[0].isupper()):
            continue
        plain = word.casefold().replace("’", "'")
        if _is_known(plain, known) or (is_uncased and plain in folded):
            continue
        return f"the name '{word}' does not stand in the notes"
    return ""


def _is_known(word: str, known: frozenset[str]) -> bool:
    """Whether a word is known, or all the parts that it is joined of are."""
    if word in known or word.removesuffix("'s") in known:
        return True
    parts = [part for part in re.split(r"[-']", word) if part]
    return len(parts) > 1 and all(part in known for part in parts if len(part) > 1)


def _about(text: str, sources: Sequence[Source]) -> str:
    fold = fold_claim(text)
    if any(fold_claim(each) == fold for source in sources for each in source.texts):
        return "it only says again what a note says"
    stems = set(content_words(text))
    speaks = [
        stems & {s for each in source.texts for s in content_words(each)} for source in sources
    ]
    if sum(map(bool, speaks)) < 2:
        return "it speaks of none, or of only one, of the notes"
    return ""


@cache
def _no_names() -> frozenset[str]:
    """Return the words that are no names in any language, though a sentence begins with them."""
    source = files(__package__) / "data" / "openers.txt"
    lines = source.read_text(encoding="utf-8").splitlines()
    openers = {word for line in lines if not line.startswith("#") for word in line.split()}
    light = {word for language in LANGUAGES for word in light_words(language) | negations(language)}
    return frozenset(openers | light)
