"""Folding: when two claims say the same words, whatever their type, emphasis or link labels.

Numbers, names and negations are words like all others: folding drops none.
"""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

from toolnexus.text.inline import scan_inline
from toolnexus.text.slug import fold_name

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from toolnexus.text.types import Link

_MARKER = re.compile(r"(?:[-*+•]\s+)+")
# What takes the long way: all marks but those of a wikilink.
_MARKUP = re.compile(r"[*_~=`\\<]|!\[|\]\(")
_WIKILINK = re.compile(r"\[\[([^\[\]\r\n]+)\]\]")
# What folds to itself, as is plain to see: no mark left but whole links without a label.
_SETTLED = re.compile(r"(?:[a-z0-9 .,;:!?'\"()/%&$#@+-]|\[\[[a-z0-9/.#-]+\]\])*")
_CLUSTER = re.compile(r"[*_~=]+")
_RUN = re.compile(r"\*+|_+|~+|=+")
_MARKS = frozenset("*_~=")


def fold_claim(text: str, resolve: Callable[[str], str] | None = None) -> str:
    """Fold a claim's words for comparison; folding twice is folding once.

    Case, compatibility forms, a bullet in front, emphasis, white space and one final ``.`` do not
    count. A link is reduced to ``[[target]]`` (with its anchor), its label dropped. The marker of a
    numbered list is kept, because "3. May" and "4. May" differ.

    Args:
        text: The claim's words.
        resolve: Gives the name that a link's target stands for; by default the folded target.

    Example:
        >>> fold_claim("- Lives in **Paris**, see [[Trips|there]].")
        'lives in paris, see [[trips]]'
    """
    # A resolver's answer is final, so that what it gave is not folded again.
    settle = fold_target if resolve is None else str
    resolve = resolve or fold_target
    if text.isascii() and not _MARKUP.search(text):
        folded = _fold_simple(text, resolve)
    else:
        folded = _fold_once(text, resolve)
    if _SETTLED.fullmatch(folded):
        return folded
    while (again := _fold_once(folded, settle)) != folded:
        folded = again
    return folded


def fold_target(target: str) -> str:
    """Fold a link's target: as a name, without ``.md``.

    Example:
        >>> fold_target("Trips.md")
        'trips'
    """
    return fold_name(target).removesuffix(".md")


def _fold_simple(text: str, resolve: Callable[[str], str]) -> str:
    """Fold ASCII words without marks; wikilinks may stand among them."""
    if "[[" not in text:
        return _trim(text.lower())

    pieces = _WIKILINK.split(text.lower())
    written = _WIKILINK.findall(text)
    for number, inner in enumerate(written):
        target, _, anchor = inner.partition("|")[0].partition("#")
        link = _render(target.strip(), anchor.strip(), resolve)
        pieces[2 * number + 1] = link or f"[[{inner.lower()}]]"
    return _trim("".join(pieces))


def _render(target: str, anchor: str, resolve: Callable[[str], str]) -> str:
    """Write a link as it is compared; nothing when it leads nowhere."""
    name = resolve(target) if target else ""
    tail = f"#{fold_name(anchor)}" if anchor else ""
    return f"[[{name}{tail}]]" if target or tail else ""


def _fold_once(text: str, resolve: Callable[[str], str]) -> str:
    text = unicodedata.normalize("NFKC", text).replace("\0", "\ufffd")
    found = scan_inline(text, 0, len(text))
    # A stand-in keeps links and code out of reach of the rules for running text.
    held: list[str] = []
    parts: list[str] = []
    position = 0
    for start, end, folded in _held(text, found.links, found.code, resolve):
        if start < position:  # an image inside a link's text
            continue
        parts += [text[position:start], "\0"]
        held.append(folded)
        position = end
    parts.append(text[position:])
    folded = _trim(strip_emphasis(_fold_case("".join(parts))))
    pieces = folded.split("\0")
    return "".join(piece + kept for piece, kept in zip(pieces, [*held, ""], strict=True))


def _held(
    text: str,
    links: list[Link],
    code: list[tuple[int, int]],
    resolve: Callable[[str], str],
) -> Iterator[tuple[int, int, str]]:
    """Yield the stretches that fold on their own, in order."""
    spans = [(start, end, " ".join(_fold_case(text[start:end]).split())) for start, end in code]
    for link in links:
        bang = "!" if link.kind == "embed" else ""
        folded = bang + _render(link.target, link.anchor, resolve)
        spans.append((link.start, link.end, folded))
    spans.sort()
    yield from spans


def _fold_case(text: str) -> str:
    return unicodedata.normalize("NFKC", text.casefold())


def _trim(text: str) -> str:
    text = " ".join(text.split())
    if marker := _MARKER.match(text):
        text = text[marker.end() :]
    while text.endswith(".") and not text.endswith(".."):
        text = text[:-1].rstrip()
    return text


def strip_emphasis(text: str) -> str:
    """Drop the marks of emphasis that come in pairs around words; those inside words stay.

    Example:
        >>> strip_emphasis("**bold**, _it_, ~~gone~~, ==lit==, snake_case_name, 3 * 4 * 5")
        'bold, it, gone, lit, snake_case_name, 3 * 4 * 5'
    """
    if not _MARKS.intersection(text):
        return text
    openers: dict[str, list[list[int]]] = {mark: [] for mark in _MARKS}
    dropped: set[int] = set()
    for cluster in _CLUSTER.finditer(text):
        before = text[cluster.start() - 1] if cluster.start() else " "
        after = text[cluster.end()] if cluster.end() < len(text) else " "
        closes = not before.isspace() and not after.isalnum()
        opens = not after.isspace() and not before.isalnum()
        for run in _RUN.finditer(text, *cluster.span()):
            mark, at, left = run.group()[0], run.start(), len(run.group())
            if mark in "~=" and left != 2:
                continue
            if closes:
                left = _close_runs(openers[mark], at, left, dropped)
            if opens and left:
                openers[mark].append([run.end() - left, left])
    return "".join(char for index, char in enumerate(text) if index not in dropped)


def _close_runs(openers: list[list[int]], at: int, size: int, dropped: set[int]) -> int:
    """Pair a closing run with open ones, nearest first, and return what is left of it."""
    while size and openers:
        start, open_size = openers[-1]
        used = min(size, open_size)
        dropped.update(range(start + open_size - used, start + open_size))
        dropped.update(range(at, at + used))
        at, size = at + used, size - used
        if used == open_size:
            openers.pop()
        else:
            openers[-1][1] = open_size - used
    return size
