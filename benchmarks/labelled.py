"""Labelled claims: what a folder of cases holds, and the homes that are made of them.

A case is SET/NAME.json, with its conversations as SET/NAME/*.jsonl:

    {"speakers": {"assistant": "assistant"},
     "claims": [{"text": …, "label": "contradicted", "evidence": [turn ids], "correct_text": …}]}
"""

from __future__ import annotations

import json
import shutil
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from toolnexus.transcripts.turn import Turn

CONTRADICTED = "contradicted"


@dataclass(frozen=True, slots=True)
class LabelledClaim:
    """A claim and what is known of it.

    Attributes:
        text: Its words.
        label: ``contradicted`` for one that turns contradict; any other should stay as it is.
        evidence: The ids of the turns that say so.
        correct_text: What it should become; empty for one that should stay.
        correct_value: The value that is right; empty where that is not known.
    """

    text: str
    label: str
    evidence: tuple[str, ...] = ()
    correct_text: str = ""
    correct_value: str = ""

    @property
    def is_wrong(self) -> bool:
        """Whether it should be corrected."""
        return self.label == CONTRADICTED


@dataclass(frozen=True, slots=True)
class Case:
    """One home's claims and conversations.

    Attributes:
        set_name: The folder that the case is in.
        name: Its own name.
        folder: Where its conversations lie.
        claims: Its claims.
        of_people: Whether two people talk, so that both are speakers.
    """

    set_name: str
    name: str
    folder: Path
    claims: tuple[LabelledClaim, ...]
    of_people: bool

    def lay_out(self, root: Path) -> None:
        """Write a home whose MEMORY.md holds the claims."""
        (root / "transcripts").mkdir(parents=True)
        for source in sorted(self.folder.glob("*.jsonl")):
            target = root / "transcripts" / source.name
            if self.of_people:
                target.write_text("".join(_as_users(source)), encoding="utf-8")
            else:
                shutil.copyfile(source, target)
        lines = "".join(f"- {claim.text}\n" for claim in self.claims)
        (root / "MEMORY.md").write_text(f"# Memory\n\n{lines}", encoding="utf-8")
        (root / "SOUL.md").write_text("You remember.\n", encoding="utf-8")
        (root / "persona.yaml").write_text(
            "dream:\n  max_change: 1.0\n"
            "  budget: {usd: 1000, tokens: 100000000, calls: 5000, seconds: 3000}\n",
            encoding="utf-8",
        )


def read_cases(folder: Path) -> Iterator[Case]:
    """Yield the cases of a folder of sets, in order."""
    for path in sorted(folder.glob("*/*.json")):
        told = json.loads(path.read_text(encoding="utf-8"))
        speaker = told.get("speakers", {}).get("assistant", "assistant")
        yield Case(
            path.parent.name,
            path.stem,
            path.with_suffix(""),
            tuple(_claim(each) for each in told["claims"]),
            of_people=speaker != "assistant",
        )


def by_id(turns: Mapping[str, Turn], claim: LabelledClaim) -> list[Turn]:
    """Return the turns that a claim's label rests on."""
    return [turns[each] for each in claim.evidence if each in turns]


def _claim(told: Mapping[str, Any]) -> LabelledClaim:
    return LabelledClaim(
        told["text"],
        told["label"],
        tuple(told.get("evidence") or ()),
        told.get("correct_text") or "",
        str(told.get("correct_value") or ""),
    )


def _as_users(source: Path) -> Iterator[str]:
    for line in source.read_text(encoding="utf-8").splitlines():
        yield json.dumps({**json.loads(line), "role": "user"}, ensure_ascii=False) + "\n"
