from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolnexus.heartbeat.reply import is_silence


@pytest.mark.parametrize(
    "reply",
    [
        "HEARTBEAT_OK", " HEARTBEAT_OK\n", "**HEARTBEAT_OK**.", "`HEARTBEAT_OK`", "_HEARTBEAT_OK_!",
        "```\nHEARTBEAT_OK\n```", "HEARTBEAT\\_OK", "“HEARTBEAT_OK”", "heartbeat_ok",
        "HEARTBEAT_OK HEARTBEAT_OK", "- HEARTBEAT_OK", "\u200bHEARTBEAT_OK\ufeff",
    ],
)  # fmt: skip
def test_the_token_alone_is_silence(reply):
    """White space, punctuation and emphasis around it do not count."""
    assert is_silence(reply)


@pytest.mark.parametrize(
    "reply",
    [
        "", "OK", "The build is red, so this is not a HEARTBEAT_OK.", "HEARTBEAT_OK: build is red",
        "HEARTBEAT_OKAY", "MY_HEARTBEAT_OK2", "HEARTBEAT OK", "1 HEARTBEAT_OK", "HEARTBEAT_OK 🔥",
    ],
)  # fmt: skip
def test_anything_else_is_news(reply):
    """A reply that merely mentions the token is delivered."""
    assert not is_silence(reply)


@pytest.mark.parametrize(
    ("reply", "most", "silent"),
    [
        ("HEARTBEAT_OK all clear", 9, True),
        ("HEARTBEAT_OK all clear", 8, False),
        ("All clear. HEARTBEAT_OK", 9, True),
        ("Not HEARTBEAT_OK at all", 300, False),
        ("Fire!", 300, False),
    ],
)
def test_more_may_stand_beside_it_where_settings_say_so(reply, most, silent):
    """`ack_max_chars` counts what stands before or behind the token, never on both sides."""
    assert is_silence(reply, most) is silent


@given(st.text(), st.integers(0, 50))
def test_a_word_beside_the_token_is_never_lost(text, most):
    """Whatever is longer than allowed is news, and no text makes the rule fail."""
    letters = sum(char.isalnum() for char in text)
    assert not (is_silence(f"HEARTBEAT_OK {text}", most) and letters > most and "_" not in text)
    is_silence(text, most)
