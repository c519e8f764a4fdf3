"""What goes wrong at a provider, in our words: litellm's error tree mapped to ours."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from toolnexus.errors import Malformed, ModelError, Refused, Unreachable
from toolnexus.models.retry import Failure

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolnexus.models.redact import Redactor

_SHOWN = 300
_NOISE = re.compile(r"^(?:(?:litellm\.)?\w*(?:Error|Exception|Timeout)(?: Error)?\s*[:-]\s*)+")
_STATUS = re.compile(r"^Error code: \d+ - ")
_TRACE = re.compile(r"Traceback \(most recent call last\).*")
_NO_QUOTA = re.compile(r"insufficient_quota|exceeded your current quota|billing", re.IGNORECASE)
_NO_KEY = re.compile(r"api[_ ]key|credentials", re.IGNORECASE)


class ContextExceeded(Refused):
    """The conversation is longer than the model's window."""


@dataclass(frozen=True, slots=True)
class Kind:
    """What a vendor's error means.

    Attributes:
        error: Ours.
        said: What happened, with the model's name before it.
        hint: What to do about it.
        retryable: Whether another attempt may do better.
    """

    error: type[ModelError]
    said: str
    hint: str
    retryable: bool = False


KEY = Kind(
    Refused, "did not accept the key", "set the provider's key, such as OPENAI_API_KEY, anew"
)
KEYLESS = Kind(Refused, "was asked without a key", "set the provider's, such as OPENAI_API_KEY")
MONEY = Kind(Refused, "wants to be paid", "check the account's balance and quota")
RATE = Kind(
    Refused, "is asked too often", "wait a while, or ask the provider for a higher limit", True
)
REQUEST = Kind(Refused, "refused the request", "check the model's name and what it supports")
NO_PROVIDER = Kind(
    Refused, "names no provider", "write it as PROVIDER/MODEL, such as openai/gpt-4o-mini"
)
NO_MODEL = Kind(Refused, "is not there", "check the model's name and the API's address")
POLICY = Kind(Refused, "refused for its content policy", "change what is asked, or the model")
WINDOW = Kind(ContextExceeded, "cannot take in so much", "use a model with a larger window")
BROKEN = Kind(
    Unreachable, "is failing", "try again later; 'toolnexus doctor' tests the connection", True
)
AWAY = Kind(
    Unreachable,
    "could not be reached",
    "check the network and the API's address; 'toolnexus doctor' tests the connection",
    True,
)
SLOW = Kind(Unreachable, "did not answer in time", "try again later, or use a quicker model")
UNREADABLE = Kind(
    Malformed, "gave an answer that cannot be read", "check that the address is a chat API's"
)

# Every exception that litellm defines; a test fails when a version brings one that is not here.
KINDS: dict[str, Kind] = {
    "AuthenticationError": KEY,
    "CallerCredentialAuthenticationError": KEY,
    "PermissionDeniedError": KEY,
    "PaymentRequiredError": MONEY,
    "BudgetExceededError": MONEY,
    "RateLimitError": RATE,
    "CallerCredentialRateLimitError": RATE,
    "NotFoundError": NO_MODEL,
    "ModelNotMappedError": NO_MODEL,
    "LiteLLMUnknownProvider": NO_MODEL,
    "BadRequestError": REQUEST,
    "InvalidRequestError": REQUEST,
    "UnprocessableEntityError": REQUEST,
    "UnsupportedParamsError": REQUEST,
    "UnsupportedEndpointError": REQUEST,
    "EndpointNotSupportedByModelError": REQUEST,
    "MalformedRequestFieldError": REQUEST,
    "ImageFetchError": REQUEST,
    "VectorStoreSearchError": REQUEST,
    "RejectedRequestError": POLICY,
    "ContentPolicyViolationError": POLICY,
    "GuardrailRaisedException": POLICY,
    "GuardrailInterventionNormalStringError": POLICY,
    "BlockedPiiEntityError": POLICY,
    "ModifyResponseException": POLICY,
    "SensitiveDataRouteException": POLICY,
    "ContextWindowExceededError": WINDOW,
    "Timeout": SLOW,
    "InternalServerError": BROKEN,
    "ServiceUnavailableError": BROKEN,
    "BadGatewayError": BROKEN,
    "APIError": BROKEN,
    "OpenAIError": BROKEN,
    "MockException": BROKEN,
    "MidStreamFallbackError": BROKEN,
    "APIConnectionError": AWAY,
    "APIResponseValidationError": UNREADABLE,
    "JSONSchemaValidationError": UNREADABLE,
}
# What tells more than the error it is wrapped in: litellm says InternalServerError to all of these.
_CAUSES: dict[str, Kind] = {
    "ConnectError": AWAY,
    "ConnectTimeout": AWAY,
    "ConnectionRefusedError": AWAY,
    "RemoteProtocolError": AWAY,
    "ReadError": AWAY,
    "JSONDecodeError": UNREADABLE,
    "APIResponseValidationError": UNREADABLE,
    "ValidationError": UNREADABLE,
}
_STATUSES: dict[int, Kind] = {401: KEY, 402: MONEY, 403: KEY, 404: NO_MODEL, 408: SLOW, 429: RATE}
_VAGUE = (BROKEN, AWAY, SLOW)
# Words that tell more than their error's class, for providers that litellm does not know well.
_SAID = (
    (re.compile(r"provider not provided", re.IGNORECASE), NO_PROVIDER),
    (re.compile(r"context (?:length|window|size)|prompt is too long", re.IGNORECASE), WINDOW),
    (re.compile(r"(?:empty or )?invalid response\b", re.IGNORECASE), UNREADABLE),
)


def translate(error: Exception, model: str, redactor: Redactor) -> Failure:
    """Tell what an error of the vendor's means.

    Args:
        error: What the vendor raised.
        model: The model's name, for the message.
        redactor: Masks keys that a provider may echo.

    Example:
        >>> from toolnexus.models.redact import Redactor
        >>> str(translate(ValueError("odd"), "openai/x", Redactor()).error)
        'the model openai/x gave an answer that cannot be read: odd'
    """
    if isinstance(error, ModelError):
        return Failure(error)
    kind = kind_of(error)
    detail = _detail(error, redactor) if kind is not NO_PROVIDER else ""  # a page of examples
    message = f"the model {model} {kind.said}" + (f": {detail}" if detail else "")
    retryable = kind.retryable and not (kind is RATE and _NO_QUOTA.search(detail))
    wait = _retry_after(error) if retryable else None
    hint = kind.hint if wait is None else f"{kind.hint}; it asks for {wait:g} seconds"
    return Failure(kind.error(message, hint=hint), retryable, wait)


def kind_of(error: Exception) -> Kind:
    """Find what an error means: by its class, then by its causes and status where that is vague."""
    kind = next((KINDS[c.__name__] for c in type(error).__mro__ if c.__name__ in KINDS), UNREADABLE)
    said = next((told for words, told in _SAID if words.search(str(error))), None)
    if kind is REQUEST or (kind is BROKEN and said is UNREADABLE):
        return said or kind
    if kind is KEY and _is_keyless(error):
        return KEYLESS
    if kind not in _VAGUE:
        return kind
    for cause in _causes(error):
        if type(cause).__name__ in _CAUSES:
            return _CAUSES[type(cause).__name__]
    return _by_status(error, kind)


def _by_status(error: Exception, kind: Kind) -> Kind:
    status = getattr(error, "status_code", None)
    if status is None or not isinstance(status, int):
        return kind
    if status in _STATUSES:
        return _STATUSES[status]
    if 300 <= status < 500:
        return REQUEST
    return KEYLESS if status == 500 and _is_keyless(error) else kind


def _is_keyless(error: Exception) -> bool:
    """Whether there was no key to ask with, so that the request was never sent."""
    return _NO_KEY.search(str(error)) is not None and not _was_answered(error)


def _was_answered(error: Exception) -> bool:
    """Whether a provider answered at all; without a key the request is never sent."""
    return any(type(cause).__name__ == "HTTPStatusError" for cause in _causes(error))


def _causes(error: BaseException) -> Iterator[BaseException]:
    seen: set[int] = set()
    at: BaseException | None = error
    while at is not None and id(at) not in seen:
        seen.add(id(at))
        if at is not error:
            yield at
        at = at.__cause__ or at.__context__ or getattr(at, "original_exception", None)


def _detail(error: Exception, redactor: Redactor) -> str:
    """Return what the provider said, on one short line."""
    text = " ".join(str(getattr(error, "message", "") or error).split())
    text = _TRACE.sub("", _STATUS.sub("", _NOISE.sub("", text)))
    text = redactor.text(text).strip(" .:-")
    return text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"


def _retry_after(error: Exception) -> float | None:
    """Read how long the provider asks to wait: seconds, milliseconds or a date."""
    headers = getattr(getattr(error, "response", None), "headers", None) or {}
    try:
        if headers.get("retry-after-ms"):
            return max(0.0, float(headers["retry-after-ms"]) / 1000)
        return parse_retry_after(str(headers.get("retry-after") or ""), headers.get("date"))
    except (ValueError, TypeError, OverflowError):
        return None


def parse_retry_after(text: str, now: str | None = None) -> float | None:
    """Read a Retry-After header.

    Args:
        text: Seconds, or an HTTP date.
        now: The reply's own Date header, which a date is counted from; without it a date says
            nothing.

    Returns:
        Seconds, never negative; None when there is nothing to read.

    Example:
        >>> parse_retry_after("7")
        7.0
        >>> date = "Sun, 29 Nov 2026 03:00:{} GMT"
        >>> parse_retry_after(date.format("09"), date.format("05"))
        4.0
    """
    from email.utils import parsedate_to_datetime

    if not text.strip():
        return None
    try:
        seconds = float(text)
    except ValueError:
        if now is None:
            return None
        try:
            seconds = (parsedate_to_datetime(text) - parsedate_to_datetime(now)).total_seconds()
        except (ValueError, TypeError):
            return None
    return max(0.0, seconds) if math.isfinite(seconds) else None
