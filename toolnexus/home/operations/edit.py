"""Adding, replacing and removing claims."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from toolnexus.change.plan import Change
from toolnexus.errors import UsageError
from toolnexus.home.claims import located_claims
from toolnexus.home.operations.find import Found, find_claim, require_unpinned
from toolnexus.home.operations.place import descendants, put_under
from toolnexus.home.operations.step import (
    Step,
    check_words,
    find_to_change,
    require_writable,
    target_path,
)
from toolnexus.text.claims import remove_claim as cut_claim
from toolnexus.text.claims import replace_body
from toolnexus.text.document import parse_document
from toolnexus.text.edits import apply_edits
from toolnexus.text.fold import fold_claim

if TYPE_CHECKING:
    from toolnexus.change.located import LocatedClaim
    from toolnexus.home.note import Note
    from toolnexus.home.snapshot import Snapshot
    from toolnexus.text.types import Claim, Document

# What a line may begin with that Markdown would take for something other than words.
_OPENS_BLOCK = re.compile(
    r"""(?P<mark>\#{1,6}(?=\s|$) | [-+*](?=\s|$) | > | `{3,} | ~{3,} | < | \||
        \[[^\[\]]*\]: | (?:[-*_][ \t]*){3,}$ | =+$)
      | (?P<number>\d{1,9})(?=[.)](?:\s|$))""",
    re.VERBOSE,
)


def add_claim(home: Snapshot, text: str, target: str = "self") -> Step:
    r"""Append a text as one list item.

    It goes to the end of the part before the first section, where it stands under no heading that
    would say something about it which nobody said.

    Args:
        home: The home as read.
        text: What to add; several lines become one item.
        target: ``self`` (MEMORY.md), ``user`` (USER.md) or a note.

    Raises:
        UsageError: when the text or the target will not do.

    Example:
        >>> from toolnexus.home.snapshot import Snapshot
        >>> add_claim(Snapshot(name="ava"), "Likes green tea.").texts["MEMORY.md"]
        '- Likes green tea.\n'
    """
    words = as_item(check_words(text))
    note = find_to_change(home, target)
    path = note.path if note is not None else str(target_path(target))
    source = home.text(require_writable(note).path) if note is not None else ""
    after = put_under(source, (), f"- {words}")
    before = located_claims(home, path)
    new = _one_more(before, located_claims(home.with_texts({path: after}), path), words)
    if new is None or shape_of(parse_document(after)) != shape_of(parse_document(source)):
        raise UsageError(
            "this text cannot stand there as one item",
            path=path,
            hint="write it in plain words; if a code block or comment is left open there, close it",
        )
    there = next((claim for claim in before if claim.is_same(new)), None)
    if there is not None:
        return Step(reply=f"{path} says so already, in line {there.claim.line}.", path=path)
    change = Change("added", path, 0, "", after=words)
    return Step({path: after}, (change,), f"Added to {path}.", path=path)


def replace_claim(
    home: Snapshot,
    text: str,
    with_: str,
    target: str = "self",
    under: tuple[str, ...] | None = None,
) -> Step:
    """Put other words in the place of a claim, or of a part of one.

    Raises:
        UsageError: when the words fit no claim or several, it is pinned, or it would no longer be
            one claim.
    """
    check_words(text)
    check_words(with_, "with")
    note, source, found = _find(home, text, target, under)
    if found.whole:
        after = replace_body(source, found.claim, as_item(with_))
    else:
        part = _inside(with_, found.claim)
        after = apply_edits(source, [(found.start, found.end, part)])
    new = _require_as_many(note.document, after, found.index, note.path)
    if new.text == found.claim.text:
        raise UsageError("this would change nothing", path=note.path, line=found.claim.line)
    change = Change("corrected", note.path, found.claim.line, found.claim.text, after=new.text)
    return Step({note.path: after}, (change,), f"Changed in {note.path}.")


def remove_claim(
    home: Snapshot, text: str, target: str = "self", under: tuple[str, ...] | None = None
) -> Step:
    """Delete a claim, or a part of one.

    Raises:
        UsageError: when the words fit no claim or several, it is pinned, or others are nested in
            it.
    """
    check_words(text)
    note, source, found = _find(home, text, target, under)
    if not found.whole:
        after = apply_edits(source, [_with_space(source, found.start, found.end)])
        new = _require_as_many(note.document, after, found.index, note.path)
        change = Change("corrected", note.path, found.claim.line, found.claim.text, after=new.text)
        return Step({note.path: after}, (change,), f"Changed in {note.path}.")
    if descendants(note.document, found.index):
        raise UsageError(
            "other claims are nested in this one",
            path=note.path,
            line=found.claim.line,
            hint="remove or move those first",
        )
    after = cut_claim(source, note.document, found.claim)
    change = Change("dropped", note.path, found.claim.line, found.claim.text)
    return Step({note.path: after}, (change,), f"Removed from {note.path}.")


def as_item(text: str) -> str:
    """Make words fit for one list item: on one line, and never read as other Markdown."""
    words = " ".join(text.split())
    while words.startswith(("- ", "* ", "+ ")):
        words = words[2:].lstrip()
    words = words.replace("<!--", "\\<!--")
    match = _OPENS_BLOCK.match(words)
    if match is None:
        return words
    at = match.end() if match["number"] else 0
    return f"{words[:at]}\\{words[at:]}"


def _find(
    home: Snapshot, text: str, target: str, under: tuple[str, ...] | None
) -> tuple[Note, str, Found]:
    note = find_to_change(home, target)
    if note is None:
        raise UsageError(f"there is no {target_path(target)} yet", hint="'add' creates it")
    require_writable(note)
    source = home.text(note.path)
    found = find_claim(source, note.document, text, path=note.path, under=under)
    require_unpinned(found.claim, note.path)
    return note, source, found


def _others(document: Document, index: int) -> list[tuple[str, str, bool]]:
    claims = enumerate(document.claims)
    return [(c.fold, c.kind, c.pinned) for place, c in claims if place != index]


def _with_space(source: str, start: int, end: int) -> tuple[int, int, str]:
    """Take the blank beside a part along, so that none is left double."""
    if source[end : end + 1] == " ":
        return start, end + 1, ""
    if start and source[start - 1] == " ":
        return start - 1, end, ""
    return start, end, ""


def _inside(words: str, claim: Claim) -> str:
    """Make words fit to stand within a claim: on its line, no comment, no cell of their own."""
    words = " ".join(words.split()).replace("<!--", "\\<!--")
    return re.sub(r"(?<!\\)\|", r"\\|", words) if claim.kind == "row" else words


def _one_more(
    before: tuple[LocatedClaim, ...], after: tuple[LocatedClaim, ...], words: str
) -> LocatedClaim | None:
    """Return the one claim that an addition added; None when it added another, or more."""
    old = Counter((claim.fold, claim.context) for claim in before)
    new = Counter((claim.fold, claim.context) for claim in after)
    come = list((new - old).elements())
    if len(come) != 1 or old - new:
        return None
    added = next(claim for claim in reversed(after) if (claim.fold, claim.context) == come[0])
    return added if added.claim.fold == fold_claim(words) else None


def shape_of(document: Document) -> tuple[list[tuple[int, str]], list[str]]:
    """Return what an edit of claims leaves as it is: headings and structure."""
    headings = [(heading.level, heading.text) for heading in document.headings]
    return headings, [piece.kind for piece in document.structure]


def _require_as_many(before: Document, after: str, index: int, path: str) -> Claim:
    """Make sure that an edit of one claim left one claim there, and every other as it was."""
    new = parse_document(after)
    old_claims, new_claims = _others(before, index), _others(new, index)
    if old_claims == new_claims and shape_of(new) == shape_of(before):
        return new.claims[index]
    raise UsageError(
        "this would no longer be one claim, or would change another",
        path=path,
        line=before.claims[index].line,
        hint="write it in plain words, without Markdown blocks",
    )
