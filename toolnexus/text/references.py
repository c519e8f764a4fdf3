"""References: links written as ``[words][label]``, with their targets defined elsewhere."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from toolnexus.text.blocks import fold_label, read_definitions
from toolnexus.text.inline import scan_inline
from toolnexus.text.lines import Lines

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    Span = tuple[int, int]

# The second part names the label; the first does where the second is empty or not there.
_USE = re.compile(r"\[((?:\\.|[^\[\]\\])+)\](?:\[((?:\\.|[^\[\]\\])*)\]|(?![(:]))")


@dataclass(frozen=True, slots=True)
class Definition:
    """A definition of a reference, ``[label]: target "title"``.

    Attributes:
        target: Where it leads, percent-encoded as Markdown has it.
        start: Offset of its first line; `end` is behind its last, line ending included.
    """

    target: str
    start: int
    end: int


def definitions_in(text: str) -> Mapping[str, Definition]:
    r"""Return a text's definitions by folded label.

    Example:
        >>> definitions_in("See [tea].\n\n[Tea]: memory/tea.md\n")
        {'TEA': Definition(target='memory/tea.md', start=12, end=33)}
    """
    lines = Lines(text)
    return {
        label: Definition(target, lines.start(first), lines.start(behind))
        for label, (target, first, behind) in read_definitions(text).items()
    }


def labels_used(text: str, spans: Iterable[Span]) -> frozenset[str]:
    """Return the labels that stretches of a text may use, folded; what is in code uses none.

    Example:
        >>> sorted(labels_used("Green [tea][t], [Honey][], [milk] and `[code]`.", [(0, 50)]))
        ['HONEY', 'MILK', 'T']
    """
    return frozenset(_label(use) for start, end in spans for use in _uses(text, start, end))


def inlined(text: str, definitions: Mapping[str, Definition]) -> str:
    """Return a text with its references written as links of their own.

    Example:
        >>> inlined("Green [tea][t].", {"T": Definition("memory/tea.md", 0, 0)})
        'Green [tea](<memory/tea.md>).'
    """
    parts: list[str] = []
    at = 0
    for use in _uses(text, 0, len(text)):
        definition = definitions.get(_label(use))
        if definition is not None:
            parts += [text[at : use.start()], f"[{use[1]}](<{definition.target}>)"]
            at = use.end()
    return "".join([*parts, text[at:]])


def _uses(text: str, start: int, end: int) -> Iterator[re.Match[str]]:
    code = scan_inline(text, start, min(end, len(text))).code
    for match in _USE.finditer(text, start, end):
        if not any(first <= match.start() < last for first, last in code):
            yield match


def _label(use: re.Match[str]) -> str:
    return fold_label(use[2] or use[1])
