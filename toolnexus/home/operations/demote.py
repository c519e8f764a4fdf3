"""Demotion: detail moves out of MEMORY.md into a note, and a short pointer stays."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from toolnexus.change.plan import Change
from toolnexus.change.pointer import is_pointer
from toolnexus.errors import UsageError
from toolnexus.home.claims import section_chain
from toolnexus.home.operations.edit import as_item
from toolnexus.home.operations.find import find_claim, require_unpinned
from toolnexus.home.operations.follow import carry_block, follow_links
from toolnexus.home.operations.place import put_under, subtree_span, take_out
from toolnexus.home.operations.references import carry_definitions
from toolnexus.home.operations.step import (
    Step,
    check_words,
    find_target,
    new_note_path,
    require_writable,
)
from toolnexus.home.repair import link_target_for
from toolnexus.home.snapshot import INDEX_FILE
from toolnexus.text.fold import fold_claim
from toolnexus.text.lines import detect_newline
from toolnexus.text.wikilinks import render_link

if TYPE_CHECKING:
    from collections.abc import Sequence

    from toolnexus.home.note import Note
    from toolnexus.home.snapshot import Snapshot


def demote_claims(
    home: Snapshot, texts: str | Sequence[str], to: str, with_: str = "", title: str = ""
) -> Step:
    """Move claims of MEMORY.md, quoted whole, into a note.

    Args:
        home: The home as read.
        texts: One claim's text or a list of them.
        to: The note's slug; it is created when it is absent.
        with_: The pointer that stays, which must link the note; it may be left out where MEMORY.md
            links the note already.
        title: A new note's title; its slug in words where it is left out.

    Raises:
        UsageError: when a claim, the note or the pointer will not do.
    """
    memory = _memory(home)
    source = home.text(memory.path)
    wanted = [texts] if isinstance(texts, str) else list(texts)
    if not wanted:
        raise UsageError("'text' names no claim to demote")
    numbers = []
    for text in wanted:
        found = find_claim(source, memory.document, check_words(text), path=memory.path)
        if not found.whole:
            raise UsageError(
                f"'{text}' is a part of a claim", path=memory.path, hint="quote the whole claim"
            )
        numbers.append(found.index)
    return demote_numbers(home, numbers, to, with_, title)


def demote_numbers(
    home: Snapshot, numbers: Sequence[int], to: str, with_: str = "", title: str = ""
) -> Step:
    """Move claims of MEMORY.md, given by their numbers in the document, into a note.

    What is nested in a claim goes along. See `demote_claims` for the rest.

    Raises:
        UsageError: when a claim, the note or the pointer will not do.
    """
    memory = _memory(home)
    document = memory.document
    for number in numbers:
        claim = document.claims[number]
        require_unpinned(claim, memory.path)
        if claim.parent >= 0:
            raise UsageError(
                "a nested claim moves with the one it is nested in",
                path=memory.path,
                line=claim.line,
            )
    path, note_text, note_title = _receiver(home, to, title)
    home_with_note = home.with_texts({path: note_text})
    pointer = _pointer(home_with_note, path, with_, numbers)
    runs = _runs(home, sorted(numbers))
    for chain, span in runs:
        inner = chain[1:] if chain and fold_claim(chain[0]) == fold_claim(note_title) else chain
        block = carry_block(home, memory.path, span, home_with_note, path)
        note_text = put_under(note_text, inner, block)
    carried = carry_definitions(home, memory.path, [span for _, span in runs], home_with_note, path)
    note_text = carried.added_to(note_text)
    memory_text = _without(home.text(memory.path), runs, pointer, carried.idle)
    changes = tuple(
        Change(
            "demoted", memory.path, document.claims[n].line, document.claims[n].text, pointer, path
        )
        for n in sorted(numbers)
    )
    texts: dict[str, str | None] = {memory.path: memory_text, path: note_text}
    if path not in home.notes:  # its name may be what other links meant another note by
        texts |= follow_links(home, home.with_texts(texts), {path: path}).texts
    reply = f"Moved {len(numbers)} claim{'s' * (len(numbers) != 1)} to {path}."
    return Step(texts, changes, reply)


def write_pointer(home: Snapshot, path: str, title: str, from_path: str = INDEX_FILE) -> str:
    """Write the pointer to a note in the way of the home's layout.

    Example:
        ``Travel: [[travel]]``, or ``[Travel](travel.md)`` where links are Markdown's.
    """
    style = home.layout.pointer
    target = link_target_for(home, path, style, from_path)
    words = " ".join(title.split())
    if style == "markdown":
        label = words.replace("[", "(").replace("]", ")")
        return as_item(render_link("markdown", target, label=label))
    link = render_link("wiki", target)
    return as_item(f"{words}: {link}") if not re.search(r"[\[\]|]", words) else link


def _memory(home: Snapshot) -> Note:
    if home.memory is None:
        raise UsageError("there is no MEMORY.md to demote from")
    return require_writable(home.memory)


def _receiver(home: Snapshot, to: str, title: str) -> tuple[str, str, str]:
    """Return the path, text and title of the note that takes claims in, new or not."""
    try:
        note = find_target(home, to)
    except UsageError:
        path = new_note_path(home, to)
        words = " ".join(title.split()) or to.replace("-", " ").capitalize()
        return path, f"# {words}\n", words
    if note is None or note.kind == "soul":
        raise UsageError(f"'{to}' is no note", hint="give a note's slug")
    require_writable(note)
    return note.path, home.text(note.path), note.title


def _pointer(home: Snapshot, path: str, with_: str, numbers: Sequence[int]) -> str:
    """Return the pointer to leave behind; empty where a link that stays leads there already."""
    memory = _memory(home)
    note = home.notes[path]
    if with_:
        pointer = as_item(check_words(with_, "with"))
        probe = home.with_texts({memory.path: f"- {pointer}\n"})
        if not any(r.path == path for r in probe.resolutions.get(memory.path, ())):
            raise UsageError(
                f"the pointer '{pointer}' does not link {path}",
                hint=f"write it like '{write_pointer(home, path, note.title)}'",
            )
        said = [note.title, *(memory.document.claims[n].text for n in numbers)]
        if not is_pointer(pointer, said):
            raise UsageError(
                f"the pointer '{pointer}' says more than the note's title or the claims' own words",
                hint=f"write it like '{write_pointer(home, path, note.title)}'",
            )
        return pointer
    taken = [subtree_span(memory.document, n) for n in numbers]
    stays = any(
        resolution.path == path and not any(start <= link.start < end for start, end in taken)
        for link, resolution in zip(
            memory.document.links, home.resolutions.get(memory.path, ()), strict=False
        )
    )
    return "" if stays else write_pointer(home, path, note.title)


def _without(
    source: str,
    runs: Sequence[tuple[tuple[str, ...], tuple[int, int]]],
    pointer: str,
    idle: Sequence[tuple[int, int]],
) -> str:
    """Take the claims out of MEMORY.md; the pointer stands where they stood.

    Claims of several sections leave it before the first section, under no one's heading. The
    definitions of references that only these claims used go along.
    """
    spans = [*((*span, "") for _, span in runs), *((*span, "") for span in idle)]
    if not pointer:
        return take_out(source, spans)
    if len({chain for chain, _ in runs}) > 1:
        return put_under(take_out(source, spans), (), f"- {pointer}")
    start, end, _ = spans[0]
    spans[0] = (start, end, _pointer_line(source, start, pointer))
    return take_out(source, spans)


def _pointer_line(source: str, at: int, pointer: str) -> str:
    newline = detect_newline(source)
    marker = re.match(r"[ \t]*([-*+])[ \t]", source[at:])
    return f"{marker[1] if marker else '-'} {pointer}{newline}"


def _runs(home: Snapshot, numbers: Sequence[int]) -> list[tuple[tuple[str, ...], tuple[int, int]]]:
    """Join claims that follow each other under one heading, so that they move as one stretch."""
    memory = _memory(home)
    source, document = home.text(memory.path), memory.document
    runs: list[tuple[tuple[str, ...], tuple[int, int]]] = []
    for number in numbers:
        chain = section_chain(memory, document.claims[number])
        start, end = subtree_span(document, number)
        if runs and runs[-1][0] == chain and not source[runs[-1][1][1] : start].strip():
            runs[-1] = (chain, (runs[-1][1][0], end))
        else:
            runs.append((chain, (start, end)))
    return runs
