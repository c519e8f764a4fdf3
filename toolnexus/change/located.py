"""Claims in their place: what conservation and sameness are judged by."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from toolnexus.text.types import Claim, Heading


@dataclass(frozen=True, slots=True)
class LocatedClaim:
    """A claim with the file it stands in and what it is said about.

    Attributes:
        path: Its file, relative to the home.
        claim: The claim itself.
        fold: Its text folded for comparison, links reduced to the file they lead to.
        context: What it is said under, folded, outermost first: the note's title, the headings,
            the parent items. Empty strings never stand in it.
        links: The files its links lead to; a link that leads nowhere is left out.
    """

    path: str
    claim: Claim
    fold: str
    context: tuple[str, ...]
    links: tuple[str, ...] = ()

    def is_same(self, other: LocatedClaim) -> bool:
        """Whether both say the same about the same: equal text and equal context."""
        return self.fold == other.fold and self.context == other.context


@dataclass(frozen=True, slots=True)
class Side:
    """The files that a plan changes, as they are on one side of it: before, or after.

    Attributes:
        claims: All their claims.
        headings: Their headings, by path.
        structure: The source of their code, comments, rules and table heads, by path: indents
            and line endings taken out, so that it can be found again where it was moved.
        fronts: Their front matter's source, by path; empty where there is none.
        titles: Their titles, by path.
        sources: What their front matter says they are derived from, by path: the paths of notes
            that are there, and turns of transcripts.
    """

    claims: tuple[LocatedClaim, ...] = ()
    headings: Mapping[str, tuple[Heading, ...]] = field(default_factory=dict)
    structure: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    fronts: Mapping[str, str] = field(default_factory=dict)
    titles: Mapping[str, str] = field(default_factory=dict)
    sources: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
