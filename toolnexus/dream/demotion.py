"""The demote phase without a model: an index over its cap is brought under it, topic by topic."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolnexus.dream.topics import REST_TITLE, Topic, group_topics
from toolnexus.dream.units import find_units
from toolnexus.errors import UsageError
from toolnexus.home.claims import holds_claims
from toolnexus.home.memory_index import index_size
from toolnexus.home.names import folded
from toolnexus.home.operations.demote import demote_numbers
from toolnexus.home.snapshot import INDEX_FILE
from toolnexus.text.slug import slugify
from toolnexus.text.words import content_words

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from toolnexus.dream.units import Unit
    from toolnexus.home.drafts.draft import Draft
    from toolnexus.home.snapshot import Snapshot

SHARE_OF_CAP = 0.8
"""What a demotion aims at, so that the next few memories do not call for another one."""

SPILL = 1.25
"""A topic goes as a whole when it is at most this much larger than what must go anyway."""

POINTER_LINES = 2
"""What is taken beyond the aim to pay for the pointer that stays."""

INDEX_TITLE = "Index of memory"


def demote_over_cap(draft: Draft) -> bool:
    """Demote detail while MEMORY.md is over its cap, down to 80 % of it.

    Plain details go first, largest topic first; then claims that point at notes, and at last the
    pointers of whole sections into an index note: every note stays reachable.

    Returns:
        Whether anything moved.
    """
    if draft.spared.demotion_waits or not is_over(draft.home):
        return False
    moved = False
    for choose in (_plain_topics, _pointing_topics, _last_sections):
        moved |= _demote_topics(draft, choose)
        if not _is_over_aim(draft.home):
            break
    return moved


def is_over(home: Snapshot, share: float = 1.0) -> bool:
    """Whether MEMORY.md is over a share of its cap."""
    if home.memory is None or not home.memory.is_writable:
        return False
    return _size(home, home.text(INDEX_FILE)) > share


def _size(home: Snapshot, text: str | None) -> float:
    """Measure an index by its cap: 1 is full, whether in lines or in bytes."""
    lines, size_bytes = index_size(text or "")
    return max(lines / home.cap.lines, size_bytes / home.cap.bytes)


def _is_over_aim(home: Snapshot) -> bool:
    return is_over(home, SHARE_OF_CAP)


def _demote_topics(draft: Draft, choose: Callable[[Snapshot], Iterator[Topic]]) -> bool:
    """Demote one topic after the other; each changes the file, so the next is chosen anew."""
    moved = False
    tried: set[str] = set()
    while _is_over_aim(draft.home):
        topics = (_without_spared(draft, topic) for topic in choose(draft.home))
        topic = next((t for t in topics if t.units and _key(t) not in tried), None)
        if topic is None:
            return moved
        tried.add(_key(topic))
        moved |= _demote(draft, topic)
    return moved


def _without_spared(draft: Draft, topic: Topic) -> Topic:
    """Leave out of a topic what waits for a person, or was put back by one."""
    units = tuple(
        unit
        for unit in topic.units
        if not any(draft.spared.leaves(INDEX_FILE, text) for text in unit.texts)
    )
    return Topic(topic.title, units)


def _key(topic: Topic) -> str:
    return f"{topic.title}\n{len(topic.units)}\n{topic.units[0].start}"


def _demote(draft: Draft, topic: Topic) -> bool:
    home = draft.home
    numbers = [number for unit in _enough(home, topic) for number in unit.numbers]
    return any(
        _demote_to(draft, numbers, to, title)
        for to, title in dict.fromkeys([_receiver(home, topic), _rest_receiver(home)])
    )


def _demote_to(draft: Draft, numbers: Sequence[int], to: str, title: str) -> bool:
    try:
        step = demote_numbers(draft.home, numbers, to, title=title)
    except UsageError:  # a name that this home cannot take
        return False
    full = _size(draft.home, draft.home.text(INDEX_FILE))
    return _size(draft.home, step.texts[INDEX_FILE]) < full and draft.take(step)


def _enough(home: Snapshot, topic: Topic) -> Sequence[Unit]:
    """Choose what of a topic must go: all of it where that is little more than must go anyway.

    Of a larger topic the longest claims go first, since they are the detail.
    """
    lines, size_bytes = index_size(home.text(INDEX_FILE))
    excess_lines = lines - home.cap.lines * SHARE_OF_CAP
    excess_bytes = size_bytes - home.cap.bytes * SHARE_OF_CAP
    if topic.lines <= excess_lines * SPILL or topic.size_bytes <= excess_bytes * SPILL:
        return topic.units
    chosen: list[Unit] = []
    for unit in sorted(topic.units, key=lambda u: (-u.size_bytes, u.start)):
        if excess_lines <= -POINTER_LINES and excess_bytes <= 0:
            break
        chosen.append(unit)
        excess_lines -= unit.lines
        excess_bytes -= unit.size_bytes
    return sorted(chosen, key=lambda unit: unit.start)


def _receiver(home: Snapshot, topic: Topic) -> tuple[str, str]:
    """Return the note that a topic goes to and its title.

    That is the note of the topic's name, else the one note that its section points at and that
    shares a word with its name, else a new one.
    """
    return (
        _receiver_named(home, topic.title)
        or _first_writable(home, _pointed_at(home, topic))
        or (_new_slug(home, topic.title), topic.title)
    )


def _receiver_named(home: Snapshot, title: str) -> tuple[str, str] | None:
    name = folded(title)
    names = home.names
    return _first_writable(home, [*names.folded_slugs.get(name, ()), *names.titles.get(name, ())])


def _first_writable(home: Snapshot, paths: Iterable[str]) -> tuple[str, str] | None:
    for path in paths:
        note = home.notes[path]
        if note.kind == "note" and note.is_writable and holds_claims(note):
            return path.removesuffix(".md"), note.title
    return None


def _new_slug(home: Snapshot, title: str) -> str:
    return slugify(title, home.taken_slugs)


def _rest_receiver(home: Snapshot) -> tuple[str, str]:
    """Return the note for claims that would mean something else in the one of their topic."""
    return _receiver_named(home, REST_TITLE) or (_new_slug(home, REST_TITLE), REST_TITLE)


def _pointed_at(home: Snapshot, topic: Topic) -> list[str]:
    chain = topic.units[0].chain[:1]
    units = [unit for unit in find_units(home) if unit.chain[:1] == chain and chain]
    targets = {path for unit in units for path in unit.targets}
    if len(targets) != 1:
        return []
    (path,) = targets
    note = home.notes[path]
    words = set(content_words(topic.title))
    shared = words & {*content_words(note.title), *content_words(note.slug.replace("-", " "))}
    return [path] if shared else []


def _plain_topics(home: Snapshot) -> Iterator[Topic]:
    """Yield the topics of claims that point nowhere, largest first; single claims last."""
    units = [unit for unit in find_units(home) if not unit.targets]
    yield from _largest_first(group_topics(units))


def _pointing_topics(home: Snapshot) -> Iterator[Topic]:
    """Yield the topics of all claims; a lone pointer under its heading would gain nothing."""
    topics = group_topics(find_units(home))
    yield from _largest_first([t for t in topics if t.lines > 1])


def _last_sections(home: Snapshot) -> Iterator[Topic]:
    """Yield all that sections still hold as one topic, so that their headings go as well."""
    units = [unit for unit in find_units(home) if unit.chain]
    if len(units) > 1:
        yield Topic(INDEX_TITLE, tuple(units))
    rest = [unit for unit in find_units(home) if not _is_index_pointer(unit)]
    if len(rest) > 1:
        yield Topic(INDEX_TITLE, tuple(rest))


def _is_index_pointer(unit: Unit) -> bool:
    slug = slugify(INDEX_TITLE)
    return any(path.rpartition("/")[2] == f"{slug}.md" for path in unit.targets)


def _largest_first(topics: Sequence[Topic]) -> list[Topic]:
    return sorted(topics, key=lambda t: (-t.size_bytes, t.units[0].start))
