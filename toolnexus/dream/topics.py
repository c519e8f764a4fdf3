"""Topics: which claims of the index belong together, and what a note of them is called."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from toolnexus.text.words import content_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from toolnexus.dream.units import Unit

FEWEST = 4
"""Fewer claims than this that share a word are no topic of their own."""

REST_TITLE = "More memories"


@dataclass(frozen=True, slots=True)
class Topic:
    """Units that go to one note, and its title."""

    title: str
    units: tuple[Unit, ...]

    @property
    def lines(self) -> int:
        """How many lines they take."""
        return sum(unit.lines for unit in self.units)

    @property
    def size_bytes(self) -> int:
        """How many bytes they take."""
        return sum(unit.size_bytes for unit in self.units)


def group_topics(units: Iterable[Unit]) -> list[Topic]:
    """Group units by their outermost heading, and those under none by a word that they share.

    The title is the heading's text, or the word as it is written first.
    """
    by_heading: defaultdict[str, list[Unit]] = defaultdict(list)
    for unit in units:
        by_heading[unit.chain[0] if unit.chain else ""].append(unit)
    loose = by_heading.pop("", [])
    topics = [Topic(title, tuple(members)) for title, members in by_heading.items()]
    return topics + _by_shared_word(loose)


def _by_shared_word(units: Sequence[Unit]) -> list[Topic]:
    """Take the word that most claims share as a topic, then that of the rest, and so on.

    A word that nearly all share (the owner's name) tells nothing apart.
    """
    words = {unit.start: _words(unit) for unit in units}
    rest = list(units)
    topics: list[Topic] = []
    while len(rest) >= FEWEST:
        counts = Counter(word for unit in rest for word in words[unit.start])
        order = {word: place for place, word in enumerate(counts)}
        most = max(len(units) * 0.6, FEWEST)
        shared = [word for word, count in counts.items() if FEWEST <= count <= most]
        if not shared:
            break
        word = max(shared, key=lambda w: (counts[w], -order[w]))
        members = [unit for unit in rest if word in words[unit.start]]
        rest = [unit for unit in rest if word not in words[unit.start]]
        topics.append(Topic(_as_written(word, members), tuple(members)))
    if rest:
        topics.append(Topic(REST_TITLE, tuple(rest)))
    return topics


def _words(unit: Unit) -> tuple[str, ...]:
    return tuple(
        dict.fromkeys(
            word for text in unit.texts for word in content_words(text) if not word.isdigit()
        )
    )


def _as_written(stem: str, units: Sequence[Unit]) -> str:
    """Return a word as the claims write it first, with a capital."""
    for unit in units:
        for written in " ".join(unit.texts).split():
            word = written.strip(".,;:!?()[]\"'*_`")
            if word and content_words(word)[:1] == (stem,):
                return word[:1].upper() + word[1:]
    return stem.capitalize()
