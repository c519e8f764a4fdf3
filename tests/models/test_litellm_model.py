"""The adapter, against a real server on loopback that misbehaves."""

from __future__ import annotations

import asyncio
import traceback
from typing import TYPE_CHECKING

import pytest

from toolnexus.errors import Malformed, ModelError, Refused, Unreachable, UsageError
from toolnexus.models.completion import Completion, Request, ToolSpec
from toolnexus.models.litellm_model import LiteLlmModel
from toolnexus.models.message import SystemMessage, ToolCall, UserMessage
from toolnexus.models.retry import Timing
from toolnexus.testing.openai_server import OpenAiServer, ServerReply

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = pytest.mark.slow

KEY = "secret-value-0123456789"
REQUEST = Request(
    (SystemMessage("You are Ava."), UserMessage("hello")), (ToolSpec("memory", "remembers"),)
)


class Sleeper:
    """Time that passes only when somebody sleeps."""

    def __init__(self) -> None:
        self.now = 0.0
        self.waits: list[float] = []

    def sleep(self, seconds: float) -> None:
        """Let time pass."""
        self.waits.append(seconds)
        self.now += seconds

    async def asleep(self, seconds: float) -> None:
        """Let time pass."""
        self.sleep(seconds)

    def timing(self) -> Timing:
        """Return what the adapter takes its time from."""
        return Timing(lambda: self.now, self.sleep, self.asleep, lambda: 0.0)


def streamed(model: LiteLlmModel, request: Request) -> Completion:
    *_, last = model.stream(request)
    assert last.completion is not None
    return last.completion


def awaited(model: LiteLlmModel, request: Request) -> Completion:
    return asyncio.run(model.acomplete(request))


def streamed_async(model: LiteLlmModel, request: Request) -> Completion:
    async def drain() -> Completion:
        deltas = [delta async for delta in model.astream(request)]
        assert deltas[-1].completion is not None
        return deltas[-1].completion

    return asyncio.run(drain())


WAYS: list[Callable[[LiteLlmModel, Request], Completion]] = [
    LiteLlmModel.complete,
    streamed,
    awaited,
    streamed_async,
]
every_way = pytest.mark.parametrize("ask", WAYS)


def model_at(server: OpenAiServer, sleeper: Sleeper | None = None, **options) -> LiteLlmModel:
    timing = (sleeper or Sleeper()).timing()
    return LiteLlmModel(
        "openai/scripted", api_base=server.base_url, api_key=KEY, timing=timing, **options
    )


@every_way
def test_words_and_calls_are_read(ask):
    """Each of the four ways gives the same reply, with its tokens, and a price that is unknown."""
    reply = ServerReply("on it", calls=(("memory", '{"action": '), ("memory", "{}")))
    with OpenAiServer(reply) as server:
        completion = ask(model_at(server), REQUEST)
    assert completion.text == "on it"
    assert completion.calls == (
        ToolCall("call_0", "memory", '{"action": '),
        ToolCall("call_1", "memory", "{}"),
    )
    assert completion.finish == "tool_calls"
    usage = completion.usage
    assert (usage.tokens_in, usage.tokens_out, usage.usd, usage.calls) == (100, 20, None, 1)
    assert server.requests[0]["messages"][0] == {"role": "system", "content": "You are Ava."}
    assert server.requests[0]["tools"][0]["function"]["name"] == "memory"


def test_a_stream_comes_in_pieces():
    """Words are handed on as they come, and the whole comes last."""
    with OpenAiServer(ServerReply("one two three")) as server:
        deltas = list(model_at(server).stream(REQUEST))
    assert [delta.text for delta in deltas] == ["one", " two", " three", ""]
    assert [delta.completion is None for delta in deltas] == [True, True, True, False]


@every_way
def test_a_reply_cut_by_length_says_so(ask):
    """The finish reason of a cut reply is length."""
    with OpenAiServer(ServerReply("and then", finish="length")) as server:
        assert ask(model_at(server), REQUEST).finish == "length"


@every_way
def test_an_empty_reply_is_a_reply(ask):
    """A reply without words or calls is handed on as it is; the loop above decides."""
    with OpenAiServer(ServerReply(None)) as server:
        completion = ask(model_at(server), REQUEST)
    assert (completion.text, completion.calls) == ("", ())


def test_uncounted_tokens_are_estimated():
    """A provider that reports no usage does not make a budget blind."""
    with OpenAiServer(ServerReply("x" * 400, tokens=None)) as server:
        usage = model_at(server).complete(REQUEST).usage
    assert usage.tokens_in > 10
    assert usage.tokens_out == 100


def test_a_known_model_has_a_price():
    """Where litellm knows the price, it is told in dollars."""
    with OpenAiServer(ServerReply("x", tokens=(1_000_000, 1))) as server:
        model = LiteLlmModel("openai/gpt-4o-mini", api_base=server.base_url, api_key=KEY)
        usage = model.complete(REQUEST).usage
    assert usage.usd == pytest.approx(0.15, rel=1e-3)
    assert model.window_tokens() == 128_000
    assert LiteLlmModel("openai/scripted").window_tokens() is None


@pytest.mark.parametrize(
    ("reply", "kind", "said"),
    [
        (ServerReply("Incorrect key", status=401), Refused, "did not accept the key"),
        (ServerReply("Incorrect API key provided", status=401), Refused, "did not accept the key"),
        (ServerReply("pay up", status=402), Refused, "wants to be paid"),
        (ServerReply("region", status=403), Refused, "did not accept the key"),
        (ServerReply("no such model", status=404), Refused, "is not there"),
        (ServerReply("bad field", status=400), Refused, "refused the request"),
        (ServerReply("maximum context length is 9", status=400), Refused, "cannot take in"),
        (ServerReply(body=b"{oops"), Malformed, "cannot be read"),
        (ServerReply(body=b"<html>login</html>"), Malformed, "cannot be read"),
        (ServerReply(body=b'{"object": "chat.completion", "choices": []}'), Malformed, ""),
        (ServerReply(body=b"[]"), Malformed, ""),
        (ServerReply(body=b"null"), Malformed, ""),
    ],
)
def test_what_no_retry_mends_is_raised_at_once(reply, kind, said):
    """A no and an unreadable answer cost one request, and say what to do."""
    sleeper = Sleeper()
    with OpenAiServer(reply) as server, pytest.raises(kind) as caught:
        model_at(server, sleeper).complete(REQUEST)
    assert len(server.requests) == 1
    assert sleeper.waits == []
    assert caught.value.message.startswith("the model openai/scripted ")
    assert said in caught.value.message
    assert "litellm" not in caught.value.message
    assert caught.value.hint


def test_a_model_without_a_key_is_not_said_to_refuse_one(monkeypatch):
    """Where no key is set none is sent, and that is what is told."""
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with OpenAiServer("x") as server, pytest.raises(Refused, match="was asked without a key"):
        LiteLlmModel("openai/scripted", api_base=server.base_url).complete(REQUEST)
    assert server.requests == []


@every_way
def test_a_server_that_recovers_is_asked_again(ask):
    """After a 500, a 503 and a 429 the reply comes, and none of it is seen above."""
    replies = [ServerReply(status=s) for s in (500, 503, 429)]
    sleeper = Sleeper()
    with OpenAiServer(*replies, ServerReply("back")) as server:
        assert ask(model_at(server, sleeper), REQUEST).text == "back"
        assert len(server.requests) == 4
    assert sleeper.waits == [0.5, 1.0, 2.0]


@every_way
def test_retry_after_is_honoured(ask):
    """A 429 that says how long to wait is waited for that long."""
    sleeper = Sleeper()
    slow = ServerReply("slow down", status=429, headers={"Retry-After": "7"})
    with OpenAiServer(slow, ServerReply("now")) as server:
        assert ask(model_at(server, sleeper), REQUEST).text == "now"
    assert sleeper.waits == [7.0]


def test_a_wait_that_is_too_long_is_told():
    """A provider that asks for an hour is not waited for; the hint tells how long it asks for."""
    sleeper = Sleeper()
    slow = ServerReply("slow down", status=429, headers={"Retry-After": "3600"})
    with OpenAiServer(slow) as server, pytest.raises(Refused) as caught:
        model_at(server, sleeper).complete(REQUEST)
    assert sleeper.waits == []
    assert "3600 seconds" in caught.value.hint


@pytest.mark.parametrize("status", [429, 500, 502])
def test_a_server_that_stays_down_is_given_up(status):
    """After 45 seconds in all the model counts as gone; the number of requests has a bound."""
    sleeper = Sleeper()
    with OpenAiServer(ServerReply(status=status)) as server:
        with pytest.raises(Refused if status == 429 else Unreachable):
            model_at(server, sleeper).complete(REQUEST)
        assert 4 <= len(server.requests) <= 15
    assert 30.0 < sleeper.now < 45.0


@every_way
def test_a_refused_connection_is_unreachable(ask):
    """Nobody listens: tried again until the time is up, then told as that."""
    sleeper = Sleeper()
    with OpenAiServer() as server:
        model = model_at(server, sleeper)
    with pytest.raises(Unreachable, match="could not be reached"):
        ask(model, REQUEST)
    assert 30.0 < sleeper.now < 45.0


@every_way
def test_a_hang_ends_in_time(ask):
    """A server that never answers is given up after the time for one slow reply, once only."""
    with OpenAiServer(ServerReply(hangs=True)) as server:
        with pytest.raises(Unreachable, match="in time"):
            ask(model_at(server, slow_reply_seconds=0.2), REQUEST)
        assert len(server.requests) == 1


def test_a_request_can_have_a_shorter_time():
    """The time that a caller has left bounds the request."""
    with OpenAiServer(ServerReply(hangs=True)) as server, pytest.raises(Unreachable):
        model_at(server).complete(Request(REQUEST.messages, timeout_seconds=0.2))


@pytest.mark.parametrize("ask", [streamed, streamed_async])
def test_a_stream_that_breaks_off_is_unreachable(ask):
    """Words that came are not followed by the same words again: a begun stream is not repeated."""
    sleeper = Sleeper()
    with OpenAiServer(ServerReply("one two three", cut_after=3)) as server:
        with pytest.raises(Unreachable):
            ask(model_at(server, sleeper), REQUEST)
        assert len(server.requests) == 1


def test_a_stream_that_never_began_is_tried_again():
    """A connection that breaks before the first word is one more attempt."""
    with OpenAiServer(ServerReply(cut_after=0), ServerReply("here")) as server:
        assert streamed(model_at(server), REQUEST).text == "here"


def test_no_key_stands_in_an_error():
    """A provider that echoes the key does not get it into our message, nor into a traceback."""
    reply = ServerReply(f"Incorrect API key provided: {KEY}, Bearer {KEY}", status=401)
    with OpenAiServer(reply) as server, pytest.raises(Refused) as caught:
        model_at(server).complete(REQUEST)
    error = caught.value
    assert "[redacted]" in error.message
    assert error.__cause__ is None
    assert error.__context__ is None
    shown = traceback.TracebackException.from_exception(error, capture_locals=False)
    assert KEY not in "".join(shown.format())


def test_a_missing_key_is_told_as_that(monkeypatch):
    """Without a key the message says so at once, and the hint names the variable."""
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    sleeper = Sleeper()
    with pytest.raises(Refused, match="key") as caught:
        LiteLlmModel("openai/gpt-4o-mini", timing=sleeper.timing()).complete(REQUEST)
    assert "OPENAI_API_KEY" in caught.value.hint
    assert sleeper.waits == []


def test_an_unknown_provider_is_told_as_that():
    """A model that no provider has is an error that names it."""
    with pytest.raises(ModelError, match=r"nonesuch names no provider$") as caught:
        LiteLlmModel("nonesuch").complete(REQUEST)
    assert "PROVIDER/MODEL" in caught.value.hint


def test_options_are_passed_on_and_ours_are_ours():
    """A temperature reaches the provider; what the adapter decides cannot be overridden."""
    with OpenAiServer() as server:
        model_at(server, options={"temperature": 0}).complete(
            Request(REQUEST.messages, max_tokens_out=50)
        )
    assert server.requests[0]["temperature"] == 0
    assert server.requests[0]["max_tokens"] == 50
    with pytest.raises(UsageError, match="timeout"):
        LiteLlmModel("m", options={"timeout": 3})


def test_nothing_is_printed(capfd):
    """An error of the provider's leaves stdout and stderr to the program."""
    with OpenAiServer(ServerReply("no", status=401)) as server, pytest.raises(Refused):
        model_at(server).complete(REQUEST)
    assert capfd.readouterr() == ("", "")
