"""Tried: what was imagined before, so that nothing is imagined twice, whatever became of it."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, get_args

from toolnexus.clock import format_instant, parse_instant
from toolnexus.evolve.imagining.idea import PHASE_TAG, Phase
from toolnexus.home.derivation import sources_of
from toolnexus.home.ripening import TRANSCRIPT

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from datetime import datetime, timedelta

    from toolnexus.evolve.imagining.idea import Idea
    from toolnexus.home.snapshot import Snapshot

MOST = 20_000
"""How many tries are kept, the newest; at eight a run and four runs a day that is over a year."""
_ALIKE = 0.5


@dataclass(frozen=True, slots=True)
class Try:
    """One idea that was tried.

    Attributes:
        phase: Which kind it was of.
        paths: The files that it was made of.
        key: What it was about; empty where only the note that came of it tells of it.
    """

    phase: str
    paths: frozenset[str]
    key: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Past:
    """What a home remembers of its imaginings, over restarts and deleted notes.

    Attributes:
        tries: What was tried, oldest first.
        times: When something was last tried, by scope.
        seen: The digest of all material when it was last looked at to the end, by scope and by
            whether a model told.
    """

    tries: tuple[Try, ...] = ()
    times: Mapping[str, datetime] = field(default_factory=dict)
    seen: Mapping[str, str] = field(default_factory=dict)

    def due_at(self, scope: str, cooldown: timedelta, now: datetime) -> datetime | None:
        """Return when a scope may be imagined of again; None when it may be now.

        A time that lies ahead, as after a clock was set back, holds nothing up.
        """
        last = self.times.get(scope)
        if last is None or last > now or last + cooldown <= now:
            return None
        return last + cooldown

    def with_tries(self, ideas: Iterable[Idea], scope: str, now: datetime) -> Past:
        """Return it with ideas that were tried now."""
        new = tuple(Try(idea.phase, idea.paths, idea.key) for idea in ideas)
        if not new:
            return self
        tries = (*self.tries, *new)[-MOST:]
        return replace(self, tries=tries, times={**self.times, scope: now})

    def with_seen(self, name: str, digest: str) -> Past:
        """Return it with material that was looked at to the end."""
        return replace(self, seen={**self.seen, name: digest})

    def following(self, renamed: Mapping[str, str]) -> Past:
        """Return it with the paths that its notes have now."""
        if not renamed:
            return self
        tries = (
            replace(each, paths=frozenset(renamed.get(path, path) for path in each.paths))
            for each in self.tries
        )
        return replace(self, tries=tuple(tries))


class Known:
    """Asked whether an idea was tried.

    Args:
        tries: What was tried.
    """

    def __init__(self, tries: Iterable[Try]) -> None:
        self._keys: set[tuple[str, tuple[str, ...]]] = set()
        self._by_path: defaultdict[str, list[Try]] = defaultdict(list)
        for each in tries:
            self.add(each)

    def add(self, tried: Try) -> None:
        """Note a try."""
        if tried.key:
            self._keys.add((tried.phase, tried.key))
        for path in tried.paths:
            self._by_path[path].append(tried)

    def has(self, idea: Idea) -> bool:
        """Whether the same was tried: about the same, or of mostly the same notes."""
        if (idea.phase, idea.key) in self._keys:
            return True
        paths = idea.paths
        near = (each for path in paths for each in self._by_path.get(path, ()))
        return any(
            each.phase == idea.phase and len(paths & each.paths) > _ALIKE * len(paths | each.paths)
            for each in near
        )


def tries_in(home: Snapshot) -> Iterator[Try]:
    """Yield the ideas that notes of a home came of, archived ones too: state may be lost."""
    for path, note in home.notes.items():
        for tag in note.tags if note.kind != "soul" else ():
            phase = tag.removeprefix(PHASE_TAG)
            if tag != phase and phase in get_args(Phase):
                sources = (name for name in sources_of(home, path))
                paths = frozenset(name for name in sources if not name.startswith(TRANSCRIPT))
                if paths:
                    yield Try(phase, paths)


def past_value(past: Past) -> dict[str, Any]:
    """Return it as JSON values."""
    return {
        "times": {scope: format_instant(time) for scope, time in past.times.items()},
        "seen": dict(past.seen),
        "tries": [[each.phase, sorted(each.paths), list(each.key)] for each in past.tries],
    }


def read_past(value: object) -> Past:
    """Read what was kept; what is damaged in it is left out.

    Example:
        >>> read_past({"tries": [["divergence", ["memory/a.md"], ["tea"]], 7]}).tries[0].key
        ('tea',)
    """
    if not isinstance(value, dict):
        return Past()
    times = ((scope, _instant(text)) for scope, text in _pairs(value.get("times")))
    return Past(
        tries=tuple(_tries(value.get("tries"))),
        times={scope: time for scope, time in times if time is not None},
        seen=dict(_pairs(value.get("seen"))),
    )


def _tries(value: object) -> Iterator[Try]:
    for row in value if isinstance(value, list) else ():
        match row:
            case [str(phase), [*paths], [*key]] if _are_texts(paths) and _are_texts(key):
                yield Try(phase, frozenset(paths), tuple(key))


def _are_texts(values: list[object]) -> bool:
    return all(isinstance(value, str) for value in values)


def _pairs(value: object) -> Iterator[tuple[str, str]]:
    for key, text in value.items() if isinstance(value, dict) else ():
        if isinstance(text, str):
            yield str(key), text


def _instant(text: str) -> datetime | None:
    try:
        return parse_instant(text)
    except (ValueError, OverflowError):
        return None
