"""A chain, written for people: as a tree of text, and as a graph that Mermaid draws."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from toolnexus.text.secrets import shorten

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from toolnexus.evolve.chains.chain import ChainEdge, ChainNode, EvidenceChain


TITLE_CHARS = 72
# In a quoted label of Mermaid these are what they are; all else goes as a numbered entity.
_PLAIN = frozenset(" .,-_/")
_NODE_MARKS: Mapping[str, tuple[str, str]] = {
    "note": ('["', '"]'),
    "claim": ('("', '")'),
    "turn": ('(["', '"])'),
    "merged": ('["', '"]'),
    "missing": ('{{"', '"}}'),
}


def chain_tree(chain: EvidenceChain) -> Iterator[str]:
    """Write a chain as a tree, a line each, with what is to be known of it below.

    What rests on the same thing as another shows it once; the second time it says so.
    """
    nodes = {node.id: node for node in chain.nodes}
    below: defaultdict[str, list[ChainEdge]] = defaultdict(list)
    for edge in chain.edges:
        below[edge.source].append(edge)
    yield f"{chain.overall_confidence:.2f}  {_named(nodes[chain.root])}"
    shown = {chain.root}
    # A way down, not a recursion: a chain may be deeper than Python's stack.
    ways: list[tuple[str, list[ChainEdge]]] = [("", list(below[chain.root]))]
    while ways:
        indent, rest = ways[-1]
        if not rest:
            ways.pop()
            continue
        edge = rest.pop(0)
        branch, trunk = ("├─ ", "│  ") if rest else ("└─ ", "   ")
        node = nodes[edge.target]
        again = node.id in shown and bool(below[node.id])
        yield f"{indent}{branch}{_edge(edge)}  {_named(node, edge.said)}{' (see above)' * again}"
        if not again:
            shown.add(node.id)
            ways.append((indent + trunk, list(below[node.id])))


def chain_notes(chain: EvidenceChain) -> Iterator[tuple[str, str]]:
    """Yield what is to be known of a chain, each as a label and a text."""
    yield "confidence", f"{chain.overall_confidence:.2f}"
    root = chain.nodes[0]
    if any(
        e.source == root.id and e.contribution > root.confidence == root.own for e in chain.edges
    ):
        yield "bounded", f"it says {root.own:.2f} of itself, and is believed no more"
    if len(chain.critical_path) > 1:
        path = " → ".join(map(_line, chain.critical_path))
        yield "strongest", f"{path} ({chain.critical_path_confidence:.2f})"
    for conflict in chain.conflicts:
        told = f"{_line(conflict.node)} is refuted by {_line(conflict.refuter)}"
        yield "conflict", f"{told} (−{conflict.impact:.2f})"
    for link in chain.broken_links:
        yield "broken", f"'{_line(link)}' leads nowhere"
    for circle in chain.circles:
        yield "circle", f"{' → '.join(map(_line, [*circle, circle[0]]))}: nothing supports itself"
    for told in chain.retracted:
        yield "taken back", told
    if chain.is_cut:
        yield "cut", "it rests on more than was followed"
    if chain.needs_reverification:
        yield "verify", "a person or a dream should look at it again"


def mermaid(chain: EvidenceChain) -> Iterator[str]:
    r"""Write a chain as a Mermaid flowchart; names are escaped, so that none can add to it.

    Example:
        >>> from toolnexus.evolve.chains.chain import ChainNode, EvidenceChain
        >>> tea = ChainNode("tea", "note", 'T"] --> x', 1.0, 1.0, 0, True)
        >>> print("\n".join(mermaid(EvidenceChain("tea", (tea,), (), 1.0, ("tea",), 1.0))))
        flowchart TD
          n0["tea<br/>T#34;#93; --#62; x<br/>1.00"]
    """
    yield "flowchart TD"
    numbers = {node.id: number for number, node in enumerate(chain.nodes)}
    for number, node in enumerate(chain.nodes):
        opening, closing = _NODE_MARKS[node.kind]
        lines = [escaped(node.id), escaped(_short(node.title)), f"{node.confidence:.2f}"]
        text = "<br/>".join(line for line in dict.fromkeys(lines) if line)
        yield f"  n{number}{opening}{text}{closing}"
    for edge in chain.edges:
        source, target = numbers[edge.source], numbers[edge.target]
        arrow = "-.->" if edge.kind == "refuted_by" else "-->"
        yield f'  n{source} {arrow}|"{escaped(edge.kind)} {edge.contribution:.2f}"| n{target}'
    yield from _classes(chain, numbers)


def escaped(text: str) -> str:
    r"""Make a text harmless within a quoted label of Mermaid.

    Example:
        >>> escaped('a"b\nc')
        'a#34;b#10;c'
    """
    return "".join(
        char if (char.isalnum() or char in _PLAIN) else f"#{ord(char)};" for char in text
    )


def _classes(chain: EvidenceChain, numbers: Mapping[str, int]) -> Iterator[str]:
    """Mark what is missing and the strongest way down."""
    missing: Sequence[str] = chain.broken_links
    if missing:
        yield "  classDef missing stroke-dasharray: 4 4"
        yield f"  class {','.join(f'n{numbers[link]}' for link in missing)} missing"
    if len(chain.critical_path) > 1:
        yield "  classDef strongest stroke-width: 3px"
        yield f"  class {','.join(f'n{numbers[each]}' for each in chain.critical_path)} strongest"


def _named(node: ChainNode, said: str = "") -> str:
    title, name = _short(said or node.title), _line(node.id)
    match node.kind:
        case "missing":
            return f"{name} (leads nowhere)"
        case "turn":
            return f"{name}  {node.role}: “{title}”"
        case _:
            return f"{name}  {title}" if title and title != name else name


def _edge(edge: ChainEdge) -> str:
    strength = "" if edge.strength == 1 else f" × {edge.strength:.2f}"
    return f"{edge.contribution:+.2f}  {edge.kind}{strength}"


def _line(text: str) -> str:
    """Put a name on one line, whatever stands in it."""
    return " ".join(text.split())


def _short(text: str) -> str:
    return shorten(_line(text), TITLE_CHARS)
