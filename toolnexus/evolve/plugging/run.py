"""A run of a plug: its events, one after the other, landed part by part."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from toolnexus.errors import ToolnexusError, UsageError
from toolnexus.evolve.plugging.event import PlugEvent, PlugSkip, fault_of
from toolnexus.evolve.plugging.landing import land, plan_of
from toolnexus.evolve.plugging.paper import folded_slug, id_of
from toolnexus.evolve.plugging.stream import stream
from toolnexus.evolve.plugging.summary import Tally
from toolnexus.text.secrets import holds_secret

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from toolnexus.change.plan import Plan
    from toolnexus.evolve.plugging.event import Plug
    from toolnexus.evolve.plugging.landing import Ground, Landed
    from toolnexus.evolve.plugging.summary import Plugged

PART_EVENTS = 200
PART_CHARS = 4_000_000
"""A part is committed when it has so many events, or so much text: no more is held in memory."""


@dataclass(slots=True)
class PlugRun:
    """One run of a plug into a home.

    Attributes:
        plug: The plug.
        ground: The home.
        source: What tells its source and the scope that was asked for from others of that plug.
        folder_of: Finds the folder that an event belongs into.
        commit: Writes the plan that it is given the making of, and returns what it is undone by,
            empty for nothing; None writes nothing at all.
        progress: Is told how many events were read and how many notes were written so far.
        preview: Is given the plan of each part where nothing is written.
    """

    plug: Plug
    ground: Ground
    source: str
    folder_of: Callable[[PlugEvent], str]
    commit: Callable[[Callable[[], Plan]], str] | None
    progress: Callable[[int, int], None]
    preview: Callable[[Plan], None]
    tally: Tally = field(default_factory=Tally)
    _seen: set[tuple[str, str]] = field(default_factory=set)

    def run(self) -> Plugged:
        """Land everything that the plug has.

        Raises:
            UsageError: when the plug fails; what came before it is in the home.
            DiskError: when the disk is full or failing; the parts before are in the home.
        """
        for part in self._parts():
            self._land(part)
            self.progress(self.tally.read, self.tally.written)
        return self.tally.summed(self.plug.name, self._gone(), dry_run=self.commit is None)

    def _parts(self) -> Iterator[list[tuple[str, PlugEvent]]]:
        """Yield events with their folders, as many at once as may be held."""
        part: list[tuple[str, PlugEvent]] = []
        chars = 0
        for event in self._events():
            arrival = self._arrival(event)
            if arrival is not None:
                part.append(arrival)
                chars += len(event.text)
            if len(part) >= PART_EVENTS or chars >= PART_CHARS:
                yield part
                part, chars = [], 0
        if part:
            yield part

    def _events(self) -> Iterator[PlugEvent]:
        """Yield the events that the plug has, those that can be none counted."""
        try:
            events: Iterator[object] = stream(self.plug.events())  # others' code may yield anything
            for found in events:
                if isinstance(found, PlugSkip):
                    self.tally.skip(found.reason, found.place)
                elif not isinstance(found, PlugEvent):
                    self.tally.skip(f"it is a {type(found).__name__} and no event", "")
                else:
                    self.tally.read += 1
                    yield found
        except ToolnexusError:
            raise
        except Exception as error:
            hint = "what it brought before is in the home; run it again to go on"
            message = f"the plug '{self.plug.name}' failed after {self.tally.read:,} events"
            raise UsageError(f"{message}: {error}", hint=hint) from error

    def _arrival(self, event: PlugEvent) -> tuple[str, PlugEvent] | None:
        """Find where an event belongs; None, and counted, when it can become no note."""
        fault = fault_of(event)
        place = event.id[:100] if isinstance(event.id, str) else ""
        if not fault:
            try:
                folder = self.folder_of(event)
            except UsageError as error:
                fault = error.message
            else:
                key = folder, id_of(event.id)
                if key not in self._seen:
                    self._seen.add(key)
                    return folder, event
                fault = "its id came before"
        self.tally.skip(fault, place)
        return None

    def _land(self, part: list[tuple[str, PlugEvent]]) -> None:
        """Land a part, and keep what came of it once it is written."""
        landed: list[Landed] = []

        def plan() -> Plan:
            landed[:] = land(self.ground, part)
            return plan_of(landed)

        if self.commit is None:
            self.preview(plan())
        elif done := self.commit(plan):
            self.tally.ids.append(done)
        for each in landed:
            self.tally.count(each.fate, each.path, each.reason)
            if each.fate in {"added", "updated"}:
                self.tally.secrets += holds_secret(each.event.text)
            if each.fate == "added":
                self.ground.taken.add(folded_slug(each.path))
            if self.commit is not None:
                self._keep(each)

    def _keep(self, landed: Landed) -> None:
        """Keep what is known of an event, and that this source had it."""
        known, event_id = self.ground.known, id_of(landed.event.id)
        note = landed.known or known.get(landed.folder, event_id)
        if note is not None:
            known.put(landed.folder, event_id, replace(note, source=self.source))

    def _gone(self) -> int:
        """Count the notes whose source has them no more, wherever they lie."""
        return len(set(self.ground.known.of(self.source)) - self._seen)
