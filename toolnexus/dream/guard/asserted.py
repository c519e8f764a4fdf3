"""Asserted: whether the quotes state something, or only ask or suppose it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolnexus.dream.guard.verdict import Verdict

if TYPE_CHECKING:
    from toolnexus.dream.guard.case import Case


def is_asserted(case: Case) -> Verdict | None:
    """What is asked, supposed or told of others is no fact."""
    _ = case
    return None
