"""Places: where a block of lines is put in a text, and what is left when one is taken out."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from toolnexus.home.leads import is_lead
from toolnexus.text.document import parse_document
from toolnexus.text.edits import apply_edits
from toolnexus.text.fold import fold_claim
from toolnexus.text.lines import detect_newline

if TYPE_CHECKING:
    from collections.abc import Sequence

    from toolnexus.text.types import Claim, Document, Heading

_ITEM = re.compile(r"[ \t]*(?:[-*+]|\d{1,9}[.)])(?:[ \t]|$)")
_BLANK_RUN = re.compile(r"(?:[ \t]*(?:\r\n|\n|\r))*\Z")


def put_under(text: str, headings: Sequence[str], block: str) -> str:
    """Put a block of lines at the end of the section under a chain of headings.

    Args:
        text: The file.
        headings: The chain, outermost first; those that the file lacks are added. Empty for the
            part before the first section.
        block: Whole lines. Their line endings become the file's.

    Returns:
        The text with the block in it; every other byte is as it was.
    """
    newline = detect_newline(text)
    block = re.sub(r"\r\n|\r|\n", newline, block.strip("\r\n"))
    block = block + newline if block else ""
    document = parse_document(text)
    section = _Section.of_file(document, text)
    missing = list(headings)
    while missing and (inner := section.child(missing[0])) is not None:
        section = inner
        missing.pop(0)
    if missing:
        lines = []
        for depth, heading in enumerate(missing, section.level + 1):
            lines.append(f"{'#' * min(max(depth, 2), 6)} {heading}{newline}{newline}")
        lines[-1] = lines[-1] if block else lines[-1].removesuffix(newline)
        return _insert(text, section.end, "".join(lines) + block, newline, apart=True)
    lead = section.first_lead()
    if lead is not None:
        before = _insert(text[: lead.start], lead.start, block, newline, apart=True)
        return before + newline + text[lead.start :]
    return _insert(
        text, section.own_end, block, newline, apart=not _continues(text, section, block)
    )


def take_out(text: str, spans: Sequence[tuple[int, int, str]]) -> str:
    """Take stretches of whole lines out of a text, each leaving a replacement (often empty).

    Headings that this empties go as well; see `cut_out` for the blank lines.
    """
    emptied = _emptied_headings(parse_document(text), spans)
    return cut_out(text, [*spans, *((heading.start, heading.end, "") for heading in emptied)])


def cut_out(text: str, spans: Sequence[tuple[int, int, str]]) -> str:
    """Take stretches of whole lines out of a text, each leaving a replacement (often empty).

    The blank lines around a stretch that left nothing become those of one gap; headings stay.
    """
    return apply_edits(text, _joined([_widened(text, *span) for span in spans]))


def subtree_span(document: Document, index: int) -> tuple[int, int]:
    """Return the span of a claim's lines with those of all claims nested in it."""
    claim = document.claims[index]
    end = claim.end
    inside = {index}
    for number in range(index + 1, len(document.claims)):
        if document.claims[number].parent not in inside:
            break
        inside.add(number)
        end = max(end, document.claims[number].end)
    return claim.start, end


def descendants(document: Document, index: int) -> list[int]:
    """Return the numbers of the claims nested in a claim, at any depth."""
    inside = [index]
    for number in range(index + 1, len(document.claims)):
        if document.claims[number].parent not in inside:
            break
        inside.append(number)
    return inside[1:]


class _Section:
    """The stretch of a file that a heading governs; level 0 and 1 stand for the file itself."""

    def __init__(self, document: Document, text: str, place: int, level: int) -> None:
        self.document = document
        self.place = place  # index of the heading; -1 for the file
        self.level = level
        headings = document.headings
        later = [h for h in headings[place + 1 :] if h.level <= level]
        self.end = later[0].start if later and place >= 0 else len(text)
        self.text = text

    @classmethod
    def of_file(cls, document: Document, text: str) -> _Section:
        """Return the whole file as a section; a level-1 heading at its top belongs to it."""
        section = cls(document, text, -1, 0)
        if document.headings and document.headings[0].level == 1:
            section.level = 1
        return section

    @property
    def start(self) -> int:
        """Where the section's own text begins."""
        if self.place >= 0:
            return self.document.headings[self.place].end
        first = self.document.headings[0] if self.document.headings else None
        if first is not None and first.level == 1:
            return first.end
        return self.document.front.end or (1 if self.text.startswith("\ufeff") else 0)

    @property
    def own_end(self) -> int:
        """Where the section's own text ends: before its first sub-section."""
        inner = self._inner()
        return inner[0].start if inner else self.end

    def _inner(self) -> list[Heading]:
        first = self.place + 1
        headings = self.document.headings
        if self.place < 0 and headings and headings[0].level == 1:
            first = 1
        return [heading for heading in headings[first:] if heading.start < self.end]

    def child(self, name: str) -> _Section | None:
        """Return the sub-section of a name right below; None when there is none."""
        wanted = fold_claim(name)
        above = 7  # a heading deeper than one before it lies in that one's section
        for heading in self._inner():
            if heading.level > above:
                continue
            above = heading.level
            if above > self.level and fold_claim(heading.text) == wanted:
                place = self.document.headings.index(heading)
                return _Section(self.document, self.text, place, heading.level)
        return None

    def first_lead(self) -> Claim | None:
        """Return the first line of the section that announces something; None when none does.

        What is added must stand before it, so that it is not read as what was announced.
        """
        claims = [c for c in self.document.claims if self.start <= c.start < self.own_end]
        roots = [claim for claim in claims if claim.parent < 0]
        leads = [claim for claim in roots if is_lead(claim)]
        return leads[0] if leads else None

    def last_claim(self) -> Claim | None:
        """Return the last claim of the section's own text, when nothing stands behind it."""
        claims = [c for c in self.document.claims if self.start <= c.start < self.own_end]
        last = max(claims, key=lambda claim: claim.end, default=None)
        blocks = [s for s in self.document.structure if self.start <= s.start < self.own_end]
        if last is None or any(block.start >= last.end for block in blocks):
            return None
        return last


def _continues(text: str, section: _Section, block: str) -> bool:
    """Whether a block goes on with the list that the section ends with."""
    last = section.last_claim()
    if last is None or not _ITEM.match(block):
        return False
    root = last
    while root.parent >= 0:
        root = section.document.claims[root.parent]
    return root.kind == "item" and _ITEM.match(text[root.start : root.body_start + 1]) is not None


def _insert(text: str, at: int, block: str, newline: str, *, apart: bool) -> str:
    """Insert a block behind the last line with something on it before an offset."""
    blanks = _BLANK_RUN.search(text, 0, at)
    place = blanks.start() if blanks else at
    if place and text[place - 1] not in "\r\n\ufeff":
        line_end = text.find("\n", place, at)
        place = at if line_end < 0 else line_end + 1
    before, after = text[:place], text[place:]
    bare = not before.strip("\ufeff")
    if not bare and not before.endswith(("\n", "\r")):
        before += newline
    if apart and not bare:
        before += newline
    if after.strip() and not re.match(r"[ \t]*(?:\r\n|\n|\r)", after):
        block += newline
    return before + block + (after if after.strip() else "")


def _emptied_headings(document: Document, spans: Sequence[tuple[int, int, str]]) -> list[Heading]:
    """Find the headings whose sections hold nothing any more once the spans are gone."""
    gone = [(start, end) for start, end, left in spans if not left]

    def is_gone(at: int) -> bool:
        return any(start <= at < end for start, end in gone)

    alive = [c.start for c in document.claims if not is_gone(c.start)]
    alive += [s.start for s in document.structure]
    emptied = []
    for place, heading in enumerate(document.headings):
        later = (h.start for h in document.headings[place + 1 :] if h.level <= heading.level)
        end = next(later, None)
        touched = any(heading.end <= start and (end is None or start < end) for start, _ in gone)
        lives = any(heading.end <= at and (end is None or at < end) for at in alive)
        names_file = place == 0 and heading.level == 1
        if touched and not lives and not names_file and not heading.pinned:
            emptied.append(heading)
    return emptied


def _widened(text: str, start: int, end: int, left: str) -> tuple[int, int, str]:
    """Take the blank lines behind a stretch along when nothing is left and a gap stands before."""
    if left:
        return start, end, left
    before = text[:start]
    if not before or re.search(r"(?:\A|\n|\r)[ \t]*(?:\r\n|\n|\r)\Z", before):
        while (gap := re.compile(r"[ \t]*(?:\r\n|\n|\r)").match(text, end)) is not None:
            end = gap.end()
    return start, end, ""


def _joined(edits: list[tuple[int, int, str]]) -> list[tuple[int, int, str]]:
    """Join stretches that touch or overlap, so that each byte is edited once."""
    joined: list[tuple[int, int, str]] = []
    for start, end, left in sorted(edits):
        if joined and start < joined[-1][1]:
            first, last, kept = joined[-1]
            joined[-1] = (first, max(last, end), kept + left)
        else:
            joined.append((start, end, left))
    return joined
