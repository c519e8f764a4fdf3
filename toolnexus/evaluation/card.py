"""Scorecards: what was counted, home by home, kind by kind and in all."""

from __future__ import annotations

from dataclasses import dataclass, field, fields

from toolnexus.evaluation.case import KINDS, Kind


@dataclass(frozen=True, slots=True)
class Tally:
    """What was counted over some homes. Tallies can be added.

    Attributes:
        homes: Homes.
        claims: Claims in them.
        wanted: Claims that should be corrected, dropped or folded.
        corrected: Those that were, as they should be.
        waiting: Those of which a right change waits for a person.
        missed: Those that stand as they stood.
        standing: Claims that should stay as they are.
        conserved: Those that did.
        harmed: Claims that were made wrong, lost or made up.
        merges: Notes that should be folded into others.
        merged: Those that were.
        links: Links that should be repaired.
        repaired: Those that were, and nothing else broken.
        model_calls: Replies of the model.
        tokens_in: Tokens that it read.
        tokens_out: Tokens that it wrote.
        usd: Money in US dollars, as far as prices are known.
        seconds: Wall time.
    """

    homes: int = 0
    claims: int = 0
    wanted: int = 0
    corrected: int = 0
    waiting: int = 0
    missed: int = 0
    standing: int = 0
    conserved: int = 0
    harmed: int = 0
    merges: int = 0
    merged: int = 0
    links: int = 0
    repaired: int = 0
    model_calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    usd: float = 0.0
    seconds: float = 0.0

    @property
    def score(self) -> float:
        """The share, 0 to 1, of claims, merges and links that ended as they should.

        Example:
            >>> Tally(claims=4, wanted=1, corrected=1, standing=3, conserved=2, harmed=1).score
            0.75
        """
        there = self.wanted + self.standing + self.merges + self.links
        right = self.corrected + self.conserved + self.merged + self.repaired
        return right / there if there else 1.0

    def __add__(self, other: Tally) -> Tally:
        sums = {f.name: getattr(self, f.name) + getattr(other, f.name) for f in fields(Tally)}
        return Tally(**sums)


@dataclass(frozen=True, slots=True)
class Scored:
    """What became of one home.

    Attributes:
        name: The home's name.
        kind: What it tries a model with.
        language: Its language.
        tally: What was counted.
        missed: The claims, notes and links that should have changed and did not.
        harmed: The claims that were made wrong, lost or made up.
    """

    name: str
    kind: Kind
    language: str
    tally: Tally
    missed: tuple[str, ...] = ()
    harmed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Scorecard:
    """A model as a dreamer.

    Attributes:
        model: Its name; ``none`` for passes without one.
        homes: What became of each home.
        stopped: Why it ended early; empty when it did not.
    """

    model: str
    homes: tuple[Scored, ...] = ()
    stopped: str = ""
    kinds: dict[Kind, Tally] = field(init=False)

    def __post_init__(self) -> None:
        tallies: dict[Kind, Tally] = {}
        for kind in KINDS:
            found = [home.tally for home in self.homes if home.kind == kind]
            if found:
                tallies[kind] = sum(found, Tally())
        object.__setattr__(self, "kinds", tallies)

    @property
    def all(self) -> Tally:
        """All homes together."""
        return sum((home.tally for home in self.homes), Tally())
