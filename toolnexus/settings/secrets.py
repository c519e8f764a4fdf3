"""Telling secrets from settings: persona.yaml is committed, mailed and shown, keys must not be."""

from __future__ import annotations

import re

ENVIRONMENT_HINT = "keep it out of this file: set it as an environment variable"

# Patterns stay text until they are used: re keeps what it compiled, and most starts need none.
# None may look far from many places: each starts at a fixed text or has a bound on its length.
_TELLING_NAME = (
    r"(?:^|[_.-])(?:api[_-]?key|key|token|passw(?:or)?d|passphrase|secret|credentials?)s?$"
    r"|(?:apikey|token|password|secret)$"
)
_KEY_SHAPES = (
    r"\bsk-[A-Za-z0-9_-]{8,}"  # OpenAI, Anthropic and those that took after them
    r"|\b(?:ghp|gho|ghs|ghu|github_pat|glpat|hf|gsk|r8|xai|pplx|npm)[_-][A-Za-z0-9_-]{16,}"
    r"|\bxox[abprs]-[A-Za-z0-9-]{8,}"
    r"|\b(?:AKIA|ASIA)[A-Z0-9]{16}\b"
    r"|\bAIza[A-Za-z0-9_-]{30,}"
    r"|\beyJ[A-Za-z0-9_-]{8,999}\.[A-Za-z0-9_-]{8,}\."
    r"|\b\d{8,10}:[A-Za-z0-9_-]{30,}"  # a Telegram bot's token
    r"|-----BEGIN [A-Z ]*PRIVATE KEY"
    r"|\bBearer\s+(?!\$\{)\S{8,}"  # save where it comes from the environment
    r"|(?<=[a-z0-9+.-])://[^/\s:@]*:[^/\s@]+@"  # a URL with a password
    r"|^--?[\w-]*(?:key|token|password|secret)=(?!\$|env:).+"
)
_OPAQUE = r"[A-Za-z0-9]{32,}"


def is_secret_name(key: str) -> bool:
    """Whether a key's name says that its value is a secret.

    Example:
        >>> is_secret_name("openai_api_key"), is_secret_name("tokens_per_beat")
        (True, False)
    """
    return re.search(_TELLING_NAME, key, re.IGNORECASE) is not None


def looks_like_secret(text: str) -> bool:
    """Whether a value has the shape of a key, a token or a password.

    Example:
        >>> looks_like_secret("sk-proj-abc123def456"), looks_like_secret("openai/gpt-4o-mini")
        (True, False)
    """
    if re.search(_KEY_SHAPES, text, re.IGNORECASE):
        return True
    return any(_is_random(word) for word in re.findall(_OPAQUE, text))


def _is_random(word: str) -> bool:
    """Long, with digits and both cases all through it: no person chose that."""
    digits = sum(char.isdigit() for char in word)
    upper = sum(char.isupper() for char in word)
    lower = sum(char.islower() for char in word)
    return min(digits, upper, lower) >= 3
