"""What a provider's errors become."""

from __future__ import annotations

import inspect
import json

import pytest

from toolnexus.errors import Malformed, Refused, Unreachable
from toolnexus.models.failures import KINDS, kind_of, parse_retry_after, translate
from toolnexus.models.redact import Redactor
from toolnexus.models.vendor import load_litellm


def vendor_errors() -> list[type[Exception]]:
    load_litellm()
    from litellm import exceptions

    named = [
        value
        for _, value in inspect.getmembers(exceptions, inspect.isclass)
        if issubclass(value, Exception) and value.__module__ == exceptions.__name__
    ]
    return sorted({*named, *exceptions.LITELLM_EXCEPTION_TYPES}, key=lambda kind: kind.__name__)


def test_every_error_of_the_vendor_is_mapped():
    """A version of litellm that brings an exception we do not know fails here, by its name."""
    errors = vendor_errors()
    assert len(errors) > 30
    assert [kind.__name__ for kind in errors if kind.__name__ not in KINDS] == []


def test_an_unknown_error_is_an_unreadable_answer():
    """What the vendor raises on odd data is told as such and never reaches a user as a bug."""
    failure = translate(KeyError("choices"), "m", Redactor())
    assert isinstance(failure.error, Malformed)
    assert not failure.retryable


def test_a_trace_of_the_vendors_is_not_shown():
    """An answer that is no completion is told as such, without the lines of litellm's code."""
    litellm = load_litellm()
    said = 'Invalid response object Traceback (most recent call last):\n  File "/usr/x.py"'
    failure = translate(litellm.APIError(500, said, "openai", "m"), "m", Redactor())
    assert str(failure.error).endswith("an answer that cannot be read: Invalid response object")
    assert not failure.retryable


def test_a_vague_error_is_told_by_its_cause():
    """A refused connection and bad JSON both arrive as InternalServerError and are told apart."""
    litellm = load_litellm()
    import httpx

    def wrapped(cause: Exception) -> Exception:
        error = litellm.InternalServerError("x", "openai", "m")
        error.__cause__ = cause
        return error

    away = translate(wrapped(httpx.ConnectError("refused")), "m", Redactor())
    assert isinstance(away.error, Unreachable)
    assert "could not be reached" in away.error.message
    assert away.retryable
    unread = translate(wrapped(json.JSONDecodeError("odd", "{", 0)), "m", Redactor())
    assert isinstance(unread.error, Malformed)


def test_a_cause_that_leads_back_to_itself_ends():
    """A circle of causes is walked once."""
    litellm = load_litellm()
    error = litellm.InternalServerError("x", "openai", "m")
    other = ValueError("y")
    error.__cause__, other.__cause__ = other, error
    assert kind_of(error).error is Unreachable


def test_an_empty_purse_is_not_tried_again():
    """A 429 for money is refused at once: no wait fills an account."""
    litellm = load_litellm()
    error = litellm.RateLimitError("You exceeded your current quota", "openai", "m")
    failure = translate(error, "m", Redactor())
    assert isinstance(failure.error, Refused)
    assert not failure.retryable


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("7", 7.0),
        (" 1.5 ", 1.5),
        ("-3", 0.0),
        ("", None),
        ("soon", None),
        ("nan", None),
        ("inf", None),
        ("Sun, 29 Nov 2026 03:00:09 GMT", 4.0),
        ("Sun, 99 Nov 2026 03:00:09 GMT", None),
    ],
)
def test_retry_after_is_read(text, seconds):
    """Seconds and dates are read; nonsense is as if it were not there."""
    assert parse_retry_after(text, "Sun, 29 Nov 2026 03:00:05 GMT") == seconds
