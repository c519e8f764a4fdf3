"""The queue of what is due, held against a plain dictionary."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from hypothesis import given, settings
from hypothesis import strategies as st

from toolnexus.fleet.due_queue import DueQueue

NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)
STEPS = st.lists(
    st.tuples(st.sampled_from(["put", "remove", "pop"]), st.integers(0, 5), st.integers(0, 9)),
    max_size=300,
)


@settings(max_examples=60)
@given(STEPS)
def test_it_gives_what_is_due_the_soonest_first(steps):
    """Whatever is put, moved and removed, it pops what a sorted list would."""
    queue: DueQueue[int] = DueQueue()
    model: dict[int, tuple[datetime, int]] = {}
    for number, (what, key, minutes) in enumerate(steps):
        at = NOON + timedelta(minutes=minutes)
        if what == "put":
            queue.put(key, at)
            model[key] = (at, number)
        elif what == "remove":
            queue.remove(key)
            model.pop(key, None)
        else:
            due = sorted((place, one) for one, place in model.items() if place[0] <= at)
            assert queue.due(at) == len(due)
            assert queue.pop(at) == ((due[0][1], due[0][0][0]) if due else None)
            if due:
                del model[due[0][1]]
        assert len(queue) == len(model)
        assert queue.soonest() == min((at for at, _ in model.values()), default=None)
        later = [at for at, _ in model.values() if at > NOON]
        assert queue.soonest_after(NOON) == min(later, default=None)


def test_keys_that_move_often_take_no_room():
    """A key that is put again and again leaves nothing behind."""
    queue: DueQueue[str] = DueQueue()
    for minutes in range(10_000):
        queue.put("ava", NOON + timedelta(minutes=minutes))
    assert len(queue._heap) < 200
