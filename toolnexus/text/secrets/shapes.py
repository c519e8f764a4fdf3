"""The shapes of keys: what no person says, and what no prose has by chance.

A shape names the letters without which it cannot stand in a text, so that most texts are never put
to its pattern. No pattern may look far from many places: each begins at fixed letters and goes on
through one class of characters, or has a bound on its length.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_TOKEN = "[A-Za-z0-9_-]"  # noqa: S105 - a class of characters
_BODY = r"(?:\s*[A-Za-z0-9+/=\\]{16,})*(?:\s*[A-Za-z0-9+/=]+)?(?:\s*-----END [A-Z0-9 ]{0,40}-----)?"
_HEADERS = r"(?:\s*(?:Proc-Type|DEK-Info|Version|Comment):[^\n]*)*"


@dataclass(frozen=True, slots=True)
class Shape:
    """What a kind of key looks like.

    Attributes:
        kind: What it is, for a person, with its article.
        anchors: Letters of which at least one stands in every such key.
        pattern: Finds it; the group ``value`` is what must not be seen, else all of it.
        needs_digit: Whether a find without any digit is only a word.
    """

    kind: str
    anchors: tuple[str, ...]
    pattern: str
    needs_digit: bool = False

    def spans(self, text: str) -> Iterator[tuple[int, int]]:
        """Yield where such keys stand in a text."""
        if not any(anchor in text for anchor in self.anchors):
            return
        for found in compiled(self.pattern).finditer(text):
            group = "value" if "value" in found.re.groupindex else 0
            value = found[group]
            if is_stand_in(value) or (self.needs_digit and not any(map(str.isdigit, value))):
                continue
            yield found.span(group)


SHAPES = (
    Shape("an API key", ("sk-",), rf"\bsk-{_TOKEN}{{12,}}", needs_digit=True),
    Shape(
        "an API key",
        ("gsk_", "xai-", "pplx-", "r8_"),
        rf"\b(?:gsk_|xai-|pplx-|r8_){_TOKEN}{{16,}}",
        needs_digit=True,
    ),
    Shape(
        "a GitHub token",
        ("ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_"),
        r"\b(?:gh[pousr]_|github_pat_)[A-Za-z0-9_]{16,}",
        needs_digit=True,
    ),
    Shape("a GitLab token", ("glpat-",), rf"\bglpat-{_TOKEN}{{16,}}", needs_digit=True),
    Shape("an npm token", ("npm_",), r"\bnpm_[A-Za-z0-9]{16,}", needs_digit=True),
    Shape("a Hugging Face token", ("hf_",), r"\bhf_[A-Za-z0-9]{16,}"),
    Shape("a Slack token", ("xox",), r"\bxox[abeoprs]-[A-Za-z0-9-]{10,}", needs_digit=True),
    Shape("an AWS access key", ("AKIA", "ASIA"), r"\b(?:AKIA|ASIA)[A-Z0-9]{16}\b"),
    Shape("a Google API key", ("AIza",), rf"\bAIza{_TOKEN}{{30,}}"),
    Shape("a Telegram bot token", (":AA",), rf"(?<!\d)\d{{8,10}}:AA{_TOKEN}{{28,}}"),
    Shape(
        "a JSON Web Token",
        ("eyJ",),
        rf"(?<![\w-])eyJ{_TOKEN}{{8,}}\.{_TOKEN}{{8,}}\.{_TOKEN}*",
    ),
    Shape(
        "a private key",
        ("PRIVATE KEY",),
        rf"-----BEGIN [A-Z0-9 ]{{0,40}}PRIVATE KEY(?: BLOCK)?-----{_HEADERS}{_BODY}",
    ),
    Shape(
        "a bearer token",
        ("earer ",),
        r"\b[Bb]earer +(?P<value>[A-Za-z0-9._~+/=-]{16,})",
        needs_digit=True,
    ),
    Shape(
        "a password in an address",
        ("://",),
        r"(?<=://)[^/\s:@]{0,100}:(?P<value>[^/\s@]{3,200})@",
    ),
)


@cache
def compiled(pattern: str) -> re.Pattern[str]:
    """Return a pattern, compiled when it is first used: most starts need none."""
    return re.compile(pattern)


def is_stand_in(value: str) -> bool:
    """Whether a value only stands where a secret would: an example, a variable, a mask.

    Example:
        >>> is_stand_in("$API_KEY"), is_stand_in("[redacted]"), is_stand_in("hunter2")
        (True, True, False)
    """
    if value.startswith(("$", "<", "{", "[", "%", "env:", "os.environ", "…")):
        return True
    plain = value.strip("\"'`.,;:!?()").casefold()
    return plain in _STAND_INS or not set(plain) - set("*x.•-_…")


_STAND_INS = frozenset(
    {
        "password",
        "passwort",
        "passwd",
        "pass",
        "secret",
        "token",
        "key",
        "yourpassword",
        "changeme",
        "1password",
    }
)
