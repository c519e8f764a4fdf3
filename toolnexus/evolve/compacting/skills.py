"""Skills: a procedure that is often used and well rated becomes the draft of one.

A draft is never put into memory by itself: it waits in a proposal, and a person accepts it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolnexus.change.plan import Change
from toolnexus.errors import UsageError
from toolnexus.home.operations.step import Step, check_words
from toolnexus.text.document import parse_document
from toolnexus.text.frontmatter import set_field
from toolnexus.text.lexicon import fold_words
from toolnexus.text.secrets import holds_secret
from toolnexus.text.slug import slugify
from toolnexus.text.values import values

if TYPE_CHECKING:
    from datetime import datetime

    from toolnexus.agent.memory_actions import MemoryArguments
    from toolnexus.home.note import Note
    from toolnexus.home.snapshot import Snapshot
    from toolnexus.text.types import Document

LONGEST = 4_000
"""Characters: a skill is short enough to be read each time it is used."""
_KINDS = ("numbers", "dates", "addresses", "quoted", "negations")


def draft_skill(home: Snapshot, path: str, arguments: MemoryArguments, now: datetime) -> Step:
    """Return the step that writes a model's draft of a skill, if it says nothing of its own.

    Args:
        home: The home as it would be.
        path: The procedure that it is drawn from.
        arguments: A ``write``: title and text; the slug is ours to choose.
        now: When it is made.

    Raises:
        UsageError: when the draft holds a value that the procedure lacks, is too long, or is more
            than headings and claims.
    """
    source = home.notes[path]
    title = " ".join((arguments.title or source.title).split())
    body = check_words(arguments.text).strip()
    if len(body) > LONGEST:
        raise UsageError(f"a skill takes at most {LONGEST:,} characters", hint="say it shorter")
    document = parse_document(f"# {title}\n\n{body}\n")
    plain = not (document.structure or document.links or document.front.fields)
    if not document.claims or not plain:
        raise UsageError(
            "a skill is made of headings and steps",
            hint="leave out front matter, code, comments and links",
        )
    if holds_secret(f"{title}\n{body}"):
        raise UsageError("this looks like a secret", hint="leave it out of the skill")
    _require_grounded(document, source)
    slug = slugify(f"skill {title}", [*home.names.folded_slugs, *home.names.aliases])
    folder = path.rpartition("/")[0]
    new = f"{folder}/{slug}.md" if folder else f"{slug}.md"
    text = f"# Skill: {title}\n\n{body}\n"
    for key, value in (
        ("stage", "skill"),
        ("created", now.date().isoformat()),
        ("distilled_from", [source.slug]),
    ):
        text = set_field(text, key, value)
    change = Change("distilled", new, 0, "", f"Skill: {title}", reason=f"drawn from {path}")
    return Step({new: text}, (change,), f"Drafted {new}.", path=new)


def _require_grounded(draft: Document, source: Note) -> None:
    """Make sure that every value of a draft stands in its source; the steps' numbers are none.

    Raises:
        UsageError: when one does not.
    """
    said = f"{source.title}\n{_said(source.document)}"
    new, old, words = values(_said(draft)), values(said), frozenset(fold_words(said))
    gained = [each for kind in _KINDS for each in set(getattr(new, kind)) - set(getattr(old, kind))]
    gained += [name for name in new.names if not words.issuperset(fold_words(name))]
    if gained:
        raise UsageError(
            f"'{min(gained)}' does not stand in the note",
            hint="use the note's own numbers, names and words",
        )


def _said(document: Document) -> str:
    pieces = [(each.start, each.text) for each in document.headings]
    pieces += [(each.start, each.text) for each in document.claims]
    return "\n".join(text for _, text in sorted(pieces))
