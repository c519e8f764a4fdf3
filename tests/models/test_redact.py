"""What never gets out."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolnexus.models.redact import MASK, Redactor


@pytest.mark.parametrize(
    "secret",
    [
        "sk-proj-abc123def456",
        "ghp_abcdefghijklmnop1234",
        "xoxb-12345678-abcdef",
        "AKIAABCDEFGHIJKLMNOP",
        "eyJhbGciOiJI.eyJzdWIiOiIx.c2lnbmF0dXJl",
    ],
)
def test_what_looks_like_a_key_is_masked(secret):
    """The common shapes of keys are masked wherever they stand."""
    shown = Redactor().text(f"the key ({secret}) is wrong")
    assert secret not in shown
    assert MASK in shown


def test_headers_and_addresses_lose_their_secrets():
    """A bearer token and a password in an address are masked; what is around them stays."""
    shown = Redactor().text("Authorization: Bearer abc.def-123 to https://me:pass@host/x")
    assert shown == f"Authorization: Bearer {MASK} to https://{MASK}@host/x"


def test_plain_words_stay():
    """Ordinary text is not touched."""
    text = "Maria asked about tokens, the desk-lamp and task-management; bearer of news."
    assert Redactor.from_environment({"PATH": "/bin", "X_API_KEY": "abc"}).text(text) == text


@given(st.text(min_size=8).filter(str.strip), st.text(), st.text())
def test_a_known_secret_is_never_shown(secret, before, after):
    """The value of a variable that is named like a key is masked in any text, at any depth."""
    redactor = Redactor.from_environment({"MY_API_KEY": secret})
    value = redactor.value({"a": [before + secret.strip() + after], "n": 3})
    if len(secret.strip()) >= 8 and secret.strip() not in MASK:
        assert secret.strip() not in value["a"][0].replace(MASK, "\0")
    assert value["n"] == 3
