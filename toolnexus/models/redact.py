"""Keeping keys out of what is shown or written: errors, logs, recordings."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, Any

from toolnexus.settings.secrets import is_secret_name
from toolnexus.text.secrets import MASK, mask

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

_SHORTEST = 8  # a shorter value stands in too many innocent texts
_SHAPES = re.compile(
    r"\bsk-[A-Za-z0-9_*-]{6,}"
    r"|(?<=Bearer )[A-Za-z0-9._~+/=-]{6,}"
    r"|\b(?:gh[posu]|github_pat|glpat|hf|gsk|xai|pplx|r8|npm)[_-][A-Za-z0-9_-]{16,}"
    r"|\bxox[abprs]-[A-Za-z0-9-]{8,}"
    r"|\b(?:AKIA|ASIA)[A-Z0-9]{16}\b"
    r"|\bAIza[A-Za-z0-9_-]{30,}"
    r"|\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*"
    r"|(?<=://)[^/\s:@]*:[^/\s@]+(?=@)"
    r"|(?<=api[_-]key=)[^&\s\"']{6,}"
)


class Redactor:
    """Masks secrets in texts: those that it knows, and what looks like one.

    Args:
        secrets: Texts that must never be shown; what looks like a key is masked as well.

    Example:
        >>> Redactor(["hunter22"]).text("hunter22 and sk-abcdef123456")
        '[redacted] and [redacted]'
    """

    def __init__(self, secrets: Iterable[str] = ()) -> None:
        known = sorted({s for s in secrets if len(s) >= _SHORTEST}, key=len, reverse=True)
        self._known = re.compile("|".join(map(re.escape, known))) if known else None

    @classmethod
    def from_environment(
        cls, environ: Mapping[str, str] | None = None, secrets: Iterable[str] = ()
    ) -> Redactor:
        """Make one that knows the values of the variables that are named like keys.

        Args:
            environ: The environment; None stands for the process's own.
            secrets: Texts to mask besides those.

        Example:
            >>> Redactor.from_environment({"MY_API_KEY": "abcdefgh"}).text("key abcdefgh")
            'key [redacted]'
        """
        variables = os.environ if environ is None else environ
        values = [value.strip() for name, value in variables.items() if is_secret_name(name)]
        return cls([*values, *secrets])

    def text(self, text: str) -> str:
        """Return a text without its secrets."""
        if self._known is not None:
            text = self._known.sub(MASK, text)
        return mask(_SHAPES.sub(MASK, text))

    def value(self, value: Any) -> Any:
        """Return a JSON value with every text in it masked."""
        match value:
            case str():
                return self.text(value)
            case dict():
                return {self.text(str(key)): self.value(item) for key, item in value.items()}
            case list() | tuple():
                return [self.value(item) for item in value]
        return value
