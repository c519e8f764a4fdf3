"""Matching: which claim of a home is which after a plan.

A claim may move to a place where more is said above it, and never to one where less is. Claims that
are the same (equal text, equal context) count as one fact, so that folding them loses nothing. Two
facts stay two: even where both may move to a place, they may not become the same there.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from functools import partial
from typing import TYPE_CHECKING

from toolnexus.change.pointer import is_pointer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from toolnexus.change.located import LocatedClaim

    Context = tuple[str, ...]
    Facts = dict[Context, list[LocatedClaim]]


def find_lost(
    before: Iterable[LocatedClaim], after: Iterable[LocatedClaim], titles: Mapping[str, str]
) -> list[LocatedClaim]:
    """Return the claims whose fact stands nowhere any more.

    Args:
        before: The claims before a plan.
        after: The claims after it.
        titles: What the titles of merged notes became, folded.
    """
    said = _by_fold(after, {})
    lost: list[LocatedClaim] = []
    for fold, facts in _by_fold(before, titles).items():
        there = said.get(fold, {})
        gone = dict.fromkeys((context for context in facts if context not in there), 1)
        room = dict.fromkeys((context for context in there if context not in facts), 1)
        homeless = settle(gone, room, partial(_may_become, facts, there)) if gone else {}
        lost += [claim for context in homeless for claim in facts[context]]
    return lost


def find_made_up(
    before: Iterable[LocatedClaim], after: Iterable[LocatedClaim], titles: Mapping[str, str]
) -> list[LocatedClaim]:
    """Return the claims that nobody said: each claim of a home may stand in one place afterwards.

    See `find_lost` for the arguments.
    """
    said = _by_fold(before, titles)
    made_up: list[LocatedClaim] = []
    for fold, facts in _by_fold(after, {}).items():
        there = said.get(fold, {})
        old, new = _counts(there), _counts(facts)
        come, room = new - old, old - new
        homeless = settle(come, room, partial(_may_have_been, there, facts)) if come else {}
        for context, count in homeless.items():
            made_up += facts[context][-count:]
    return made_up


def keeps_context(old: Context, new: Context) -> bool:
    """Whether all that a claim was said under still stands above it, in the same order.

    Example:
        >>> keeps_context(("ines",), ("people", "ines")), keeps_context(("ines",), ("clara",))
        (True, False)
    """
    remaining = iter(new)
    return all(part in remaining for part in old)


def settle(
    guests: Mapping[Context, int],
    room: Mapping[Context, int],
    may_be: Callable[[Context, Context], bool],
) -> dict[Context, int]:
    """Find room for as many as can have some, and return how many of each are left over.

    Where a place is full, whoever is there moves on if that makes room (augmenting paths), so that
    the order of the guests does not count.

    Args:
        guests: How many there are of each.
        room: How many each place takes.
        may_be: Whether a guest may be at a place.

    Example:
        >>> settle({("a",): 1, (): 1}, {("a",): 1, ("b",): 1}, lambda one, place: one <= place)
        {}
    """
    rooms = _Rooms(room, may_be)
    homeless: dict[Context, int] = {}
    for guest, count in guests.items():
        placed = 0
        while placed < count and rooms.place(guest, set()):
            placed += 1
        if placed < count:
            homeless[guest] = count - placed
    return homeless


class _Rooms:
    """Places with a number of beds each, and who is there."""

    def __init__(
        self, room: Mapping[Context, int], may_be: Callable[[Context, Context], bool]
    ) -> None:
        self._free = Counter(room)
        self._may_be = may_be
        self._tenants: defaultdict[Context, Counter[Context]] = defaultdict(Counter)

    def place(self, guest: Context, asked: set[Context]) -> bool:
        """Find a guest a bed; `asked` are the places that could not make room before."""
        open_to = [spot for spot in self._free if self._may_be(guest, spot)]
        for spot in open_to:
            if self._free[spot]:
                self._free[spot] -= 1
                self._tenants[spot][guest] += 1
                return True
        for spot in open_to:
            if spot not in asked and self._moves_on(spot, guest, asked | {spot}):
                self._tenants[spot][guest] += 1
                return True
            asked.add(spot)
        return False

    def _moves_on(self, spot: Context, guest: Context, asked: set[Context]) -> bool:
        for tenant, count in list(self._tenants[spot].items()):
            if count and tenant != guest and self.place(tenant, asked):
                self._tenants[spot][tenant] -= 1
                return True
        return False


def _may_become(before: Facts, after: Facts, old: Context, new: Context) -> bool:
    return keeps_context(old, new) or _is_moved_pointer(before[old][0], after[new][0])


def _may_have_been(before: Facts, after: Facts, new: Context, old: Context) -> bool:
    return _may_become(before, after, old, new)


def _is_moved_pointer(old: LocatedClaim, new: LocatedClaim) -> bool:
    """Whether a claim says nothing but where to look: it says so under any heading."""
    return bool(new.links) and is_pointer(old.claim.text, ())


def _by_fold(claims: Iterable[LocatedClaim], titles: Mapping[str, str]) -> dict[str, Facts]:
    """Gather claims by what they say and then by what they say it under."""
    facts: defaultdict[str, Facts] = defaultdict(dict)
    for claim in claims:
        context = tuple(titles.get(part, part) for part in claim.context)
        facts[claim.fold].setdefault(context, []).append(claim)
    return facts


def _counts(facts: Facts) -> Counter[Context]:
    return Counter({context: len(claims) for context, claims in facts.items()})
