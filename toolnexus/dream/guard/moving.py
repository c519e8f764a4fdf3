"""Moves: where a model may put claims, and what it may call the place.

A claim that moves keeps its words. But a heading is said of what stands under it, a note is about
somebody, and a link is a word about where it leads; nothing of that may be made up.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from toolnexus.dream.guard.titles import (
    content_stems,
    names_any,
    person_named,
    turning_word,
    unsaid_word,
)
from toolnexus.dream.guard.verdict import Verdict, refuse, review
from toolnexus.home.claims import located_claims
from toolnexus.home.operations.place import descendants
from toolnexus.home.operations.relink import bare_target
from toolnexus.home.repair import certain_target, suggestions
from toolnexus.home.ripening import is_archived
from toolnexus.text.document import parse_document
from toolnexus.text.fold import fold_claim
from toolnexus.text.lexicon import fold_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from toolnexus.change.plan import Change
    from toolnexus.home.note import Note
    from toolnexus.home.operations.step import Step
    from toolnexus.home.snapshot import Snapshot
    from toolnexus.text.types import Link

_DIGITS = re.compile(r"\d+")
_COUNTED = re.compile(r"[- ]\d\Z")
"""What a slug ends in whose name was taken: ``travel-2``."""
_NEAR = 5
"""So many notes are named where a link could lead to any of them."""


def judge_move(home: Snapshot, step: Step) -> Verdict:
    """Say whether claims or links may go where a model puts them.

    Args:
        home: The home before.
        step: What a demotion, a merge or a relinking would change.

    Returns:
        The answer; nothing is changed, and nothing of a model's raises.
    """
    for verdict in _verdicts(home, step):
        if verdict is not None:
            return verdict
    return Verdict("accept")


def _verdicts(home: Snapshot, step: Step) -> Iterator[Verdict | None]:
    kinds = {change.kind for change in step.changes}
    if "demoted" in kinds:
        yield _demoted(home, step)
    if "merged" in kinds:
        yield _merged(home, step)
    for change in step.changes:
        if change.kind == "relinked" and kinds == {"relinked"}:
            yield _relinked(home, change)


def _demoted(home: Snapshot, step: Step) -> Verdict | None:
    """A note that is new is named by what goes there; one that is there is about the same."""
    moved = [change for change in step.changes if change.kind == "demoted"]
    said = [text for change in moved for text in _said(home, change)]
    free = frozenset(fold_words(home.owner))
    for path in {change.to: None for change in moved}:
        if path in home.notes:
            return _fits(home.notes[path], home, said, free)
        slug = path.rpartition("/")[2].removesuffix(".md")
        for name in (slug, home.with_texts(step.texts).notes[path].title):
            plain = _COUNTED.sub("", name) if home.names.folded_slugs else name
            if word := unsaid_word(plain.replace("-", " "), said, free):
                return _unsaid(word, "the claims that would go there")
    return None


def _fits(note: Note, home: Snapshot, said: list[str], free: frozenset[str]) -> Verdict | None:
    """Whether claims say of a note that is there what it is about."""
    if is_archived(note.path):
        return refuse(
            f"'{note.slug}' is archived", "move the claims into a note that is still in use"
        )
    told = " ".join(said)
    names = (note.title, *note.aliases, note.slug.replace("-", " "))
    around = " ".join((home.text(note.path) or "", told))
    for name in names:
        who = person_named(name, around)
        if who and who not in free and not any(names_any(text, who) for text in said):
            return refuse(
                f"'{note.title}' is about '{who}', of whom these claims do not speak",
                "move them into a note about what they say; a claim belongs to whom it names",
            )
    turn = next((word for name in names if (word := turning_word(name))), "")
    if turn and not names_any(told, turn):
        return refuse(
            f"under '{note.title}' these claims would say something else",
            "move them into a note whose title does not turn what stands in it",
        )
    return None


def _said(home: Snapshot, change: Change) -> Iterator[str]:
    """Yield what a claim says, what is nested in it, and what it stands under."""
    located = list(located_claims(home, change.path))
    for number, one in enumerate(located):
        if one.claim.line != change.line:
            continue
        above = [*one.claim.headings]
        yield from above
        inside = descendants(home.notes[change.path].document, number)
        for each in (one, *(located[n] for n in inside)):
            yield each.claim.text
            yield " ".join((*above, each.claim.text))


def _merged(home: Snapshot, step: Step) -> Verdict | None:
    """No heading comes in that neither note had, and nothing that is no claim."""
    after = home.with_texts(step.texts)
    paths = [path for path in (*step.texts, *step.moved) if path in home.notes]
    notes = [home.notes[path] for path in dict.fromkeys(paths)]
    there = {fold_claim(name) for note in notes for name in _names(note)}
    said = [claim.text for note in notes for claim in note.document.claims]
    said += [name for note in notes for name in _names(note)]
    for path, text in step.texts.items():
        if text is None or path not in after.notes:
            continue
        note = after.notes[path]
        for heading in note.document.headings:
            if fold_claim(heading.text) in there:
                continue
            if word := unsaid_word(heading.text, said, frozenset(fold_words(home.owner))):
                return _unsaid(word, "the notes that are merged")
        if made_up := _gained_front(note, notes) or _gained_pin(note, notes):
            return refuse(
                f"neither note says '{made_up}'", "give the body alone, without pins of your own"
            )
        if path in home.notes and _is_turned(home.notes[path], note):
            return refuse(
                f"under '{note.title}' the claims would say something else",
                "keep the title of one of the notes",
            )
    return None


def _gained_front(after: Note, before: Iterable[Note]) -> str:
    """Return a value of front matter that no note had, nor is a name of theirs; empty for none."""
    known = {fold_claim(str(value)) for note in before for value in _front_values(note)}
    known.update(fold_claim(name) for note in before for name in _names(note))
    known.update(fold_claim(note.slug) for note in before)
    return next((str(v) for v in _front_values(after) if fold_claim(str(v)) not in known), "")


def _front_values(note: Note) -> Iterator[object]:
    for value in note.document.front.fields.values():
        yield from value if isinstance(value, list) else (value,)


def _gained_pin(after: Note, before: Iterable[Note]) -> str:
    """Return a claim that would be pinned and was not: a pin is a person's word."""
    pinned = {claim.fold for note in before for claim in note.document.claims if claim.pinned}
    gained = (c.text for c in after.document.claims if c.pinned and c.fold not in pinned)
    return next(gained, "")


def _is_turned(before: Note, after: Note) -> bool:
    return bool(turning_word(after.title)) and after.title != before.title


def _names(note: Note) -> Iterable[str]:
    headings = (heading.text for heading in note.document.headings)
    return (note.title, note.slug.replace("-", " "), *note.aliases, *headings)


def _relinked(home: Snapshot, change: Change) -> Verdict | None:
    """A broken link leads only to a note that it may have named."""
    note = home.notes.get(change.to)
    link = next(iter(parse_document(change.before).links), None)
    if note is None or link is None:
        return None
    if certain_target(home, change.path, link, {}) == note.path:
        return None
    if is_archived(note.path) or not _same_digits(link, note):
        return _no_likeness(home, link, note)
    wanted = content_stems(bare_target(link.target).replace("-", " ")) | content_stems(link.label)
    if any(wanted & content_stems(name) for name in _known_as(note)):
        return None
    if note.slug in suggestions(home, link):
        return review(
            f"'{link.target}' may have meant '{note.slug}', but nothing shows it",
            "a person knows what the link meant",
        )
    return _no_likeness(home, link, note)


def _known_as(note: Note) -> Iterator[str]:
    yield from (note.title, note.slug.replace("-", " "), *note.aliases, *note.tags)


def _same_digits(link: Link, note: Note) -> bool:
    """Whether the digits in a link's target are those of the note: 2025 is not 2026."""
    wanted = _DIGITS.findall(bare_target(link.target))
    return any(wanted == _DIGITS.findall(name) for name in (note.slug, note.title, *note.aliases))


def _no_likeness(home: Snapshot, link: Link, note: Note) -> Verdict:
    near = ", ".join(suggestions(home, link)[:_NEAR])
    return refuse(
        f"nothing in '{link.target}' names '{note.slug}'",
        f"it may have meant: {near}" if near else "leave it: a person knows what it meant",
    )


def _unsaid(word: str, whose: str) -> Verdict:
    return refuse(
        f"the title says '{word}', which {whose} do not say so",
        "call it by words of theirs in their order, or by what only files them away: "
        "'Notes', 'Travel', 'Health'",
    )
