"""Checks of secrets: keys and passwords that were pasted into a home's files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolnexus.home.finding import Finding
from toolnexus.text.secrets.problems import SECRET_RULE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolnexus.home.snapshot import Snapshot


def check_secrets(snapshot: Snapshot) -> Iterator[Finding]:
    """Yield ``secret`` for what looks like a key or a password; its value is never repeated."""
    for path, note in snapshot.notes.items():
        for problem in note.document.problems:
            if problem.rule == SECRET_RULE:
                yield Finding(
                    path, problem.line, "secret", "warning", problem.message, problem.hint
                )
