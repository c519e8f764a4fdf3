"""Due: how much `compact` would find to do in a home, told from its tally and its state."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolnexus.app.due_sources import due_conversations, read_reached
from toolnexus.app.model_dreaming import spared_by, stored_hand
from toolnexus.evolve.archival import due_for_archive
from toolnexus.evolve.compacting.fading import left_alone
from toolnexus.evolve.compacting.memory import STATE, read_looked
from toolnexus.evolve.ripeness import Due
from toolnexus.home.scope import in_scope

if TYPE_CHECKING:
    from toolnexus.app.tally import Tally
    from toolnexus.app.view import View
    from toolnexus.store.uses import Uses


def due_of(home: View, tally: Tally, scope: str, uses: Uses) -> Due:
    """Count what is due in a home.

    Args:
        home: The home; its turns are refreshed.
        tally: The tally of all of it.
        scope: The folder to count in, as `parse_scope` gives it; conversations lie in none.
        uses: Its uses and feedback.
    """
    settings, now = home.lenient_settings, home.clock.now()
    age = settings.compact.extract_after
    reached = read_reached(read_looked(home.store.read_state(STATE)).learnt)
    raw = [
        each
        for each in tally.facts
        if each.raw_since is not None
        and now - each.raw_since >= age
        and reached.leaves_note(each.path, each.digest, is_drawn=each.is_drawn)
    ]
    talks = () if scope else due_conversations(home.turns, reached, tally.drawn, now, age)
    alone = left_alone(spared_by(home.proposals(), stored_hand(home)))
    faded = due_for_archive(tally.facts, uses, now, settings.evolve, alone)
    return Due(
        extraction=sum(in_scope(each.path, scope) for each in raw),
        talks=len(talks),
        merge=len(tally.within(scope).merge),
        archive=sum(in_scope(path, scope) for path in faded),
    )
