"""Claims in their place: every claim of a home with what it is said about."""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import takewhile
from typing import TYPE_CHECKING

from toolnexus.change.located import LocatedClaim, Side
from toolnexus.home.derivation import sources_of
from toolnexus.home.resolve import resolve
from toolnexus.home.ripening import is_proposed
from toolnexus.text.fold import fold_claim, fold_target
from toolnexus.text.references import definitions_in, inlined, labels_used

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from toolnexus.home.note import Note
    from toolnexus.home.snapshot import Snapshot
    from toolnexus.text.references import Definition
    from toolnexus.text.types import Claim, Link

_NAMES_THE_FILE = re.compile(
    r"memor|mémoire|memór|remember|erinner|souvenir|recuerd|lembr|index|notes|notizen|user|about",
    re.IGNORECASE,
)

CLAIM_FILES = ("MEMORY.md", "USER.md")
"""The soul files that hold claims; the others say who the persona is."""


def holds_claims(note: Note) -> bool:
    """Whether a file's claims are the dreamer's to keep true: MEMORY.md, USER.md and notes.

    A proposed note claims nothing yet: what it says is a guess until a person takes it for true.
    """
    return (note.kind == "note" and not is_proposed(note)) or note.path in CLAIM_FILES


@dataclass(frozen=True, slots=True)
class Later:
    """Where links lead in the home that a plan leaves, for claims that are compared across it.

    Attributes:
        moved: Where notes live on, by the path that they had before.
        repaired: Where links that led nowhere lead, by folded target.
        home: That home: what led nowhere may lead to a note that is only in it.
    """

    moved: Mapping[str, str] = field(default_factory=dict)
    repaired: Mapping[str, str] = field(default_factory=dict)
    home: Snapshot | None = None


NOW = Later()
"""Links lead where they lead: nothing is compared."""


def located_claims(home: Snapshot, path: str, later: Later = NOW) -> tuple[LocatedClaim, ...]:
    r"""Return a file's claims with their contexts, links reduced to the files they lead to.

    Args:
        home: The home as read.
        path: The file; one that is not there has no claims.
        later: Where links lead in the home that the claims are compared with.

    Example:
        >>> from toolnexus.home.snapshot import Snapshot
        >>> texts = {"memory/ines.md": "# Ines\n- Lives in Lyon.\n"}
        >>> home = Snapshot(name="ava").with_texts(texts)
        >>> located_claims(home, "memory/ines.md")[0].context
        ('ines',)
    """
    note = home.notes.get(path)
    if note is None:
        return ()
    defined = _definitions(home, note)
    ends = [_link_ends(home, note, claim, later) for claim in note.document.claims]
    if defined:
        ends = [ends_of | _defined_ends(home, note, defined, later) for ends_of in ends]
    folds = [
        _fold(claim, to, defined) for claim, to in zip(note.document.claims, ends, strict=True)
    ]
    return tuple(
        LocatedClaim(
            path,
            claim,
            folds[index],
            claim_context(note, claim, folds),
            tuple(end for end in ends[index].values() if end in home.notes),
        )
        for index, claim in enumerate(note.document.claims)
    )


def all_claims(home: Snapshot) -> Iterator[LocatedClaim]:
    """Yield every claim that the dreamer keeps true, file by file; a home is gone through once."""
    yield from home.claims


def claim_context(note: Note, claim: Claim, folds: list[str]) -> tuple[str, ...]:
    """Return what a claim is said under: the note's title, the headings, the parent items.

    MEMORY.md and USER.md speak of the persona and its owner as a whole: their title says nothing.
    """
    title = "" if note.path in CLAIM_FILES else _folded(note.title)
    headings = [_folded(heading) for heading in section_chain(note, claim)]
    parents: list[str] = []
    parent = claim.parent
    while parent >= 0:
        parents.insert(0, folds[parent])
        parent = note.document.claims[parent].parent
    return tuple(part for part in (title, *headings, *parents) if part)


@lru_cache(maxsize=4096)
def _folded(text: str) -> str:
    """Fold a title or heading, which many claims stand under."""
    return fold_claim(text)


def section_chain(note: Note, claim: Claim) -> tuple[str, ...]:
    r"""Return the headings above a claim without the one that is only its file's title.

    Example:
        >>> from toolnexus.home.snapshot import Snapshot
        >>> text = "# Memory\n\n## Ines\n\n- Paints.\n"
        >>> home = Snapshot(name="ava").with_texts({"MEMORY.md": text})
        >>> section_chain(home.memory, home.memory.document.claims[0])
        ('Ines',)
    """
    chain = claim.headings
    return chain[1:] if chain and chain[0] == _title_heading(note) else chain


def _title_heading(note: Note) -> str | None:
    """Return the level-1 heading that says nothing about what stands under it; None for none.

    In MEMORY.md and USER.md that is the only one, when it has sections below or names the file; a
    lone "No longer true", and each of several, is a section like any other.
    """
    top = note.document.headings[0] if note.document.headings else None
    if top is None or top.level != 1:
        return None
    if note.path not in CLAIM_FILES:
        return top.text if _folded(top.text) == _folded(note.title) else None
    others = note.document.headings[1:]
    if any(heading.level == 1 for heading in others):
        return None
    return top.text if others or _NAMES_THE_FILE.search(top.text) else None


def side_of(home: Snapshot, paths: Iterable[str], later: Later = NOW) -> Side:
    """Gather what the conservation law judges about some files."""
    present = [path for path in paths if path in home.notes]
    return Side(
        claims=tuple(c for path in present for c in located_claims(home, path, later)),
        headings={path: home.notes[path].document.headings for path in present},
        structure={path: tuple(_pieces(home, path)) for path in present},
        fronts={path: _front(home, path) for path in present},
        titles={path: home.notes[path].title for path in present},
        sources={path: tuple(sources_of(home, path)) for path in present},
    )


def _link_ends(home: Snapshot, note: Note, claim: Claim, later: Later) -> dict[str, str]:
    """Return where a claim's links lead, by what they say: a path, or a folded name."""
    if "[" not in claim.text:
        return {}
    links = note.document.links
    first = bisect_left(links, claim.start, key=lambda link: link.start)
    behind = map(links.__getitem__, range(first, len(links)))  # a slice would walk up to the first
    return {
        link.target: _end(home, note.path, link, later)
        for link in takewhile(lambda link: link.start < claim.end, behind)
        if link.target
    }


def _end(home: Snapshot, path: str, link: Link, later: Later) -> str:
    found = resolve(home.names, path, link).path
    if found is None and later.home is not None:
        found = resolve(later.home.names, path, link).path
    if found is None:
        name = fold_target(link.target)
        found = later.repaired.get(name, name)
    return later.moved.get(found, found)


def _definitions(home: Snapshot, note: Note) -> Mapping[str, Definition]:
    """Return a file's definitions of references; most files have none, which is told at once."""
    if all(part.kind != "html" for part in note.document.structure):
        return {}
    return definitions_in(home.text(note.path))


def _defined_ends(
    home: Snapshot, note: Note, defined: Mapping[str, Definition], later: Later
) -> dict[str, str]:
    """Return where a file's definitions lead, as `_link_ends` does for a claim's own links."""
    places = [(each.start, each.end) for each in defined.values()]
    return {
        link.target: _end(home, note.path, link, later)
        for link in note.document.links
        if link.target and any(start <= link.start < end for start, end in places)
    }


def _fold(claim: Claim, ends: Mapping[str, str], defined: Mapping[str, Definition]) -> str:
    if not ends and not defined:
        return claim.fold
    text = inlined(claim.text, defined) if defined else claim.text
    return fold_claim(text, lambda target: ends.get(target) or fold_target(target))


def _pieces(home: Snapshot, path: str) -> Iterator[str]:
    """Yield a file's structure, each piece without indents and line endings.

    A definition that claims use is none: it is a part of what they say.
    """
    text, note = home.text(path), home.notes[path]
    defined = _definitions(home, note)
    used = labels_used(text, [(c.start, c.end) for c in note.document.claims]) if defined else ()
    told = {(defined[label].start, defined[label].end) for label in used if label in defined}
    for piece in note.document.structure:
        if any(start <= piece.start < end for start, end in told):
            continue
        lines = text[piece.start : piece.end].split("\n")
        yield "\n".join(line.strip() for line in lines).strip()


def _front(home: Snapshot, path: str) -> str:
    front = home.notes[path].document.front
    return home.text(path)[front.start : front.end]
