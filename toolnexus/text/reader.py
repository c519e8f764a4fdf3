"""From block tokens to claims: every line that is not blank gets exactly one owner."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from toolnexus.text.bodies import (
    Body,
    holds_keep,
    is_comment,
    plain_body,
    quote_body,
    row_body,
    skip_marks,
    split_cells,
    words_start,
)
from toolnexus.text.fold import fold_claim
from toolnexus.text.inline import Inline, scan_definition, scan_inline
from toolnexus.text.plain import plain_text
from toolnexus.text.types import Claim, Document, Heading, Structure

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from toolnexus.text.blocks import Block
    from toolnexus.text.lines import Lines
    from toolnexus.text.types import ClaimKind, FrontMatter, Link, Problem, StructureKind

    Handler = Callable[[Sequence[Block], int], int]

_BLOCK_ID = re.compile(r"(?:^|\s)\^([A-Za-z0-9-]+)$")


@dataclass(slots=True)
class _Draft:
    """A claim whose lines are still being gathered; they count from 0, `last` is behind them."""

    kind: ClaimKind
    first: int
    last: int
    body: Body
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
    _is_under_heading: bool = False

    def read(self, tokens: Sequence[Block]) -> None:
        """Walk the tokens, then pick up the lines that no token speaks of."""
        self._owned = bytearray(len(self.lines))
        handlers = self._handlers()
        position = 0
        while position < len(tokens):
            kind = tokens[position].type
            handler = handlers.get(kind)
            if handler is None:
                position += 1
                continue
            if self._items and kind not in _OWN_LINES_GO_ON:
                self._items[-1].is_growing = False
            position = handler(tokens, position)
            # Comments between a heading and its pin do not part them.
            stays = kind == "html_block" and self._is_under_heading
            self._is_under_heading = kind == "heading_open" or stays
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
        texts = [claim.text for claim in claims if "^" in claim.text]
        return Document(
            front=front,
            headings=tuple(self._headings),
            claims=tuple(claims),
            structure=tuple(sorted(self._structure, key=lambda each: each.start)),
            links=tuple(sorted(self._links, key=lambda each: each.start)),
            block_ids=tuple(match[1] for text in texts if (match := _BLOCK_ID.search(text))),
            problems=problems,
        )

    def _handlers(self) -> dict[str, Handler]:
        """Return who reads which token; the others say nothing of their own."""
        return {
            "bullet_list_open": self._open_list,
            "ordered_list_open": self._open_list,
            "bullet_list_close": self._close_list,
            "ordered_list_close": self._close_list,
            "list_item_open": self._open_item,
            "list_item_close": self._close_item,
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

    def _open_list(self, tokens: Sequence[Block], position: int) -> int:
        self._lists.append(tokens[position].type == "ordered_list_open")
        return position + 1

    def _close_list(self, _tokens: Sequence[Block], position: int) -> int:
        self._lists.pop()
        return position + 1

    def _open_item(self, tokens: Sequence[Block], position: int) -> int:
        first, _ = self._span(tokens[position])
        self._items.append(_Item(first, self._lists[-1], list(self._path)))
        return position + 1

    def _close_item(self, _tokens: Sequence[Block], position: int) -> int:
        # A heading inside an item rules no further than the item.
        self._path = self._items.pop().path
        return position + 1

    # Claims

    def _paragraph(self, tokens: Sequence[Block], position: int) -> int:
        first, last = self._span(tokens[position])
        start = words_start(self.lines, first, last, tokens[position + 1].content)
        body = self._plain_body(max(start, self.offset), last)
        item = self._items[-1] if self._items else None
        if not body.words:
            self._add_structure("comment", first, last)
        elif item is None or not item.is_growing:
            self._add_claim("paragraph", first, last, body)
        elif item.draft < 0:
            item.draft = self._add_claim("item", item.first, last, body, ordered=item.ordered)
        else:
            self._grow(self._drafts[item.draft], last, body)
        return position + 3

    def _grow(self, draft: _Draft, last: int, body: Body) -> None:
        """Add a further paragraph to an item."""
        self._own(draft.last, last)
        words = f"{draft.body.words}\n{body.words}"
        draft.last, draft.body = last, Body(draft.body.start, body.end, words)
        draft.pinned = draft.pinned or body.pinned

    def _quote(self, tokens: Sequence[Block], position: int) -> int:
        first, last = self._span(tokens[position])
        start = self._start(first)
        mark = self.lines.text.index(">", start)
        comments: list[tuple[int, int]] = []
        seen = (-1, -1)
        level = tokens[position].level
        position += 1
        while tokens[position].type != "blockquote_close" or tokens[position].level != level:
            token = tokens[position]
            position += 1
            if token.type == "definition":
                self._keep_definition(*self._span(token))
            elif token.type in {"inline", "html_block"} and self._span(token) != seen:
                seen = self._span(token)  # the cells of a row share theirs
                found = self._scan(self._start(seen[0]), self.lines.end(seen[1] - 1))
                comments += found.comments
                if token.type == "inline":
                    self._links += found.links
        body = quote_body(self.lines, mark, self.lines.end(last - 1), comments)
        if body.start < body.end:
            self._add_claim("quote", first, last, body)
        else:
            self._add_structure("rule", first, last)
        return position + 1

    def _table_head(self, tokens: Sequence[Block], position: int) -> int:
        first, _ = self._span(tokens[position])
        self._row_cells(first)
        self._add_structure("table-head", first, first + 2)
        while tokens[position].type != "thead_close":
            position += 1
        return position + 1

    def _table_body(self, tokens: Sequence[Block], position: int) -> int:
        while tokens[position].type != "tbody_close":
            if tokens[position].type == "tr_open":
                line, _ = self._span(tokens[position])
                body = row_body(self.lines.text, *self._row_cells(line))
                if body.words:
                    self._add_claim("row", line, line + 1, body)
                else:
                    self._add_structure("rule", line, line + 1)
            position += 1
        return position + 1

    def _row_cells(self, line: int) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
        """Return the cells of a table's line and the comments in them; its links are kept."""
        cells = split_cells(self.lines.text, self._start(line), self.lines.end(line))
        comments: list[tuple[int, int]] = []
        for cell in cells:  # a code span ends where its cell does
            found = self._scan(*cell)
            comments += found.comments
            self._links += found.links
        return cells, comments

    # Structure

    def _heading(self, tokens: Sequence[Block], position: int) -> int:
        first, last = self._span(tokens[position])
        self._own(first, last)
        start, end = self._start(first), self.lines.start(last)
        found = self._scan(start, end)
        self._links += found.links
        level = int(tokens[position].tag[1:])
        self._path = [heading for heading in self._path if heading.level < level]
        pinned = any(heading.pinned for heading in self._path)
        pinned = pinned or holds_keep(self.lines.text, found.comments)
        text = plain_text(tokens[position + 1].content)
        heading = Heading(level, text, first + 1, start, end, pinned)
        self._headings.append(heading)
        self._path.append(heading)
        return position + 3

    def _code(self, tokens: Sequence[Block], position: int) -> int:
        self._add_structure("code", *self._span(tokens[position]))
        return position + 1

    def _rule(self, tokens: Sequence[Block], position: int) -> int:
        self._add_structure("rule", *self._span(tokens[position]))
        return position + 1

    def _html(self, tokens: Sequence[Block], position: int) -> int:
        first, last = self._span(tokens[position])
        text, start, end = self.lines.text, self._start(first), self.lines.end(last - 1)
        comments = scan_inline(text, start, end).comments
        is_comments = is_comment(text, start, end, comments)
        if is_comments and holds_keep(text, comments):
            self._pin(first)
        self._add_structure("comment" if is_comments else "html", first, last)
        return position + 1

    def _pin(self, line: int) -> None:
        """Pin what a ``<!-- keep -->`` alone on its line stands under."""
        if self._is_under_heading:
            self._path[-1] = self._headings[-1] = replace(self._path[-1], pinned=True)
        elif self._drafts and self._drafts[-1].last == line:
            self._drafts[-1].pinned = True

    def _definition(self, tokens: Sequence[Block], position: int) -> int:
        first, last = self._span(tokens[position])
        if self._is_footnote(tokens[position]):  # it says something
            start = self.lines.text.index("[", self._start(first))
            self._add_claim("paragraph", first, last, self._plain_body(start, last))
        else:
            self._keep_definition(first, last)
            self._add_structure("html", first, last)
        return position + 1

    @staticmethod
    def _is_footnote(token: Block) -> bool:
        return token.meta is not None and str(token.meta["label"]).startswith("^")

    def _keep_definition(self, first: int, last: int) -> None:
        self._links += scan_definition(self.lines, self._start(first), self.lines.end(last - 1))

    def _pick_up(self) -> None:
        """Own the lines without a token: empty items, and what is nested too deep to be parsed."""
        self._items.clear()
        self._path = []
        for line in range(self.first, len(self.lines)):
            if self._owned[line] or self.lines.is_blank(line):
                continue
            start = skip_marks(self.lines.text, self._start(line), self.lines.end(line))
            body = self._plain_body(start, line + 1)
            if body.words:
                self._add_claim("paragraph", line, line + 1, body)
            else:
                self._add_structure("rule", line, line + 1)

    # Lines and spans

    def _start(self, line: int) -> int:
        return max(self.lines.start(line), self.offset)

    def _span(self, token: Block) -> tuple[int, int]:
        """Return a token's lines in the file, without the blank ones at its end."""
        assert token.map is not None
        first, last = token.map[0] + self.first, min(token.map[1] + self.first, len(self.lines))
        while last > first + 1 and self.lines.is_blank(last - 1):
            last -= 1
        return first, last

    def _own(self, first: int, last: int) -> None:
        self._owned[first:last] = b"\1" * (last - first)

    def _scan(self, start: int, end: int) -> Inline:
        text = self.lines.text
        if text.find("[", start, end) < 0 and text.find("<!--", start, end) < 0:
            return Inline()
        return scan_inline(text, start, end, self.lines.number_at)

    def _plain_body(self, start: int, last: int) -> Body:
        """Return the words from `start` to the end of the line before `last`; links are kept."""
        end = max(start, self.lines.end(last - 1))
        found = self._scan(start, end)
        self._links += found.links
        return plain_body(self.lines.text, start, end, found.comments)

    # Results

    def _add_claim(
        self, kind: ClaimKind, first: int, last: int, body: Body, *, ordered: bool = False
    ) -> int:
        self._own(first, last)
        items = self._items[:-1] if kind == "item" else self._items
        parent = next((item.draft for item in reversed(items) if item.draft >= 0), -1)
        path = tuple(heading.text for heading in self._path)
        pinned = body.pinned or any(heading.pinned for heading in self._path)
        self._drafts.append(_Draft(kind, first, last, body, path, parent, ordered, pinned))
        return len(self._drafts) - 1

    def _add_structure(self, kind: StructureKind, first: int, last: int) -> None:
        self._own(first, last)
        start, end = self._start(first), self.lines.start(last)
        self._structure.append(Structure(kind, start, end, first + 1))

    def _claim(self, draft: _Draft, parent: int, *, pinned: bool) -> Claim:
        text = " ".join(draft.body.words.split())
        return Claim(
            kind=draft.kind,
            start=self._start(draft.first),
            end=self.lines.start(draft.last),
            body_start=draft.body.start,
            body_end=draft.body.end,
            line=draft.first + 1,
            end_line=draft.last,
            text=text,
            fold=fold_claim(text),
            headings=draft.headings,
            parent=parent,
            ordered=draft.ordered,
            pinned=pinned,
        )


_OWN_LINES_GO_ON = frozenset(
    {
        "paragraph_open",
        "list_item_open",
        "list_item_close",
        "bullet_list_close",
        "ordered_list_close",
    }
)
