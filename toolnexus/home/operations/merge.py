"""Merging: notes that say the same become one; its other names live on as aliases."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from toolnexus.change.plan import Change
from toolnexus.errors import UsageError
from toolnexus.home.claims import located_claims
from toolnexus.home.names import folded
from toolnexus.home.operations.follow import carry_block, follow_links
from toolnexus.home.operations.place import put_under, subtree_span
from toolnexus.home.operations.step import Step, find_target, require_writable
from toolnexus.text.document import parse_document
from toolnexus.text.fold import fold_claim
from toolnexus.text.frontmatter import Scalar, append_to_list, is_unclosed, set_field

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from toolnexus.home.note import Note
    from toolnexus.home.snapshot import Snapshot

_LISTS = ("tags", "aliases")


def merge_notes(
    home: Snapshot, from_: str | Sequence[str], target: str, *, apart: bool = False
) -> Step:
    """Fold notes into one.

    Args:
        home: The home as read.
        from_: The notes that go, by slug or path.
        target: The note that stays.
        apart: Whether what moves from a note of another title goes under that title as a heading.

    Raises:
        UsageError: when one of them is no note or may not be rewritten.
    """
    kept = _note(home, target)
    gone = [_note(home, name) for name in ([from_] if isinstance(from_, str) else from_)]
    if not gone or any(note.path == kept.path for note in gone):
        raise UsageError("'from' must name notes other than the one that stays")
    return merge_into(home, [note.path for note in gone], kept.path, apart=apart)


def merge_into(home: Snapshot, gone: Sequence[str], kept: str, *, apart: bool = False) -> Step:
    """Fold notes, given by their paths, into one.

    What they say that the kept note says too, about the same, is folded; the rest moves along
    under its headings: claims, code, comments. Lists in the front matter are joined; for single
    values the kept note wins, and what the others said is told in the change's reason. With
    `apart`, what moves stays told apart by the title it was said under.

    Raises:
        UsageError: when the front matter of one cannot be joined into that of the kept one.
    """
    after = home
    changes: list[Change] = []
    for path in gone:
        text, lost_fields = _joined_front(after, path, kept)
        text = _joined_body(after.with_texts({kept: text}), path, kept, apart=apart)
        reason = "; ".join(lost_fields)
        changes.append(Change("merged", path, 0, home.notes[path].title, to=kept, reason=reason))
        after = after.with_texts({kept: text, path: None})
    moved = dict.fromkeys(gone, kept)
    texts: dict[str, str | None] = dict.fromkeys(gone)
    texts[kept] = after.text(kept)
    texts |= follow_links(home, after, moved).texts
    names = ", ".join(gone)
    return Step(texts, tuple(changes), f"Merged {names} into {kept}.", moved)


def is_mergeable(home: Snapshot, gone: str, kept: str) -> bool:
    """Whether everything in a note's front matter can live on in another one's."""
    fields = home.notes[gone].document.front.fields
    other = home.notes[kept].document.front.fields
    if not all(key in other or _is_plain(value) for key, value in fields.items()):
        return False
    try:
        _joined_front(home, gone, kept)
    except UsageError:
        return False
    return True


def _note(home: Snapshot, name: str) -> Note:
    note = find_target(home, name)
    if note is None or note.kind == "soul":
        raise UsageError(f"'{name}' is no note", hint="only notes can be merged")
    return require_writable(note)


def _joined_front(home: Snapshot, gone: str, kept: str) -> tuple[str, list[str]]:
    """Join a note's front matter into another's; return the text and what could not live on.

    Raises:
        UsageError: when one of them has front matter that is not closed, or the kept one's takes
            nothing in without touching what it says.
    """
    for path in (gone, kept):
        if is_unclosed(home.text(path)):
            raise UsageError(
                "its first line opens front matter that no line closes",
                path=path,
                hint="close it with a line '---', or take the first line away",
            )
    try:
        return _join_fields(home, gone, kept)
    except ValueError as error:
        hint = "write it as plain 'key: value' lines, with tags and aliases as lists"
        raise UsageError(f"what {gone} holds fits not in: {error}", path=kept, hint=hint) from error


def _join_fields(home: Snapshot, gone: str, kept: str) -> tuple[str, list[str]]:
    source, note = home.notes[gone], home.notes[kept]
    text = home.text(kept)
    lost: list[str] = []
    for key, value in source.document.front.fields.items():
        there = note.document.front.fields.get(key)
        if key in {"title", *_LISTS}:
            continue
        if key not in note.document.front.fields and _is_plain(value):
            text = set_field(text, key, value if isinstance(value, Scalar) else _items(value))
        elif key not in note.document.front.fields:
            lost.append(f"{key}: {value} (from {gone}) could not move along")
        elif _is_plain_list(value) and _is_plain_list(there):
            new = [item for item in _items(value) if item not in _items(there)]
            text = append_to_list(text, key, new) if new else text
        elif value != there:
            lost.append(f"{key}: {value} (from {gone}) gave way to {there}")
    tags = [tag for tag in source.tags if folded(tag) not in {folded(t) for t in note.tags}]
    if tags:
        text = append_to_list(text, "tags", tags)
    known = {folded(name) for name in (note.slug, note.title, *note.aliases)}
    aliases: list[str] = []
    for name in (source.slug, source.title, *source.aliases):
        if folded(name) not in known:
            known.add(folded(name))
            aliases.append(name)
    return (append_to_list(text, "aliases", aliases) if aliases else text), lost


def _is_plain(value: object) -> bool:
    return isinstance(value, Scalar) or _is_plain_list(value)


def _is_plain_list(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(v, str | int | float) for v in value)


def _items(value: object) -> list[str]:
    return [str(item) for item in value] if isinstance(value, list) else [str(value)]


def _joined_body(home: Snapshot, gone: str, kept: str, *, apart: bool) -> str:
    """Move along what the kept note does not say yet, stretch by stretch, under its headings."""
    text, title = home.text(kept), home.notes[gone].title
    is_other = fold_claim(title) != fold_claim(home.notes[kept].title)
    above = (title,) if apart and is_other else ()
    for chain, span in _missing(home, gone, kept):
        block = carry_block(home, gone, span, home, kept)
        text = put_under(text, (*above, *chain), _without_clashes(text, block))
    return _with_headings(text, home.notes[gone], home.notes[kept])


def _with_headings(text: str, note: Note, kept: Note) -> str:
    """Move along the headings that nothing stands under: links may lead to them."""
    for heading in note.document.headings:
        chain = _chain(note, _above(note, heading.start), kept)
        known = {fold_claim(h.text) for h in parse_document(text).headings}
        if chain and fold_claim(chain[-1]) not in known:
            text = put_under(text, chain, "")
    return text


def _missing(
    home: Snapshot, gone: str, kept: str
) -> Iterator[tuple[tuple[str, ...], tuple[int, int]]]:
    """Yield the stretches of a note that the kept one lacks, with the headings they stand under."""
    note, other = home.notes[gone], home.notes[kept]
    titles = {fold_claim(note.title): fold_claim(other.title)}
    said = {(claim.fold, claim.context) for claim in located_claims(home, kept)}
    pieces = {_plain(home, kept, s.start, s.end) for s in other.document.structure}
    located = located_claims(home, gone)
    done: set[int] = set()
    blocks: list[tuple[int, int, tuple[str, ...]]] = []
    for number, claim in enumerate(located):
        if number in done or claim.claim.parent >= 0:
            continue
        tree = [number, *_nested(note, number)]
        done.update(tree)
        contexts = [tuple(titles.get(p, p) for p in located[n].context) for n in tree]
        folded_in = all(
            (located[n].fold, context) in said for n, context in zip(tree, contexts, strict=True)
        )
        if not folded_in:
            start, end = subtree_span(note.document, number)
            blocks.append((start, end, _chain(note, claim.claim.headings, other)))
    for piece in note.document.structure:
        inside = any(start <= piece.start < end for start, end, _ in blocks)
        if not inside and _plain(home, gone, piece.start, piece.end) not in pieces:
            blocks.append((piece.start, piece.end, _chain(note, _above(note, piece.start), other)))
    for start, end, chain in sorted(blocks):
        yield chain, (start, end)


def _nested(note: Note, number: int) -> Iterator[int]:
    inside = {number}
    for later in range(number + 1, len(note.document.claims)):
        if note.document.claims[later].parent not in inside:
            return
        inside.add(later)
        yield later


def _above(note: Note, offset: int) -> tuple[str, ...]:
    """Return the headings above a place, outermost first."""
    chain: list[tuple[int, str]] = []
    for heading in note.document.headings:
        if heading.start > offset:
            break
        chain = [(level, text) for level, text in chain if level < heading.level]
        chain.append((heading.level, heading.text))
    return tuple(text for _, text in chain)


def _chain(note: Note, headings: tuple[str, ...], kept: Note) -> tuple[str, ...]:
    """Return a chain of headings without the note's own title, which lives on as an alias."""
    top = note.document.headings[0] if note.document.headings else None
    if headings and top is not None and top.level == 1 and headings[0] == top.text:
        return headings[1:]
    titles = {fold_claim(note.title), fold_claim(kept.title)}
    if headings and fold_claim(headings[0]) in titles:
        return headings[1:]
    return headings


def _plain(home: Snapshot, path: str, start: int, end: int) -> str:
    return "\n".join(line.strip() for line in home.text(path)[start:end].splitlines()).strip()


def _without_clashes(text: str, block: str) -> str:
    """Give a block's ``^id`` marks a suffix where the note has the same ones."""
    taken = set(parse_document(text).block_ids)
    for name in parse_document(block).block_ids:
        if name in taken:
            number = 2
            while f"{name}-{number}" in taken:
                number += 1
            pattern = rf"\^{re.escape(name)}(?=[ \t]*$)"
            block = re.sub(pattern, f"^{name}-{number}", block, flags=re.MULTILINE)
    return block
