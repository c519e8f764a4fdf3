"""Sentences as what they say: stems, names, numbers with their units, dates, negations, clauses."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import lru_cache
from typing import TYPE_CHECKING

from toolnexus.dream.calendar import join_dates
from toolnexus.dream.pasted import without_pasted
from toolnexus.dream.speech import alike, guess_language, relative_days, words
from toolnexus.dream.token import WORD_KINDS, Token, TokenKind
from toolnexus.text.lexicon import (
    calendar_words,
    fold_words,
    light_words,
    negations,
    number_words,
)
from toolnexus.text.values import values
from toolnexus.text.words import stem

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import date

TEXT_CAP_CHARS = 8_000
"""People do not say more at once; what is pasted behind it is not looked at."""
_LANGUAGE_WORDS = 60

_FENCE = re.compile(r"(?ms)^[ \t]*(```|~~~).*?(?:^[ \t]*\1[^\n]*$|\Z)")
_QUOTED_LINE = re.compile(r"(?m)^[ \t]*>[^\n]*$")
_QUOTED_SPEECH = re.compile(r"([^\W\d_]+)([,:]?\s*[\"“„«][^\"“”„«»\n]{12,}[\"”“»])")
_SENTENCE_END = re.compile(r"[.!?…]+[\"'”»)]*(?=\s|$)\s*|[。!?]|\n+")
_TOKEN = re.compile(
    r"(?P<iso>\b\d{4}-\d{2}-\d{2}\b)"
    r"|(?P<dotted>\b\d{1,2}\.\d{1,2}\.(?:\d{4}\b)?)"
    r"|(?P<clock>\b\d{1,2}[:h]\d{2}\b(?:\s?[ap]\.?m\b)?|\b\d{1,2}\s?[ap]\.?m\b)"
    r"|(?P<code>[^\W\d_]+\d\w*(?:\.\d+)*)"
    r"|(?P<number>(?:[$€£¥]\s?)?\d+(?:[.,]\d+)*(?:\s?[%°€£¥]|[^\W\d_]+)?)"
    r"|(?P<word>[^\W\d_]+(?:['’][^\W\d_]+)*)"
    r"|(?P<mark>[,;:()—]|\s[-–]+\s)",
    re.IGNORECASE,
)
_CLOCK = re.compile(r"(\d+)(?:[:h](\d+))?\s?([ap])?", re.IGNORECASE)
_NUMBER = re.compile(r"([$€£¥]?)\s?([\d.,]*\d)\s?(.*)")
_CODE = re.compile(r"([^\d]+)(.*)")
_ORDINALS = frozenset({"st", "nd", "rd", "th", "er", "º", "ª"})
_UNIT_GAPS = frozenset({" ", "-", "+ "})
_UNITS = {
    "euro": "€",
    "euros": "€",
    "eur": "€",
    "dollar": "$",
    "dollars": "$",
    "usd": "$",
    "pounds": "£",
    "gbp": "£",
    "percent": "%",
    "prozent": "%",
    "h": "hour",
    "hr": "hour",
    "hrs": "hour",
    "min": "minut",
    "mins": "minut",
    "km": "kilometer",
    "kilometre": "kilometer",
    "kilometres": "kilometer",
    "kg": "kilogram",
    "kilo": "kilogram",
    "kilos": "kilogram",
}
"""What units are known by, for which people have several words."""
_MORE_MEASURES = (
    *("second", "day", "week", "month", "year", "meter", "metre", "mile", "inch", "cm"),
    *("gram", "pound", "mg", "litre", "liter", "ml"),
)
MEASURES = frozenset({*_UNITS.values(), *map(stem, _MORE_MEASURES)})
"""Units that are never another's: 10 km daily are not 10 miles daily."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence of a text.

    Attributes:
        start: Where it begins in the text; `end` is behind it.
        tokens: Its words and values, in order.
        language: The text's language.
        stems: The keys of its content words and names.
        asks: Whether it ends with a question mark.
    """

    start: int
    end: int
    tokens: tuple[Token, ...]
    language: str
    stems: frozenset[str]
    asks: bool = False


def read_sentences(text: str, said_on: date | None = None) -> tuple[Sentence, ...]:
    """Read what a person says: not code, not quoted or pasted lines, no quoted speech.

    Args:
        text: All of it.
        said_on: The day on which it was said, for words such as "yesterday".

    Example:
        >>> [sorted(sentence.stems) for sentence in read_sentences("We met. Clara is in Lyon.")]
        [['met'], ['clar', 'lyon']]
    """
    text = text[:TEXT_CAP_CHARS]
    language = guess_language(fold_words(text)[:_LANGUAGE_WORDS])
    spoken = own_words(text, language)
    reader = _Reader(language, said_on)
    sentences = []
    for start, end in _spans(spoken):
        tokens = reader.tokens(spoken, start, end)
        if tokens:
            stems = frozenset(token.key for token in tokens if token.kind in WORD_KINDS)
            asks = "?" in spoken[max(start, end - 4) : end]
            sentences.append(Sentence(start, end, tokens, language, stems, asks))
    return tuple(sentences)


def own_words(text: str, language: str = "") -> str:
    """Blank out what is not the speaker's own, so that positions stay.

    Args:
        text: All of what they said.
        language: Its language, where that is known.

    Example:
        >>> own_words('He wrote "I love it so much". Well.').split()
        ['He', 'wrote', '.', 'Well.']
    """
    language = language or guess_language(fold_words(text)[:_LANGUAGE_WORDS])
    telling, selves = words("telling", language), words("self", language)

    def blank(match: re.Match[str]) -> str:
        return " " * len(match.group())

    def blank_told(match: re.Match[str]) -> str:
        verb, told = match.groups()
        is_own = match.string[: match.start()].casefold().split()[-1:]
        if verb.casefold() not in telling or selves.intersection(is_own):
            return match.group()
        return verb + " " * len(told)

    own = without_pasted(_QUOTED_LINE.sub(blank, _FENCE.sub(blank, text)))
    return _QUOTED_SPEECH.sub(blank_told, own)


def _spans(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    for match in _SENTENCE_END.finditer(text):
        if _is_abbreviation(text, start, match):
            continue
        yield start, match.end()
        start = match.end()
    if start < len(text):
        yield start, len(text)


def _is_abbreviation(text: str, start: int, end: re.Match[str]) -> bool:
    """Whether a full stop only shortens: ``Dr. Moreau``, ``J. Smith``, ``3. Mai``."""
    if not end.group().startswith(".") or "\n" in end.group():
        return False
    before = text[max(start, end.start() - 20) : end.start()].rpartition(" ")[2]
    after = text[end.end() : end.end() + 1]
    if before.isdecimal():
        return len(before) <= 2 and after.isalpha()
    return len(before) <= 2 and before[:1].isupper() and after.isupper()


@dataclass(frozen=True, slots=True)
class _Reader:
    """Reads the tokens of sentences in one language, said on one day."""

    language: str
    said_on: date | None

    def tokens(self, text: str, start: int, end: int) -> tuple[Token, ...]:
        found: list[Token] = []
        joining = words("joining", self.language)
        clause = 0
        for match in _TOKEN.finditer(text, start, end):
            if match.lastgroup == "mark":
                clause += 1
                continue
            token = self._token(match, clause, is_initial=not found)
            if found and token.folded in joining:
                clause += 1
                token = replace(token, clause=clause)
            found.append(token)
        return tuple(_with_units(join_dates(found, text), text))

    def _token(self, match: re.Match[str], clause: int, *, is_initial: bool) -> Token:
        written, kind = match.group(), match.lastgroup
        place = (match.start(), match.end(), clause)
        if kind == "word":
            return self._word(written, place, is_initial=is_initial)
        if kind == "iso":
            return Token("date", "-".join(str(int(p)) for p in written.split("-")), *place)
        if kind == "dotted":
            day, month, year = written.split(".")
            return Token("date", f"{year or '?'}-{int(month)}-{int(day)}", *place)
        if kind == "clock":
            return Token("time", _clock_key(written), *place)
        if kind == "code":
            letters, digits = _matched(_CODE, written)
            return Token("number", digits.casefold(), *place, letters.casefold())
        return _number(written, place)

    def _word(self, written: str, place: tuple[int, int, int], *, is_initial: bool) -> Token:
        kind, key, folded = _classify(written, self.language, is_initial=is_initial)
        days = relative_days(self.language).get(folded)
        if days is not None and self.said_on is not None:
            day = self._day(self.said_on, days)
            return Token("date", f"{day.year}-{day.month}-{day.day}", *place, folded=folded)
        return Token(kind, key, *place, folded=folded, is_initial=is_initial)

    @staticmethod
    def _day(said_on: date, days: int) -> date:
        try:
            return said_on + timedelta(days=days)
        except OverflowError:  # the first or last day that there is
            return said_on


@lru_cache(maxsize=1 << 16)
def _classify(written: str, language: str, *, is_initial: bool) -> tuple[TokenKind, str, str]:
    """Return what a word is, its key, and the word folded."""
    folded = written.casefold().replace("’", "'")
    if folded in negations(language) or folded.endswith("n't"):
        return "negation", "not", folded
    bare = folded.removesuffix("'s").rpartition("'")[2]
    if folded in light_words(language) or (len(bare) < 2 and bare.isascii()):
        return "light", folded, folded
    if folded in calendar_words("weekdays"):
        return "weekday", str(calendar_words("weekdays")[folded]), folded
    if folded in number_words(language):
        return "number", number_words(language)[folded], folded
    key = stem(bare)
    if written[0].isupper() and not is_initial:
        return "name", key, folded
    return "word", alike(language).get(key, key), folded


def _matched(pattern: re.Pattern[str], written: str) -> tuple[str, ...]:
    match = pattern.match(written)
    assert match is not None  # the token's own pattern is the stricter one
    return match.groups("")


def _clock_key(written: str) -> str:
    hour, minute, half = _matched(_CLOCK, written)
    hours = int(hour) % 12 + 12 * (half in {"p", "P"}) if half else int(hour)
    return f"{hours}:{int(minute or 0):02d}"


def _number(written: str, place: tuple[int, int, int]) -> Token:
    sign, digits, tail = _matched(_NUMBER, written)
    tail = tail.casefold()
    if sign and tail in {"k", "m"}:
        return Token("number", f"{_number_key(digits)}{tail}", *place, sign)
    return Token("number", _number_key(digits), *place, sign or _unit(tail))


def _unit(tail: str) -> str:
    return "" if tail in _ORDINALS else _UNITS.get(tail, stem(tail))


@lru_cache(maxsize=4096)
def _number_key(digits: str) -> str:
    found = values(digits).numbers
    return found[0] if found else digits


def _with_units(tokens: list[Token], text: str) -> Iterator[Token]:
    """Give each bare number the word behind it as its unit."""
    for token, behind in zip(tokens, [*tokens[1:], None], strict=False):
        if (
            token.kind == "number"
            and not token.unit
            and behind is not None
            and behind.kind in WORD_KINDS
            and text[token.end : behind.start] in _UNIT_GAPS
        ):
            yield replace(token, unit=_UNITS.get(behind.folded, behind.key))
        else:
            yield token
