"""Writing: the note that holds a guess, and the step that makes it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolnexus.change.plan import Change
from toolnexus.evolve.imagining.idea import CONFIDENCE, PHASE_TAG
from toolnexus.evolve.imagining.telling import plain, words_of
from toolnexus.evolve.imagining.types import ImaginedNote
from toolnexus.home.operations.step import Step
from toolnexus.home.repair import link_target_for
from toolnexus.home.ripening import DREAMED, PROPOSED
from toolnexus.text.frontmatter import set_field
from toolnexus.text.slug import slugify

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from toolnexus.evolve.imagining.idea import Idea
    from toolnexus.home.layout import Layout
    from toolnexus.home.snapshot import Snapshot

FOLDER = "imagined"
"""The folder below the notes' own, or below a scope's, that guesses are written to."""
_WORDS_NAMED = 3
_WHY = {
    "consolidation": "it recurs over several notes; it is a guess, and no fact",
    "divergence": "two notes of unlike topics may have to do with each other; it is no fact",
}


def folder_for(layout: Layout, scope: str = "") -> str:
    """Return the folder that guesses go to; empty for the home itself.

    A layout without sub-folders has them beside the other notes.

    Example:
        >>> from toolnexus.home.layout import LAYOUTS
        >>> folder_for(LAYOUTS["persona"], "memory/work"), folder_for(LAYOUTS["vault"])
        ('memory/work/imagined', 'imagined')
    """
    parts = (scope or layout.notes_folder, FOLDER if layout.nested else "")
    return "/".join(part for part in parts if part)


def write_guess(
    home: Snapshot, idea: Idea, text: str, now: datetime, scope: str = ""
) -> tuple[ImaginedNote, Step]:
    """Return the note that holds a guess, and the step that writes it. No other file changes.

    Args:
        home: The home as it is, guesses of the same run included.
        idea: What the guess is made of.
        text: The guess, one line.
        now: When it is made.
        scope: The scope that it is made in.
    """
    title, path = _name(home, idea, scope)
    sources = tuple(link_target_for(home, piece.path, "wiki", path) for piece in idea.sources)
    guess = ImaginedNote(path, title, idea.phase, text, CONFIDENCE[idea.phase], sources)
    change = Change("imagined", path, 0, "", after=text, reason=_WHY[idea.phase])
    return guess, Step({path: _render(guess, now)}, (change,), f"Imagined {path}.", path=path)


def _name(home: Snapshot, idea: Idea, scope: str) -> tuple[str, str]:
    """Find a title and a path that are free, and that no link of the home can mean by chance."""
    words = [plain(topic) for topic in idea.topics] or list(words_of(home, idea)[:_WORDS_NAMED])
    named = ", ".join(words)
    slug = slugify(f"imagined {' '.join(words)}", _taken(home))
    number = slug.rpartition("-")[2]
    is_again = slug != slugify(f"imagined {' '.join(words)}") and number.isdigit()
    title = f"Imagined: {named} ({number})" if is_again else f"Imagined: {named}"
    folder = folder_for(home.layout, scope)
    return title, f"{folder}/{slug}.md" if folder else f"{slug}.md"


def _taken(home: Snapshot) -> Sequence[str]:
    """Return the names that are not free: no link may come to mean the new note by chance."""
    return [*home.taken_slugs, *home.names.titles, *home.names.aliases]


def _render(guess: ImaginedNote, now: datetime) -> str:
    text = f"- {guess.text}\n"
    for key, value in (
        ("title", guess.title),
        ("tags", [DREAMED, f"{PHASE_TAG}{guess.phase}"]),
        ("status", PROPOSED),
        ("stage", "extracted"),
        ("stability", "transient"),
        ("confidence", guess.confidence),
        ("created", now.date().isoformat()),
        ("derived_from", list(guess.derived_from)),
    ):
        text = set_field(text, key, value)
    return text
