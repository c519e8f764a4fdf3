"""Secrets of a text as problems of its lines; what they are is told, never what they say."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolnexus.text.lines import Lines
from toolnexus.text.secrets.find import find_secrets
from toolnexus.text.types import Problem

if TYPE_CHECKING:
    from collections.abc import Iterable

SECRET_RULE = "secret"  # noqa: S105 - a rule's name
ROTATE_HINT = (
    "make it worthless where it is from (revoke the key, change the password), then take it out "
    "here and out of older copies, and keep the new one in a password manager"
)


def secret_problems(text: str) -> tuple[Problem, ...]:
    r"""Return a problem for each secret of a text.

    Example:
        >>> [(each.line, each.message) for each in secret_problems("# Home\n- PIN: 4821\n")]
        [(2, 'a PIN seems to stand here')]
    """
    found = find_secrets(text)
    if not found:
        return ()
    lines = Lines(text)
    return tuple(
        Problem(
            SECRET_RULE, lines.number_at(secret.start), secret_message([secret.kind]), ROTATE_HINT
        )
        for secret in found
    )


def secret_message(kinds: Iterable[str]) -> str:
    """Say which kinds of secrets stand somewhere.

    Example:
        >>> secret_message(["an AWS key", "a PIN", "a PIN"])
        'an AWS key and a PIN seem to stand here'
    """
    each = list(dict.fromkeys(kinds))
    return f"{' and '.join(each)} {'seem' if len(each) > 1 else 'seems'} to stand here"
