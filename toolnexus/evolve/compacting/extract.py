"""Extracting: what old conversations and raw notes say is drawn out of them, fact by fact.

What may be drawn out, and on which words, is judged by whoever is handed in as the teacher. A
source is extracted once: how far each was is kept, and a note that names the source says so too.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from toolnexus.change.plan import Change
from toolnexus.home.operations.edit import as_item
from toolnexus.home.operations.step import Step
from toolnexus.home.repair import link_target_for
from toolnexus.home.ripening import TRANSCRIPT
from toolnexus.text.frontmatter import set_field
from toolnexus.text.slug import slugify

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import datetime
    from typing import Any

    from toolnexus.agent.memory_actions import MemoryArguments
    from toolnexus.change.plan import Evidence
    from toolnexus.home.snapshot import Snapshot


@dataclass(frozen=True, slots=True)
class Fact:
    """A fact that may be drawn out of a source.

    Attributes:
        text: The fact, one sentence.
        source: Where it stands: ``transcript:conversation``, or a note's path.
        evidence: The words that it rests on.
        doubt: Why it has to wait for a person; empty when it need not.
    """

    text: str
    source: str
    evidence: tuple[Evidence, ...]
    doubt: str = ""


@dataclass(frozen=True, slots=True)
class Lesson:
    """Sources that are put to a model in one go.

    Attributes:
        number: Which of the teacher's lessons it is, counted from 0.
        prompt: What the model is shown.
        sources: Which sources it shows, as facts name them.
    """

    number: int
    prompt: str
    sources: tuple[str, ...]


class Teacher(Protocol):
    """Who knows the sources, and judges what is drawn out of them."""

    def due(self, home: Snapshot) -> Sequence[str]:
        """Return the sources that are old enough and were not extracted, as facts name them."""
        ...

    def lessons(self, home: Snapshot) -> Iterator[Lesson]:
        """Yield what is due, lesson by lesson."""
        ...

    def judge(self, home: Snapshot, arguments: MemoryArguments, before: Sequence[Fact]) -> Fact:
        """Return a fact that may be kept, or that waits.

        Args:
            home: The home as it would be.
            arguments: What a model asks for: an ``add`` with its evidence.
            before: The facts that were kept before.

        Raises:
            UsageError: when it may not be kept.
        """
        ...

    def finish(self, lesson: Lesson) -> None:
        """Note that a lesson was put to the model."""
        ...

    def learnt(self) -> Any:
        """Return how far sources are extracted from now, for JSON."""
        ...


def extracted_note(home: Snapshot, facts: Sequence[Fact], now: datetime) -> Step:
    """Return the step that writes facts of one source into a new note that names it.

    Args:
        home: The home as it would be.
        facts: One or more facts of one source.
        now: When it is made.
    """
    source = facts[0].source
    is_talk = source.startswith(TRANSCRIPT)
    named = source.removeprefix(TRANSCRIPT) if is_talk else home.notes[source].slug
    slug = slugify(f"extracted {named}", _taken(home))
    path = f"{_folder(home, source)}{slug}.md"
    places = [f"{source}#{each.turn}" for fact in facts for each in fact.evidence]
    named_by = places if is_talk else [link_target_for(home, source, "wiki", path)]
    derived = list(dict.fromkeys(named_by))
    text = f"# Extracted from {named}\n\n" + "".join(f"- {as_item(f.text)}\n" for f in facts)
    for key, value in (
        ("stage", "extracted"),
        ("stability", "stable"),
        ("created", now.date().isoformat()),
        ("derived_from", derived),
    ):
        text = set_field(text, key, value)
    changes = tuple(
        Change("extracted", path, 0, "", fact.text, evidence=fact.evidence, reason=fact.doubt)
        for fact in facts
    )
    return Step({path: text}, changes, f"Extracted {path}.", path=path)


def _folder(home: Snapshot, source: str) -> str:
    """Return the folder of what is drawn out of a source: a note's own, else the notes' folder."""
    folder = source.rpartition("/")[0] if source in home.notes else home.layout.notes_folder
    return f"{folder}/" if folder else ""


def _taken(home: Snapshot) -> list[str]:
    """Return the names that are not free: no link may come to mean the new note by chance."""
    return [*home.taken_slugs, *home.names.titles, *home.names.aliases]
