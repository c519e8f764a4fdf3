"""Findings: what is wrong in a person's files, told and never raised."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Severity = Literal["error", "warning", "info"]


@dataclass(frozen=True, slots=True, order=True)
class Finding:
    """One thing that a person may want to mend.

    Attributes:
        path: The file, relative to the home; empty for the home as a whole.
        line: The line, counted from 1; 0 when it is about the whole file.
        rule: Its name, such as ``broken-link``.
        severity: How bad it is.
        message: What is wrong, in one sentence.
        hint: What to do about it.
    """

    path: str
    line: int
    rule: str
    severity: Severity
    message: str
    hint: str = ""
