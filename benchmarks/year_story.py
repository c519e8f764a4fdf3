"""What a person says to their persona over a year: seeded, so that it is the same every time.

Each week has a conversation. Some of what is said stays true, some of it is overtaken later on, and
the turn that overtakes it says so in plain words.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from toolnexus.clock import format_instant

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

SEED = 20_261_201
NAMES = ("Inés", "Tomasz", "Greta", "Milan", "Yara", "Henk", "Sofia", "Lars", "Aiko", "Bruno")
PLACES = ("harbour", "library", "market", "allotment", "workshop", "theatre", "station", "museum")
THINGS = ("lantern", "bicycle", "kettle", "ladder", "camera", "tent", "violin", "telescope")
HABITS = ("swims", "reads", "paints", "bakes", "cycles", "sleeps badly", "sings", "walks")
PRICED = ("swimming pass", "phone contract", "piano lesson", "bus ticket", "allotment lease")
TOPICS = ("travel", "family", "health", "work", "garden", "music")
_NEW_PRICE_EVERY, _NEW_PRICE_FROM = 4, 2
"""In which weeks one of the prices changes."""


@dataclass(frozen=True, slots=True)
class Overtaken:
    """A claim that a turn overtakes: how it was, how it is now, and the words that say so."""

    before: str
    after: str
    quote: str


@dataclass(frozen=True, slots=True)
class Week:
    """One week: what was said, what the persona keeps of it, and what it overtakes.

    Attributes:
        number: From 0.
        conversation: Its id.
        turns: What was said, as lines of a transcript.
        facts: What the persona remembers of it, one sentence each.
        slug: A note that the persona writes, with its `note_text`.
        note_text: The note, front matter included.
        overtaken: The claims that are not true any more; the turn is the conversation's first.
    """

    number: int
    conversation: str
    turns: tuple[dict[str, str], ...]
    facts: tuple[str, ...]
    slug: str
    note_text: str
    overtaken: tuple[Overtaken, ...]


def weeks(begin: datetime, count: int, seed: int = SEED) -> Iterator[Week]:
    """Yield so many weeks from a day on."""
    chance = random.Random(seed)  # noqa: S311 - sample data, no secret
    prices = {thing: 20 + 5 * place for place, thing in enumerate(PRICED)}
    for number in range(count):
        day = begin + timedelta(weeks=number)
        overtaken, facts = [], []
        if number == 0:
            facts += [_costs(thing, euros) for thing, euros in prices.items()]
        elif number % _NEW_PRICE_EVERY == _NEW_PRICE_FROM:
            thing = PRICED[number // _NEW_PRICE_EVERY % len(PRICED)]
            was, prices[thing] = prices[thing], prices[thing] + chance.randint(2, 9)
            quote = f"The {thing} costs {prices[thing]} euros a month now, no longer {was}."
            overtaken.append(Overtaken(_costs(thing, was), _costs(thing, prices[thing]), quote))
        facts += [_seen(chance, number), _habit(chance)]
        said = [each.quote for each in overtaken] + [f"{fact}" for fact in facts]
        turns = [{"role": "user", "content": text, "name": "Maria"} for text in said]
        turns.append({"role": "assistant", "content": "Noted."})
        yield Week(
            number,
            f"{day.date().isoformat()}-week",
            tuple({**turn, "ts": format_instant(day)} for turn in turns),
            tuple(facts),
            f"week-{number:02}-{chance.choice(PLACES)}",
            _note(chance, day),
            tuple(overtaken),
        )


def _costs(thing: str, euros: int) -> str:
    return f"The {thing} costs {euros} euros a month."


def _seen(chance: random.Random, number: int) -> str:
    name, place = chance.choice(NAMES), chance.choice(PLACES)
    return f"Met {name} at the {place}, who lent the {chance.choice(THINGS)} number {number + 1}."


def _habit(chance: random.Random) -> str:
    return f"{chance.choice(NAMES)} {chance.choice(HABITS)} near the {chance.choice(PLACES)}."


def _note(chance: random.Random, day: datetime) -> str:
    """Write a note of the week; half of them are of passing worth."""
    tags = ", ".join(sorted(chance.sample(TOPICS, 1 + (chance.random() < 0.3))))
    stability = "transient" if chance.random() < 0.5 else "stable"
    lines = [_habit(chance) for _ in range(3)] + [_seen(chance, day.toordinal() % 97)]
    front = f"tags: [{tags}]\nstability: {stability}\ncreated: {day.date().isoformat()}\n"
    return f"---\n{front}---\n" + "".join(f"- {line}\n" for line in dict.fromkeys(lines))
