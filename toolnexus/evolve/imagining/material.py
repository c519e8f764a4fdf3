"""Material: the live notes that something can be imagined of, each as the words it speaks of."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from toolnexus.evolve.imagining.idea import PHASE_TAG
from toolnexus.home.names import folded
from toolnexus.home.note import is_daily
from toolnexus.home.ripening import DREAMED, is_archived, is_proposed
from toolnexus.home.scope import in_scope
from toolnexus.home.snapshot import stays_undreamt
from toolnexus.text.lexicon import calendar_words, fold_words
from toolnexus.text.words import content_words

if TYPE_CHECKING:
    from collections.abc import Iterable

    from toolnexus.home.note import Note
    from toolnexus.home.snapshot import Snapshot


@dataclass(frozen=True, slots=True)
class Piece:
    """A live note, as far as imagining goes.

    Attributes:
        path: The file.
        digest: Of its bytes.
        title: Its title.
        tags: Its tags, folded, sorted.
        terms: The stems of its content words, each once, sorted; numbers are left out.
        said: Its claims, folded: two notes that say the same are one to a pattern.
    """

    path: str
    digest: str
    title: str
    tags: tuple[str, ...]
    terms: tuple[str, ...]
    said: tuple[str, ...]


def gather(home: Snapshot, scope: str = "") -> tuple[Piece, ...]:
    r"""Gather the live notes of a home, or of one of its scopes, by path.

    Args:
        home: The home as read.
        scope: A folder of notes, from the home; empty for all of them.

    Example:
        >>> from toolnexus.home.snapshot import Snapshot
        >>> home = Snapshot("ava").with_texts({"memory/tea.md": "- Green teas, 3 cups.\n"})
        >>> gather(home)[0].terms
        ('cup', 'green', 'tea')
    """
    stems = _Stems()
    return tuple(
        _piece(note, stems)
        for path, note in sorted(home.notes.items())
        if in_scope(path, scope) and is_live(note)
    )


def is_live(note: Note) -> bool:
    """Whether something may be imagined of a note.

    Daily notes are read as well; what is proposed, archived or imagined is not, nor a note that
    says ``dream: false``, nor one that says nothing.
    """
    if note.kind not in {"note", "source"} or not note.document.claims:
        return False
    if note.kind == "source" and (not is_daily(note.path) or stays_undreamt(note.document)):
        return False
    return not (is_proposed(note) or is_archived(note.path) or is_imagined(note))


def is_imagined(note: Note) -> bool:
    """Whether a note was imagined, be it accepted since or not: its tags tell."""
    return any(tag == DREAMED or tag.startswith(PHASE_TAG) for tag in note.tags)


def texts_of(note: Note) -> tuple[str, ...]:
    """Return all that a note says: its title and its claims."""
    return (note.title, *(claim.text for claim in note.document.claims))


def digest_of_material(pieces: Iterable[Piece]) -> str:
    """Digest all that there is to imagine of, so that nothing new is known at a glance."""
    lines = "".join([f"{piece.path}\0{piece.digest}\n" for piece in pieces])
    return hashlib.blake2b(lines.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def as_written(term: str, texts: Iterable[str]) -> str:
    """Return the word that a stem was made of, as the texts have it first; the stem itself else."""
    for text in texts:
        for word in _words(text):
            if stems_of(word) == (term,):
                return word
    return term


def stems_of(word: str) -> tuple[str, ...]:
    """Return the stems of one folded word; none for a word without content in any language.

    Example:
        >>> stems_of("teas"), stems_of("and"), stems_of("und"), stems_of("2026")
        (('tea',), (), (), ())
    """
    if word in calendar_words("months") or word in calendar_words("weekdays"):
        return ()
    return tuple(stem for stem in content_words(word) if _tells_something(stem))


class _Stems(dict[str, tuple[str, ...]]):
    """The stems of words, each sought once: most words stand in many notes."""

    def __missing__(self, word: str) -> tuple[str, ...]:
        found = self[word] = stems_of(word)
        return found


def _tells_something(stem: str) -> bool:
    if any(char.isdigit() for char in stem):
        return False
    return len(stem) > 2 or not stem.isascii()


def _piece(note: Note, stems: _Stems) -> Piece:
    words = set(_words("\n".join(texts_of(note))))
    return Piece(
        path=note.path,
        digest=note.digest,
        title=note.title,
        tags=tuple(sorted({folded(tag) for tag in note.tags})),
        terms=tuple(sorted({stem for word in words for stem in stems[word]})),
        said=tuple(claim.fold for claim in note.document.claims),
    )


def _words(text: str) -> list[str]:
    """Split a text into folded words; addresses are none."""
    if "://" in text or "@" in text:
        text = " ".join(each for each in text.split() if "://" not in each and "@" not in each)
    return fold_words(text)
