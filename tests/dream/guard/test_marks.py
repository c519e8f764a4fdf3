"""Signs that a model puts into a claim, and that turn what it says without a word."""

from __future__ import annotations

import pytest
from test_judge import ask, turn

SAID = turn(1, "We finally moved to Berlin. Good, isn't it?")


@pytest.mark.parametrize(
    "after",
    [
        "~~Lives in Berlin.~~",
        "Lives in Berlin?",
        "`Lives in Berlin.",
        "[ ] Lives in Berlin.",
        "# Lives in Berlin.",
        "> Lives in Berlin.",
        "Lives in Berlin.\u200b",
        "Lives in \u202eBerlin.",
    ],
)
def test_a_mark_that_nobody_wrote_is_refused(after: str) -> None:
    """A claim is not struck out, asked, quoted or overlaid with signs that no word tells of."""
    verdict = ask("Lives in Paris.", after, [SAID], (1, "finally moved to Berlin"))
    assert verdict.answer == "refuse"


def test_a_mark_of_the_claim_or_of_a_turn_may_stand() -> None:
    """What is written as code stays written so, and what the user wrote so may come in."""
    said = turn(1, "I now use `uv` instead of pip.")
    assert ask("Uses `pip`.", "Uses `uv`.", [said], (1, said.text)).answer != "refuse"
    assert ask("Uses pip.", "Uses `uv`.", [said], (1, said.text)).answer != "refuse"
