"""Secrets in running text: keys, tokens, passwords that were pasted or said, found and masked."""

from toolnexus.text.secrets.find import (
    MASK,
    Secret,
    find_secrets,
    holds_secret,
    mask,
    mask_lines,
    mask_part,
    shorten,
)

__all__ = [
    "MASK",
    "Secret",
    "find_secrets",
    "holds_secret",
    "mask",
    "mask_lines",
    "mask_part",
    "shorten",
]
