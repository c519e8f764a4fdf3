"""A pass as Markdown, for the text of a pull request: each change with its evidence.

Words of memory and transcripts stand between fences, where no forge takes them for links, mentions,
images or commands.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from toolnexus.cli.changes import evidence_line, reason_of
from toolnexus.cli.console import visible
from toolnexus.cli.homes import shown_path
from toolnexus.cli.passes import perhaps
from toolnexus.text.secrets import mask

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from toolnexus.change.plan import Change
    from toolnexus.dream.types import Pass

LONGEST = 60_000
"""Characters: a pull request's text takes 65,536."""

_TICKS = re.compile(r"`+")


def pass_markdown(done: Pass, named: str) -> str:
    """Write a pass as Markdown; what is too much for a pull request is counted.

    Args:
        done: The pass.
        named: The home, as the caller named it.
    """
    head = f"## Dream: {_code(shown_path(named, ''))}\n\n{_fenced([done.reply])}\n"
    foot = f"{_covered(done)}\n"
    pieces, left = [], 0
    room = LONGEST - len(head) - len(foot)
    for piece in _pieces(done, named):
        if len(piece) + 1 > room:
            left += 1
            continue
        pieces.append(piece)
        room -= len(piece) + 1
    if left:
        pieces.append(f"{left} more are too much for this text: the diff shows what changed.\n")
    return "\n".join([head, *pieces, foot])


def _pieces(done: Pass, named: str) -> Iterator[str]:
    for change in done.changes:
        yield _change(change, named, change.kind)
    for change in done.waiting:
        yield _change(change, named, f"waits for a person: {change.kind}")
    for item in done.suspected:
        words = [f"? {item.claim}", *map(evidence_line, item.evidence)]
        yield _piece("suspected", named, item.path, item.line, words)
    for link in done.unresolved:
        yield _piece("unresolved", named, link.path, link.line, [f"{link.link}{perhaps(link)}"])
    for finding in done.findings:
        words = [finding.message, finding.hint]
        yield _piece(finding.rule, named, finding.path, finding.line, words)
    if done.refused:
        lines = [f"{item.action}: {item.reason} (next: {item.next})" for item in done.refused]
        yield (
            f"<details><summary>{len(lines)} refused</summary>\n\n{_fenced(lines)}\n\n</details>\n"
        )


def _change(change: Change, named: str, title: str) -> str:
    before = [f"- {line}" for line in change.before.splitlines()]
    after = [f"+ {line}" for line in change.after.splitlines()]
    to = [f"→ {change.to}"] if change.to and change.to != change.path else []
    why = [f"because {reason_of(change)}", *map(evidence_line, change.evidence)]
    head = f"### {title} · {_place(named, change.path, change.line)}"
    return f"{head}\n\n{_fenced([*before, *after, *to], 'diff')}\n{_fenced(why)}\n"


def _piece(title: str, named: str, path: str, line: int, words: Iterable[str]) -> str:
    return f"### {title} · {_place(named, path, line)}\n\n{_fenced(filter(None, words))}\n"


def _place(named: str, path: str, line: int) -> str:
    where = shown_path(named, path)
    return _code(f"{where}:{line}" if line else where)


def _covered(done: Pass) -> str:
    stats = done.stats
    told = (
        f"{stats.checked} of {stats.claims} claims checked, {stats.turns_new} of {stats.turns} "
        f"turns new, {stats.model_calls} model calls, {stats.tokens_in + stats.tokens_out} tokens, "
        f"{stats.usd:.4f} US dollars"
    )
    number = f" Pass `{done.id}`." if done.id else ""
    left = stats.claims_left + stats.turns_left
    rest = f" {stats.claims_left} claims and {stats.turns_left} turns are left." if left else ""
    return f"{told}.{rest}{number}"


def _code(text: str) -> str:
    """Write words as code, which a line's end cannot leave."""
    shown = visible(mask(" ".join(text.split())))
    ticks = "`" * (1 + max(map(len, _TICKS.findall(shown)), default=0))
    pad = " " if shown.startswith("`") or shown.endswith("`") else ""
    return f"{ticks}{pad}{shown}{pad}{ticks}"


def _fenced(lines: Iterable[str], language: str = "text") -> str:
    """Write lines between fences that are longer than any in them."""
    shown = "\n".join(visible(mask(line)) for line in lines)
    fence = "`" * max(3, 1 + max(map(len, _TICKS.findall(shown)), default=0))
    return f"{fence}{language}\n{shown}\n{fence}"
