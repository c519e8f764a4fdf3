"""Claims in their place: every claim of a home with what it is said about."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolnexus.change.located import LocatedClaim, Side
from toolnexus.home.resolve import resolve_target
from toolnexus.text.fold import fold_claim, fold_target

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from toolnexus.home.note import Note
    from toolnexus.home.snapshot import Snapshot
    from toolnexus.text.types import Claim, Document

CLAIM_FILES = ("MEMORY.md", "USER.md")
"""The soul files that hold claims; the others say who the persona is."""


def holds_claims(note: Note) -> bool:
    """Whether a file's claims are the dreamer's to keep true: MEMORY.md, USER.md and notes."""
    return note.kind == "note" or note.path in CLAIM_FILES


def located_claims(
    home: Snapshot,
    path: str,
    moved: Mapping[str, str] | None = None,
    repaired: Mapping[str, str] | None = None,
    later: Snapshot | None = None,
) -> tuple[LocatedClaim, ...]:
    r"""Return a file's claims with their contexts, links reduced to the files they lead to.

    Args:
        home: The home as read.
        path: The file; one that is not there has no claims.
        moved: Where notes live on, by old path, for claims that are compared with later ones.
        repaired: Where links that led nowhere lead later, by folded target.
        later: The home that the claims are compared with: links that lead nowhere yet may lead
            to a note that is in it.

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
    follow = _follower(home, path, moved or {}, repaired or {}, later)
    folds = [_fold(claim, follow) for claim in note.document.claims]
    return tuple(
        LocatedClaim(
            path,
            claim,
            folds[index],
            claim_context(note, claim, folds),
            _links(note.document, claim, follow, home),
        )
        for index, claim in enumerate(note.document.claims)
    )


def all_claims(home: Snapshot) -> Iterator[LocatedClaim]:
    """Yield every claim that the dreamer keeps true, file by file."""
    for path, note in home.notes.items():
        if holds_claims(note):
            yield from located_claims(home, path)


def claim_context(note: Note, claim: Claim, folds: list[str]) -> tuple[str, ...]:
    """Return what a claim is said under: the note's title, the headings, the parent items.

    MEMORY.md and USER.md speak of the persona and its owner as a whole: their title says nothing.
    """
    title = "" if note.path in CLAIM_FILES else fold_claim(note.title)
    headings = [fold_claim(heading) for heading in claim.headings]
    top = note.document.headings[0] if note.document.headings else None
    if headings and top is not None and top.level == 1 and headings[0] == fold_claim(top.text):
        is_title = note.path in CLAIM_FILES or headings[0] == title
        headings = headings[1:] if is_title else headings
    parents: list[str] = []
    parent = claim.parent
    while parent >= 0:
        parents.insert(0, folds[parent])
        parent = note.document.claims[parent].parent
    return tuple(part for part in (title, *headings, *parents) if part)


def side_of(
    home: Snapshot,
    paths: Iterable[str],
    moved: Mapping[str, str] | None = None,
    repaired: Mapping[str, str] | None = None,
    later: Snapshot | None = None,
) -> Side:
    """Gather what the conservation law judges about some files."""
    present = [path for path in paths if path in home.notes]
    return Side(
        claims=tuple(
            c for path in present for c in located_claims(home, path, moved, repaired, later)
        ),
        headings={path: home.notes[path].document.headings for path in present},
        structure={path: tuple(_pieces(home, path)) for path in present},
        fronts={path: _front(home, path) for path in present},
        titles={path: home.notes[path].title for path in present},
    )


def _follower(
    home: Snapshot,
    path: str,
    moved: Mapping[str, str],
    repaired: Mapping[str, str],
    later: Snapshot | None,
) -> Callable[[str], str]:
    known: dict[str, str] = {}

    def follow(target: str) -> str:
        if target not in known:
            found = resolve_target(home.names, path, target).path
            if found is None and later is not None:
                found = resolve_target(later.names, path, target).path
            if found is None:
                folded = fold_target(target)
                found = repaired.get(folded, folded)
            known[target] = moved.get(found, found)
        return known[target]

    return follow


def _fold(claim: Claim, follow: Callable[[str], str]) -> str:
    return fold_claim(claim.text, follow) if "[" in claim.text else claim.fold


def _links(
    document: Document, claim: Claim, follow: Callable[[str], str], home: Snapshot
) -> tuple[str, ...]:
    if "[" not in claim.text:
        return ()
    targets = (
        follow(link.target)
        for link in document.links
        if link.target and claim.start <= link.start < claim.end
    )
    return tuple(target for target in targets if target in home.notes)


def _pieces(home: Snapshot, path: str) -> Iterator[str]:
    """Yield a file's structure, each piece without indents and line endings."""
    text = home.text(path)
    for piece in home.notes[path].document.structure:
        lines = text[piece.start : piece.end].split("\n")
        yield "\n".join(line.strip() for line in lines).strip()


def _front(home: Snapshot, path: str) -> str:
    front = home.notes[path].document.front
    return home.text(path)[front.start : front.end]
