"""Homes and conversations of any size, made of an invented language; the same seed, the same bytes.

The language has topics: a note's words come mostly from its topic's own, and a few from those that
all topics share, so that a search has something to find and something to be misled by.
"""

from __future__ import annotations

import json
import random
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

SEED = 20_261_130
NOTE_WORDS = 150
NOTE_LINKS = 5
NOTES_PER_TOPIC = 100
CLAIMS_PER_NOTE = 10
POINTERS = 400
"""Lines of MEMORY.md in a neglected home: twice what its cap allows."""
REPEATED_SHARE = 0.01
BROKEN_SHARE = 0.002
TURN_WORDS = 40

_SYLLABLES = [consonant + vowel for consonant in "bdfgklmnprstvz" for vowel in "aeiou"]
_COMMON_WORDS = 800
_TOPIC_WORDS = 120
_COMMON_SHARE = 0.4
_BEGUN = datetime(2026, 1, 5, 9, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class NoteFile:
    """A note that was made: its path from the home, and its claims without their links."""

    path: str
    claims: tuple[str, ...]


class Language:
    """Invented words, by topic.

    Args:
        topics: How many topics there are.
        seed: Decides every word.

    Example:
        >>> Language(topics=2).sentence(0, 3) == Language(topics=2).sentence(0, 3)
        True
    """

    def __init__(self, topics: int, seed: int = SEED) -> None:
        self.chance = random.Random(seed)  # noqa: S311 - sample data, no secret
        self._known: set[str] = set()
        self.common = self._invent(_COMMON_WORDS)
        self.topics = [self._invent(_TOPIC_WORDS) for _ in range(topics)]

    def words(self, topic: int, count: int) -> list[str]:
        """Return words as somebody writes them about a topic: few are frequent, most are rare."""
        return [
            self._pick(self.common if self.chance.random() < _COMMON_SHARE else self.topics[topic])
            for _ in range(count)
        ]

    def sentence(self, topic: int, count: int) -> str:
        """Return a sentence of so many words about a topic, with a number in every other one."""
        words = self.words(topic, count)
        if count > 2 and self.chance.random() < 0.5:
            words[-1] = str(self.chance.randint(2, 9_999))
        return f"{' '.join(words).capitalize()}."

    def _pick(self, words: list[str]) -> str:
        return words[int(len(words) * self.chance.random() ** 2)]

    def _invent(self, count: int) -> list[str]:
        words: list[str] = []
        while len(words) < count:
            word = "".join(self.chance.choices(_SYLLABLES, k=self.chance.randint(2, 4)))
            if word not in self._known:
                self._known.add(word)
                words.append(word)
        return words


def write_home(
    root: Path, notes: int, *, neglected: bool = False, seed: int = SEED
) -> list[NoteFile]:
    """Write a persona's home of many notes.

    Every note has `NOTE_WORDS` words and `NOTE_LINKS` links: one to the next note, so that none is
    an orphan, and the rest within its topic.

    Args:
        root: The home's folder; made when absent.
        notes: How many notes.
        neglected: Leave work for a dream: MEMORY.md over its cap, claims that stand twice in a note
            and links that lack a letter.
        seed: Decides every byte.

    Returns:
        What was made, in order.
    """
    language = Language(max(1, notes // NOTES_PER_TOPIC), seed)
    slugs = [_slug(language, number) for number in range(notes)]
    (root / "memory").mkdir(parents=True, exist_ok=True)
    (root / "SOUL.md").write_text("# Soul\n\nI keep notes, and I keep them in order.\n", "utf-8")
    made: list[NoteFile] = []
    for number, slug in enumerate(slugs):
        claims = _claims(language, number)
        if neglected and language.chance.random() < REPEATED_SHARE:
            claims[2] = claims[0]
        made.append(NoteFile(f"memory/{slug}.md", tuple(claims)))
        links = _links(language, slugs, number)
        if neglected and language.chance.random() < BROKEN_SHARE * NOTE_LINKS:
            links[-1] = links[-1][1:]
        _write_note(root / made[-1].path, slug, claims, links)
    _write_index(root / "MEMORY.md", language, slugs, POINTERS if neglected else POINTERS // 4)
    return made


def write_conversations(
    folder: Path, turns: int, turns_each: int = 100, *, seed: int = SEED, said: int | None = None
) -> int:
    """Write conversations of so many turns in all; return how many bytes were said.

    Args:
        folder: Where the JSONL files go; made when absent.
        turns: How many turns in all.
        turns_each: How many a conversation.
        seed: Decides every byte.
        said: Decides what is said, in the language that the seed makes; None leaves it to the seed.
    """
    folder.mkdir(parents=True, exist_ok=True)
    language = Language(max(1, turns // 2_000), seed)
    if said is not None:
        language.chance.seed(said)
    size = 0
    for number, start in enumerate(range(0, turns, turns_each)):
        lines = []
        for turn in range(start, min(start + turns_each, turns)):
            line, length = _turn(language, number, turn)
            lines.append(line)
            size += length
        (folder / f"talk-{number:06}.jsonl").write_text("".join(lines), "utf-8")
    return size


def queries(notes: list[NoteFile], count: int, seed: int = SEED) -> Iterator[str]:
    """Yield queries as people ask them: some words, many, a phrase, a number, a typing mistake."""
    chance = random.Random(seed)  # noqa: S311 - sample data, no secret
    for number in range(count):
        words = chance.choice(chance.choice(notes).claims).rstrip(".").lower().split()
        shape = number % 5
        if shape == 0:
            yield " ".join(chance.sample(words, 2))
        elif shape == 1:
            yield " ".join(chance.sample(words, min(8, len(words))))
        elif shape == 2:
            yield f'"{words[0]} {words[1]}" {words[2]}'
        elif shape == 3:
            yield f"{words[-1]} {words[3]}"
        else:
            longest = max(words, key=len)
            yield f"{longest[:-2]}{longest[-1]}{longest[-2]} {words[0]} {words[1]}"


def turn_queries(turns: int, count: int, seed: int = SEED) -> Iterator[str]:
    """Yield queries of two or three words for `write_conversations`; one of them is rare."""
    language = Language(max(1, turns // 2_000), seed)
    chance = random.Random(seed + 1)  # noqa: S311 - sample data, no secret
    for number in range(count):
        topic = chance.choice(language.topics)
        rare = chance.choice(topic[-20:])
        yield " ".join(
            [chance.choice(language.common[:200]), rare, chance.choice(topic)][: 2 + number % 2]
        )


def _slug(language: Language, number: int) -> str:
    topic = number // NOTES_PER_TOPIC % len(language.topics)
    return f"{'-'.join(language.words(topic, 2))}-{number:05}"


def _claims(language: Language, number: int) -> list[str]:
    """Return a note's claims, `NOTE_WORDS` words in all."""
    topic = number // NOTES_PER_TOPIC % len(language.topics)
    length, longer = divmod(NOTE_WORDS, CLAIMS_PER_NOTE)
    return [language.sentence(topic, length + (place < longer)) for place in range(CLAIMS_PER_NOTE)]


def _links(language: Language, slugs: list[str], number: int) -> list[str]:
    first = number // NOTES_PER_TOPIC * NOTES_PER_TOPIC
    near = slugs[first : first + NOTES_PER_TOPIC]
    return [slugs[(number + 1) % len(slugs)], *language.chance.choices(near, k=NOTE_LINKS - 1)]


def _write_note(path: Path, slug: str, claims: list[str], links: list[str]) -> None:
    """Write a note: two sections of claims, every other claim with a link behind it."""
    title = slug.rpartition("-")[0].replace("-", " ").title()
    lines = ["---", f"title: {title}", "tags: [sample]", "---", "", f"# {title}", ""]
    for place, claim in enumerate(claims):
        if place == len(claims) // 2:
            lines += ["", "## Later", ""]
        link = f" [[{links[place // 2]}]]" if place % 2 else ""
        lines.append(f"- {claim}{link}")
    path.write_text("\n".join(lines) + "\n", "utf-8")


def _write_index(path: Path, language: Language, slugs: list[str], pointers: int) -> None:
    lines = ["# Memory", ""]
    for number in range(pointers):
        topic = number * len(language.topics) // pointers
        slug = slugs[number * len(slugs) // pointers]
        link = f" [[{slug}]]" if number % 4 == 0 else ""
        lines.append(f"- {language.sentence(topic, 8)}{link}")
    path.write_text("\n".join(lines) + "\n", "utf-8")


def _turn(language: Language, conversation: int, number: int) -> tuple[str, int]:
    """Return a turn's line, and how many bytes are said in it."""
    text = " ".join(
        language.sentence(conversation % len(language.topics), TURN_WORDS // 4) for _ in range(4)
    )
    record = {
        "role": "assistant" if number % 2 else "user",
        "content": text,
        "ts": (_BEGUN + timedelta(seconds=30 * number)).isoformat().replace("+00:00", "Z"),
        "id": f"t{number}",
    }
    return json.dumps(record) + "\n", len(text)
