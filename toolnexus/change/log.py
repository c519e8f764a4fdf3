"""The dream log: one top-level item a pass, for people. No state is ever read back from it."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from toolnexus.clock import format_instant
from toolnexus.text.secrets import mask

if TYPE_CHECKING:
    from datetime import datetime

    from toolnexus.change.plan import Change, ChangeKind, Evidence, Plan

_WORDS: dict[ChangeKind, tuple[str, str]] = {
    "corrected": ("corrected", "corrected"),
    "dropped": ("dropped", "dropped"),
    "demoted": ("demoted", "demoted"),
    "merged": ("merged", "merged"),
    "relinked": ("link repaired", "links repaired"),
    "added": ("added", "added"),
    "written": ("written", "written"),
    "renamed": ("renamed", "renamed"),
    "archived": ("archived", "archived"),
    "extracted": ("extracted", "extracted"),
    "distilled": ("distilled", "distilled"),
    "imagined": ("imagined", "imagined"),
}
_QUOTED_CAP = 300
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")


def render_entry(plan: Plan, plan_id: str, instant: datetime) -> str:
    """Render the log's entry for a plan: a top line with counts and a line for each change.

    Args:
        plan: What was done.
        plan_id: The id it can be reverted by.
        instant: When.

    Returns:
        Markdown that ends with a newline; text from files and transcripts is escaped in it, so
        that it can forge neither another entry nor a link.
    """
    counts = count_words(plan)
    head = f"- {format_instant(instant)} {_plain(plan.job)}: {counts} ({_plain(plan_id)})\n"
    return head + "".join(f"  - {_line(change)}\n" for change in plan.changes)


def with_entry(log: bytes, entry: str) -> bytes:
    r"""Return a log with an entry at its end, in the line endings that it has.

    Example:
        >>> with_entry(b"# Log\r\n", "- one\n")
        b'# Log\r\n- one\r\n'
    """
    newline = b"\r\n" if log.endswith(b"\r\n") else b"\n"
    if log and not log.endswith(b"\n"):
        log += newline
    return log + entry.encode().replace(b"\n", newline)


def count_words(plan: Plan) -> str:
    """Tell a plan's changes in numbers: ``2 corrected, 1 link repaired, 1 unresolved``."""
    counts = Counter(change.kind for change in plan.changes)
    told = [
        f"{counts[kind]} {one if counts[kind] == 1 else many}"
        for kind, (one, many) in _WORDS.items()
        if counts[kind]
    ]
    told += [f"{number} {_plain(name)}" for name, number in plan.summary.items() if number]
    return ", ".join(told) or "nothing"


def escape_quoted(text: str) -> str:
    r"""Make text from elsewhere harmless inside one line of the log; secrets in it are masked.

    Example:
        >>> escape_quoted("a\n- [[b]] <!-- keep -->")
        'a\\n- \\[\\[b]] &lt;!-- keep --&gt;'
    """
    text = mask(text).replace("\r\n", "\n").replace("\n", "\\n")
    text = _CONTROL.sub("\N{REPLACEMENT CHARACTER}", text)
    text = text.replace("[[", "\\[\\[").replace("<!--", "&lt;!--").replace("-->", "--&gt;")
    return text if len(text) <= _QUOTED_CAP else text[: _QUOTED_CAP - 1] + "…"


def unescape_quoted(text: str) -> str:
    r"""Read text of the log as it was before `escape_quoted`, as far as nothing was cut off.

    Example:
        >>> unescape_quoted("\\[\\[b]] &lt;!-- keep --&gt;")
        '[[b]] <!-- keep -->'
    """
    text = text.replace("\\[\\[", "[[").replace("&lt;!--", "<!--").replace("--&gt;", "-->")
    return text.replace("\\n", "\n")


def _plain(text: str) -> str:
    return escape_quoted(text)


def _line(change: Change) -> str:
    quoted = f'"{escape_quoted(change.before)}"' if change.before else ""
    after = f'"{escape_quoted(change.after)}"' if change.after else ""
    where = _plain(change.path)
    match change.kind:
        case "merged" if change.to == change.path:
            told = f"merged in {where}: {quoted} stands there twice"
        case "demoted" | "merged":
            told = f"{change.kind} {where} → {_note_link(change.to)}" + (
                f": {quoted}" if quoted else ""
            )
        case "relinked":
            told = f"relinked {where}: {quoted} → {after}"
        case "renamed" | "archived":
            told = f"{change.kind} {where} → {_plain(change.to)}"
        case "added" | "written" | "extracted" | "distilled" | "imagined":
            told = f"{change.kind} {where}: {after}"
        case "dropped":
            told = f"dropped {where}: {quoted}"
        case _:
            told = f"{change.kind} {where}: {quoted} → {after}"
    return told + "".join(f" — {_cited(evidence)}" for evidence in change.evidence)


def _note_link(path: str) -> str:
    slug = PurePosixPath(path).name.removesuffix(".md")
    return f"[[{slug}]]" if not re.search(r"[\[\]|#<>\n]", slug) else _plain(slug)


def _cited(evidence: Evidence) -> str:
    who = f"{_plain(evidence.role)}, " if evidence.role else ""
    at = f"{_plain(evidence.conversation)}#{evidence.turn}"
    return f'{who}{at}: "{escape_quoted(evidence.quote)}"'
