"""From block tokens to claims: every line that is not blank gets exactly one owner."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from toolnexus.text.fold import fold_claim
from toolnexus.text.inline import Inline, link_destination, markdown_link, scan_inline
from toolnexus.text.plain import plain_text
from toolnexus.text.types import Claim, Document, Heading, Structure

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from markdown_it.token import Token

    from toolnexus.text.lines import Lines
    from toolnexus.text.types import ClaimKind, FrontMatter, Link, Problem, StructureKind

_KEEP = re.compile(r"<!--\s*keep\s*-->", re.IGNORECASE)
_QUOTE_MARKS = re.compile(r"[ \t]*(?:>[ \t]*)*")
_LIST_MARKS = re.compile(r"[ \t]*(?:(?:[-+*>]|\d{1,9}[.)])(?:[ \t]+|$)|>)*")
_PIPE = re.compile(r"(?<!\\)\|")
_BLOCK_ID = re.compile(r"(?:^|\s)\^([A-Za-z0-9-]+)$")
_DEFINITION = re.compile(r"\[(?:\\.|[^\]\\])*\]:\s*", re.DOTALL)


@dataclass(slots=True)
class _Draft:
    """A claim while its lines are still being gathered; lines count from 0, `last` is behind."""

    kind: ClaimKind
    first: int
    last: int
    body_start: int
    body_end: int
    words: list[str]
    headings: tuple[str, ...]
    parent: int
    ordered: bool
    pinned: bool


@dataclass(slots=True)
class _Item:
    """A list item that is open; its own lines end where anything but a paragraph begins."""

    first: int
    ordered: bool
    path: list[Heading]
    draft: int = -1
    is_growing: bool = True


@dataclass(slots=True)
class _Body:
    """Where a claim's words lie, and what stands among them."""

    start: int
    end: int
    pinned: bool


@dataclass(slots=True)
class BodyReader:
    """Reads a body's block tokens.

    Args:
        lines: The lines of the whole file.
        first: The index of the body's first line.
        offset: Where the body begins.
    """

    lines: Lines
    first: int
    offset: int
    _drafts: list[_Draft] = field(default_factory=list)
    _headings: list[Heading] = field(default_factory=list)
    _structure: list[Structure] = field(default_factory=list)
    _links: list[Link] = field(default_factory=list)
    _items: list[_Item] = field(default_factory=list)
    _lists: list[bool] = field(default_factory=list)
    _path: list[Heading] = field(default_factory=list)
    _owned: bytearray = field(default_factory=bytearray)
    _under_heading: bool = False

    def read(self, tokens: list[Token]) -> None:
        """Walk the tokens, then pick up the lines that no token speaks of."""
        self._owned = bytearray(len(self.lines))
        handlers = self._handlers()
        position = 0
        while position < len(tokens):
            token = tokens[position]
            handler = handlers.get(token.type)
            if handler is None:
                position += 1
                continue
            position = handler(tokens, position)
            if token.type not in _TRANSPARENT:
                self._under_heading = token.type == "heading_open" or (
                    self._under_heading and token.type == "html_block"
                )
        self._pick_up()

    def document(self, front: FrontMatter, problems: tuple[Problem, ...]) -> Document:
        """Return what was read."""
        order = sorted(range(len(self._drafts)), key=lambda index: self._drafts[index].first)
        places = {draft: place for place, draft in enumerate(order)}
        claims: list[Claim] = []
        for index in order:
            draft = self._drafts[index]
            parent = places.get(draft.parent, -1)
            pinned = draft.pinned or (parent >= 0 and claims[parent].pinned)
            claims.append(self._claim(draft, parent, pinned=pinned))
        return Document(
            front=front,
            headings=tuple(self._headings),
            claims=tuple(claims),
            structure=tuple(sorted(self._structure, key=lambda each: each.start)),
            links=tuple(sorted(self._links, key=lambda each: each.start)),
            block_ids=tuple(self._block_ids(claims)),
            problems=problems,
        )

    def _handlers(self) -> dict[str, Callable[[list[Token], int], int]]:
        return {
            "bullet_list_open": self._list_open,
            "ordered_list_open": self._list_open,
            "bullet_list_close": self._list_close,
            "ordered_list_close": self._list_close,
            "list_item_open": self._item_open,
            "list_item_close": self._item_close,
            "paragraph_open": self._paragraph,
            "heading_open": self._heading,
            "blockquote_open": self._quote,
            "fence": self._code,
            "code_block": self._code,
            "hr": self._rule,
            "html_block": self._html,
            "definition": self._definition,
            "thead_open": self._table_head,
            "tbody_open": self._table_body,
        }

    # Containers

    def _list_open(self, tokens: list[Token], position: int) -> int:
        self._end_own_lines()
        self._lists.append(tokens[position].type == "ordered_list_open")
        return position + 1

    def _list_close(self, _tokens: list[Token], position: int) -> int:
        self._lists.pop()
        return position + 1

    def _item_open(self, tokens: list[Token], position: int) -> int:
        first, _ = self._span(tokens[position])
        self._items.append(_Item(first, self._lists[-1], list(self._path)))
        return position + 1

    def _item_close(self, _tokens: list[Token], position: int) -> int:
        # A heading inside an item rules no further than the item.
        self._path = self._items.pop().path
        return position + 1

    def _end_own_lines(self) -> None:
        if self._items:
            self._items[-1].is_growing = False

    # Claims

    def _paragraph(self, tokens: list[Token], position: int) -> int:
        first, last = self._span(tokens[position])
        start = self._words_start(first, last, tokens[position + 1].content)
        body = self._body(start, last)
        item = self._items[-1] if self._items else None
        if body.end <= body.start:
            self._add_structure("comment", first, last)
        elif item is None or not item.is_growing:
            self._add_claim("paragraph", first, last, body)
        elif item.draft < 0:
            item.draft = self._add_claim("item", item.first, last, body, ordered=item.ordered)
        else:
            self._grow(self._drafts[item.draft], last, body)
        return position + 3

    def _grow(self, draft: _Draft, last: int, body: _Body) -> None:
        self._own(draft.last, last)
        draft.last, draft.body_end = last, body.end
        draft.words.append(self._text[body.start : body.end])
        draft.pinned = draft.pinned or body.pinned

    def _quote(self, tokens: list[Token], position: int) -> int:
        self._end_own_lines()
        first, last = self._span(tokens[position])
        level = tokens[position].level
        found = Inline()
        seen = (-1, -1)
        position += 1
        while not (tokens[position].type == "blockquote_close" and tokens[position].level == level):
            token = tokens[position]
            position += 1
            if token.type == "definition":
                self._link_definition(*self._span(token))
            elif token.type in {"inline", "html_block"} and self._span(token) != seen:
                seen = self._span(token)  # the cells of a row share theirs
                inner = self._scan(self._start(seen[0]), self.lines.end(seen[1] - 1))
                found.comments += inner.comments
                if token.type == "inline":
                    found.links += inner.links
        self._add_quote(first, last, found)
        return position + 1

    def _add_quote(self, first: int, last: int, found: Inline) -> None:
        self._keep_links(found.links)
        mark = self._text.index(">", self._start(first))
        pinned = any(self._is_keep(span) for span in found.comments)
        ends = {end: start for start, end in found.comments}
        end = self.lines.end(last - 1)
        while mark < end:  # drop blanks, comments and lines that are marks alone from the end
            trimmed = len(self._text[:end].rstrip(" \t\r\n"))
            end = ends.get(trimmed, trimmed)
            index = self.lines.number_at(end - 1) - 1
            begin = max(self._start(index), mark)
            if _QUOTE_MARKS.fullmatch(self._text, begin, end):
                end = begin
            elif end == trimmed:
                break
        words = [
            _QUOTE_MARKS.sub("", line, count=1)
            for line in self._text[mark:end].replace("\r", "\n").split("\n")
        ]
        start = mark + len(_LEADING_MARKS.match(self._text, mark, max(mark, end)).group())
        if start >= end:
            self._add_structure("rule", first, last)
            return
        draft = self._add_claim("quote", first, last, _Body(start, end, pinned))
        self._drafts[draft].words = words

    def _table_head(self, tokens: list[Token], position: int) -> int:
        self._end_own_lines()
        first, _ = self._span(tokens[position])
        for start, end in _cells(self._text, self._start(first), self.lines.end(first)):
            self._keep_links(self._scan(start, end).links)
        self._add_structure("table-head", first, first + 2)
        while tokens[position].type != "thead_close":
            position += 1
        return position + 1

    def _table_body(self, tokens: list[Token], position: int) -> int:
        while tokens[position].type != "tbody_close":
            if tokens[position].type == "tr_open":
                self._row(self._span(tokens[position])[0])
            position += 1
        return position + 1

    def _row(self, line: int) -> None:
        cells = _cells(self._text, self._start(line), self.lines.end(line))
        bodies: list[_Body] = []
        for start, end in cells:
            found = self._scan(start, end)
            self._keep_links(found.links)
            pinned = any(self._is_keep(span) for span in found.comments)
            bodies.append(_Body(start, self._trim(start, end, found.comments), pinned))
        pinned = any(body.pinned for body in bodies)
        while bodies and bodies[-1].start == bodies[-1].end != cells[len(bodies) - 1][1]:
            bodies.pop()  # a cell of comments alone
        words = [self._text[body.start : body.end].replace("\\|", "|") for body in bodies]
        if not any(words):
            self._add_structure("rule", line, line + 1)
            return
        body = _Body(bodies[0].start, bodies[-1].end, pinned)
        draft = self._add_claim("row", line, line + 1, body)
        self._drafts[draft].words = [" | ".join(words)]

    # Structure

    def _heading(self, tokens: list[Token], position: int) -> int:
        self._end_own_lines()
        first, last = self._span(tokens[position])
        self._own(first, last)
        start, end = self._start(first), self.lines.start(last)
        found = self._scan(start, end)
        self._keep_links(found.links)
        level = int(tokens[position].tag[1:])
        self._path = [heading for heading in self._path if heading.level < level]
        pinned = any(heading.pinned for heading in self._path) or any(
            self._is_keep(span) for span in found.comments
        )
        text = plain_text(tokens[position + 1].content)
        heading = Heading(level, text, first + 1, start, end, pinned)
        self._headings.append(heading)
        self._path.append(heading)
        return position + 3

    def _code(self, tokens: list[Token], position: int) -> int:
        self._end_own_lines()
        self._add_structure("code", *self._span(tokens[position]))
        return position + 1

    def _rule(self, tokens: list[Token], position: int) -> int:
        self._end_own_lines()
        self._add_structure("rule", *self._span(tokens[position]))
        return position + 1

    def _html(self, tokens: list[Token], position: int) -> int:
        self._end_own_lines()
        first, last = self._span(tokens[position])
        start, end = self._start(first), self.lines.end(last - 1)
        comments = scan_inline(self._text, start, end).comments
        source = self._text[start:end]
        rest = source
        for span in reversed(comments):
            rest = rest[: span[0] - start] + rest[span[1] - start :]
        is_comment = not _LIST_MARKS.sub("", rest, count=1).strip() or (
            "-->" not in source and "<!--" in source[: source.find("<") + 4]
        )
        if is_comment and any(self._is_keep(span) for span in comments):
            self._pin(first)
        self._add_structure("comment" if is_comment else "html", first, last)
        return position + 1

    def _pin(self, line: int) -> None:
        """Pin what a ``<!-- keep -->`` alone on its line stands under."""
        if self._under_heading:
            pinned = replace(self._path[-1], pinned=True)
            self._path[-1] = self._headings[-1] = pinned
        elif self._drafts and self._drafts[-1].last == line:
            self._drafts[-1].pinned = True

    def _definition(self, tokens: list[Token], position: int) -> int:
        self._end_own_lines()
        first, last = self._span(tokens[position])
        if str(tokens[position].meta["label"]).startswith("^"):  # a footnote is a claim
            start = self._text.index("[", self._start(first))
            self._add_claim("paragraph", first, last, self._body(start, last))
        else:
            self._link_definition(first, last)
            self._add_structure("html", first, last)
        return position + 1

    def _link_definition(self, first: int, last: int) -> None:
        end = self.lines.end(last - 1)
        match = _DEFINITION.search(self._text, self._start(first), end)
        found = match and link_destination(self._text, match.end(), end)
        if match is None or not found:
            return
        spot, destination, behind = found
        label = match.group().strip()[1:-2]
        link = markdown_link("markdown", (match.start(), behind), label, spot, destination)
        if link is not None:
            self._keep_links([link])

    def _pick_up(self) -> None:
        """Own the lines without a token: empty items, and what is nested too deep to be parsed."""
        self._items.clear()
        self._path = []
        for line in range(self.first, len(self.lines)):
            if self._owned[line] or self.lines.is_blank(line):
                continue
            start = self._start(line)
            marks = _LIST_MARKS.match(self._text, start, self.lines.end(line))
            body = self._body(start if marks is None else marks.end(), line + 1)
            if body.end <= body.start:
                self._add_structure("rule", line, line + 1)
            else:
                self._add_claim("paragraph", line, line + 1, body)

    # Lines and spans

    @property
    def _text(self) -> str:
        return self.lines.text

    def _start(self, line: int) -> int:
        return max(self.lines.start(line), self.offset)

    def _span(self, token: Token) -> tuple[int, int]:
        """Return a token's lines in the file, without the blank ones at its end."""
        assert token.map is not None
        first, last = token.map[0] + self.first, min(token.map[1] + self.first, len(self.lines))
        while last > first + 1 and self.lines.is_blank(last - 1):
            last -= 1
        return first, last

    def _own(self, first: int, last: int) -> None:
        self._owned[first:last] = b"\1" * (last - first)

    def _words_start(self, first: int, last: int, content: str) -> int:
        """Return where a paragraph's words begin: its first line's end is what the parser kept."""
        head = content.partition("\n")[0].strip()
        for line in range(first, last):
            source = self._text[self._start(line) : self.lines.end(line)].rstrip()
            if source.replace("\0", "\ufffd").endswith(head):
                return self._start(line) + len(source) - len(head)
        return self._start(first)

    def _body(self, start: int, last: int) -> _Body:
        """Return the words from `start` to the end of line `last` - 1, trailing comments left out."""
        end = max(start, self.lines.end(last - 1))
        found = self._scan(start, end)
        self._keep_links(found.links)
        pinned = any(self._is_keep(span) for span in found.comments)
        return _Body(start, self._trim(start, end, found.comments), pinned)

    def _trim(self, start: int, end: int, comments: list[tuple[int, int]]) -> int:
        ends = {behind: begin for begin, behind in comments}
        while end > start:
            while end > start and self._text[end - 1].isspace():
                end -= 1
            if end not in ends:
                return end
            end = ends[end]
        return start

    def _scan(self, start: int, end: int) -> Inline:
        if self._text.find("[", start, end) < 0 and self._text.find("<!--", start, end) < 0:
            return Inline()
        return scan_inline(self._text, start, end)

    def _is_keep(self, span: tuple[int, int]) -> bool:
        return _KEEP.fullmatch(self._text, *span) is not None

    # Results

    def _add_claim(
        self, kind: ClaimKind, first: int, last: int, body: _Body, *, ordered: bool = False
    ) -> int:
        self._own(first, last)
        if kind != "item":
            self._end_own_lines()
        items = self._items[:-1] if kind == "item" else self._items
        parent = next((item.draft for item in reversed(items) if item.draft >= 0), -1)
        self._drafts.append(
            _Draft(
                kind=kind,
                first=first,
                last=last,
                body_start=body.start,
                body_end=body.end,
                words=[self._text[body.start : body.end]],
                headings=tuple(heading.text for heading in self._path),
                parent=parent,
                ordered=ordered,
                pinned=body.pinned or any(heading.pinned for heading in self._path),
            )
        )
        return len(self._drafts) - 1

    def _add_structure(self, kind: StructureKind, first: int, last: int) -> None:
        self._own(first, last)
        start, end = self._start(first), self.lines.start(last)
        self._structure.append(Structure(kind, start, end, first + 1))

    def _keep_links(self, links: list[Link]) -> None:
        for link in links:
            self._links.append(replace(link, line=self.lines.number_at(link.start)))

    def _claim(self, draft: _Draft, parent: int, *, pinned: bool) -> Claim:
        text = " ".join(" ".join(draft.words).split())
        return Claim(
            kind=draft.kind,
            start=self._start(draft.first),
            end=self.lines.start(draft.last),
            body_start=draft.body_start,
            body_end=draft.body_end,
            line=draft.first + 1,
            end_line=draft.last,
            text=text,
            fold=fold_claim(text),
            headings=draft.headings,
            parent=parent,
            ordered=draft.ordered,
            pinned=pinned,
        )

    def _block_ids(self, claims: list[Claim]) -> Iterator[str]:
        for claim in claims:
            if "^" in claim.text and (match := _BLOCK_ID.search(claim.text)):
                yield match.group(1)


_LEADING_MARKS = re.compile(r"[ \t\r\n>]*")
_TRANSPARENT = frozenset(
    {"bullet_list_close", "ordered_list_close", "list_item_close"},
)


def _cells(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """Split a table's line at its pipes; the empty ends outside the outer pipes are no cells."""
    bounds = [start - 1, *(pipe.start() for pipe in _PIPE.finditer(text, start, end)), end]
    cells: list[tuple[int, int]] = []
    for left, right in zip(bounds, bounds[1:], strict=False):
        inner = text[left + 1 : right]
        begin = left + 1 + len(inner) - len(inner.lstrip())
        cells.append((min(begin, right), max(left + 1 + len(inner.rstrip()), min(begin, right))))
    if len(cells) > 1 and cells[0][0] == cells[0][1]:
        cells.pop(0)
    if len(cells) > 1 and cells[-1][0] == cells[-1][1]:
        cells.pop()
    return cells
