"""Turns in which somebody pasted a key or a password."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolnexus.text.secrets import find_secrets
from toolnexus.text.secrets.problems import SECRET_RULE, secret_message
from toolnexus.transcripts.turn import TranscriptProblem

if TYPE_CHECKING:
    from collections.abc import Iterable


def secret_kinds(text: str) -> tuple[str, ...]:
    """Return what kinds of secrets stand in a speech.

    Example:
        >>> secret_kinds("The PIN is 4821.")
        ('a PIN',)
    """
    return tuple(secret.kind for secret in find_secrets(text))


def secret_problem(line: int, kinds: Iterable[str]) -> TranscriptProblem:
    """Return the problem of a turn that holds secrets; the turn itself is read all the same."""
    return TranscriptProblem(line, SECRET_RULE, secret_message(kinds), skipped=False)
