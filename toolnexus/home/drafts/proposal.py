"""Proposals: changes that wait for a person, and how they are put to a home that has moved on."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

from toolnexus.change.plan import Change, Evidence, FileWrite
from toolnexus.change.threeway import merge_texts
from toolnexus.errors import UsageError
from toolnexus.home.drafts.draft import Draft, TakenStep
from toolnexus.home.operations.step import Step

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from toolnexus.home.snapshot import Snapshot


@dataclass(frozen=True, slots=True)
class Proposal:
    """Steps that wait for a person, each with a number that it keeps until it is decided.

    Attributes:
        id: What `review` calls it.
        created: When it was made, as RFC 3339.
        reason: Why it waits.
        steps: What it would do; each can be decided on by itself.
        step_numbers: The number of each step; empty counts them from 1.
    """

    id: str
    created: str
    reason: str
    steps: tuple[TakenStep, ...]
    step_numbers: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        if not self.step_numbers:
            object.__setattr__(self, "step_numbers", tuple(range(1, len(self.steps) + 1)))

    @property
    def numbered(self) -> dict[int, TakenStep]:
        """Each step by its number."""
        return dict(zip(self.step_numbers, self.steps, strict=True))

    @property
    def changes(self) -> tuple[Change, ...]:
        """What it would do, in a person's terms."""
        return tuple(change for step in self.steps for change in step.changes)

    @property
    def numbers(self) -> tuple[int, ...]:
        """The number of the step that each of `changes` belongs to."""
        return tuple(number for number, step in self.numbered.items() for _ in step.changes)

    def chosen(self, numbers: Collection[int] | None) -> tuple[int, ...]:
        """Return the steps that a person named; all of them when none were named.

        Raises:
            UsageError: when there is no such number.
        """
        if not numbers:
            return self.step_numbers
        wrong = sorted(set(numbers) - set(self.step_numbers))
        if wrong:
            waiting = ", ".join(map(str, self.step_numbers))
            raise UsageError(
                f"proposal {self.id} has no change {wrong[0]} that waits",
                hint=f"the numbers that wait: {waiting}",
            )
        return tuple(sorted(set(numbers)))

    def without(self, numbers: Collection[int]) -> Proposal:
        """Return what still waits once some steps are decided."""
        rest = {n: step for n, step in self.numbered.items() if n not in numbers}
        return replace(self, steps=tuple(rest.values()), step_numbers=tuple(rest))


def put_to(
    home: Snapshot, proposal: Proposal, numbers: Sequence[int]
) -> tuple[Draft, tuple[int, ...]]:
    """Take a proposal's steps on the home as it is now; a step is taken whole or left.

    Args:
        home: The home as it is now; a person may have edited it since.
        proposal: What waits.
        numbers: The steps to take.

    Returns:
        The draft, and the numbers of the steps that no longer fit.
    """
    draft = Draft(home)
    left = []
    numbered = proposal.numbered
    for number in numbers:
        step = _rebased(draft.home, numbered[number])
        if step is None or not draft.take(step):
            left.append(number)
    return draft, tuple(left)


def _rebased(home: Snapshot, taken: TakenStep) -> Step | None:
    """Put a step's edits on the files as they are now; None when one of them has no place."""
    texts: dict[str, str | None] = {}
    for write in taken.writes:
        now = home.text(write.path) if write.path in home.notes else None
        before, after = _decoded(write.before), _decoded(write.after)
        if now == before:
            texts[write.path] = after
        elif now is None or before is None or after is None:
            return None
        else:
            merged = merge_texts(before, after, now)
            if merged.left:
                return None
            texts[write.path] = merged.text
    return Step(texts, taken.changes, moved=taken.moved)


def _decoded(data: bytes | None) -> str | None:
    return None if data is None else data.decode()


def to_payload(proposal: Proposal) -> dict[str, Any]:
    """Turn a proposal into what is kept in the state folder, plain JSON."""
    return {
        "id": proposal.id,
        "created": proposal.created,
        "reason": proposal.reason,
        "steps": [
            {
                "number": number,
                "changes": [asdict(change) for change in step.changes],
                "writes": [
                    {"path": w.path, "before": _decoded(w.before), "after": _decoded(w.after)}
                    for w in step.writes
                ],
                "moved": dict(step.moved),
            }
            for number, step in proposal.numbered.items()
        ],
    }


def from_payload(payload: Mapping[str, Any]) -> Proposal:
    """Read a proposal back.

    Raises:
        ValueError: when it is none, or was damaged.
    """
    try:
        steps = tuple(
            TakenStep(
                tuple(change_from(change) for change in step["changes"]),
                tuple(
                    FileWrite(w["path"], _encoded(w["before"]), _encoded(w["after"]))
                    for w in step["writes"]
                ),
                dict(step["moved"]),
            )
            for step in payload["steps"]
        )
        return Proposal(
            str(payload["id"]),
            str(payload["created"]),
            str(payload["reason"]),
            steps,
            _numbers_in(payload["steps"]),
        )
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"no proposal: {error}") from error


def _numbers_in(steps: Sequence[Mapping[str, Any]]) -> tuple[int, ...]:
    """Return the numbers of steps; those that were kept without one are counted from 1.

    Raises:
        ValueError: when two steps have one number, or a number is none.
    """
    numbers = tuple(step.get("number", count) for count, step in enumerate(steps, 1))
    if any(type(number) is not int or number < 1 for number in numbers):
        raise ValueError("no proposal: a number is none")
    if len(set(numbers)) < len(numbers):
        raise ValueError("no proposal: two of its changes have one number")
    return numbers


def change_from(value: Mapping[str, Any]) -> Change:
    """Read one change back from plain JSON."""
    evidence = tuple(Evidence(**one) for one in value["evidence"])
    return Change(**{**value, "evidence": evidence})


def _encoded(text: str | None) -> bytes | None:
    return None if text is None else text.encode()
