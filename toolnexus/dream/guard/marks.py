"""Marks: signs that turn what a text says, and that no word of it tells: ~~struck~~, asked?"""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

from toolnexus.dream.guard.verdict import Verdict, refuse

if TYPE_CHECKING:
    from toolnexus.dream.guard.case import Case

_MARKS = re.compile(r"~~|==|`|!\[|\[[ xX]\]|[#<>|{}]|[?¿؟？]")
_JOINERS = frozenset("\u200c\u200d")
"""Characters of no width of their own that some scripts and emoji are spelt with."""


def adds_no_marks(case: Case) -> Verdict | None:
    """No mark comes in that neither the claim nor a cited turn has, and nothing unseen."""
    if unseen := next((char for char in case.after if _is_unseen(char, case.before)), ""):
        return refuse(
            f"the new text has a character that nobody sees (U+{ord(unseen):04X})",
            "write it in plain words",
        )
    old = _MARKS.findall(case.before)
    said = " ".join(cited.turn.text for cited in case.cited)
    for mark in _MARKS.findall(case.after):
        if mark in old:
            old.remove(mark)
        elif mark in "?¿؟？" or mark not in said:
            return refuse(
                f"the new text has a '{mark}' that the claim and the cited turns do not have",
                "write it in plain words",
            )
    return None


def _is_unseen(char: str, before: str) -> bool:
    if char in before or char in _JOINERS:
        return False
    return unicodedata.category(char) in {"Cc", "Cf", "Co", "Cn"} and char not in "\t\n"
