"""Any provider's model, by way of litellm."""

from __future__ import annotations

import asyncio
import contextlib
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from toolnexus.errors import UsageError
from toolnexus.models.completion import Completion, Delta, Request
from toolnexus.models.failures import translate
from toolnexus.models.redact import Redactor
from toolnexus.models.reply import StreamReader, read_response
from toolnexus.models.retry import Attempts, Failure, RetryPolicy, Timing
from toolnexus.models.vendor import load_litellm
from toolnexus.models.wire import render_request

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator, Mapping

SLOW_REPLY_SECONDS = 600.0
_CONNECT_SECONDS = 15.0
_OURS = frozenset({"model", "messages", "tools", "stream", "timeout", "max_retries", "num_retries"})


class LiteLlmModel:
    """A model of any provider that litellm knows. Keys come from the environment.

    What fails in a way that may pass (a server's error, a refused connection, too many requests) is
    tried again with growing waits, for `policy.total_seconds` in all; one slow reply may take
    `slow_reply_seconds`. It may be used from several threads at once.

    Args:
        name: litellm's name for it: ``openai/gpt-4o-mini``.
        api_base: The API's address; None leaves it to litellm and the environment.
        api_key: The key, for those who do not keep it in the environment.
        options: More arguments for the provider, such as ``{"temperature": 0}``.
        policy: How patient to be.
        slow_reply_seconds: How long one reply may take.
        timing: How time passes.

    Raises:
        UsageError: when `options` holds what this class decides.

    Example:
        >>> LiteLlmModel("openai/gpt-4o-mini").name
        'openai/gpt-4o-mini'
    """

    def __init__(
        self,
        name: str,
        *,
        api_base: str | None = None,
        api_key: str | None = None,
        options: Mapping[str, Any] | None = None,
        policy: RetryPolicy | None = None,
        slow_reply_seconds: float = SLOW_REPLY_SECONDS,
        timing: Timing | None = None,
    ) -> None:
        taken = sorted(_OURS & set(options or {}))
        if taken:
            raise UsageError(f"a model's options cannot hold {', '.join(taken)}")
        self._name = name
        self._options = dict(options or {})
        if api_base is not None:
            self._options["api_base"] = api_base
        if api_key is not None:
            self._options["api_key"] = api_key
        self._policy = policy or RetryPolicy()
        self._slow_reply_seconds = slow_reply_seconds
        self._timing = timing or Timing()
        self._secrets = () if api_key is None else (api_key,)

    @property
    def name(self) -> str:
        """Litellm's name for it."""
        return self._name

    def prepare(self) -> None:
        """Load the vendor, which takes seconds, so that the first question need not wait for it."""
        load_litellm()

    def window_tokens(self) -> int | None:
        """Return how many tokens it can take in; None when litellm does not know."""
        with contextlib.suppress(Exception):  # litellm raises several kinds for what it lacks
            tokens = load_litellm().get_model_info(self._name).get("max_input_tokens")
            return int(tokens) if tokens else None
        return None

    def complete(self, request: Request) -> Completion:
        """Ask and wait for the whole reply.

        Raises:
            ModelError: when no reply came; see `Model`.
        """
        attempts = self._attempts(request)
        while True:
            try:
                return self._read(self._send(request, attempts), request)
            except Exception as error:  # noqa: BLE001 - whatever the vendor raises is mapped
                failure = self._translate(error)
            self._timing.sleep(attempts.next_wait(failure))

    async def acomplete(self, request: Request) -> Completion:
        """Ask and wait for the whole reply, without holding up the event loop.

        Raises:
            ModelError: when no reply came; see `Model`.
        """
        attempts = await asyncio.to_thread(self._attempts, request)
        while True:
            try:
                return self._read(await self._asend(request, attempts), request)
            except Exception as error:  # noqa: BLE001 - whatever the vendor raises is mapped
                failure = self._translate(error)
            await self._timing.asleep(attempts.next_wait(failure))

    def stream(self, request: Request) -> Iterator[Delta]:
        """Ask and hand on the reply as it comes; a stream that has begun is not begun again.

        Raises:
            ModelError: when no reply came, or it broke off; see `Model`.
        """
        attempts = self._attempts(request)
        while True:
            reader = StreamReader(self._name, request)
            begun = False
            try:
                for chunk in self._send(request, attempts, stream=True):
                    text = reader.take(chunk)
                    if text:
                        begun = True
                        yield Delta(text)
                completion = self._priced(reader.completion())
            except Exception as error:  # noqa: BLE001 - whatever the vendor raises is mapped
                failure = self._translate(error, final=begun)
            else:
                yield Delta(completion=completion)
                return
            self._timing.sleep(attempts.next_wait(failure))

    async def astream(self, request: Request) -> AsyncIterator[Delta]:
        """Ask and hand on the reply as it comes, without holding up the event loop.

        Raises:
            ModelError: when no reply came, or it broke off; see `Model`.
        """
        attempts = await asyncio.to_thread(self._attempts, request)
        while True:
            reader = StreamReader(self._name, request)
            begun = False
            try:
                async for chunk in await self._asend(request, attempts, stream=True):
                    text = reader.take(chunk)
                    if text:
                        begun = True
                        yield Delta(text)
                completion = self._priced(reader.completion())
            except Exception as error:  # noqa: BLE001 - whatever the vendor raises is mapped
                failure = self._translate(error, final=begun)
            else:
                yield Delta(completion=completion)
                return
            await self._timing.asleep(attempts.next_wait(failure))

    def _attempts(self, request: Request) -> Attempts:
        """Begin to count the time, once the vendor is loaded: that can take seconds of its own."""
        load_litellm()
        return Attempts(self._policy, self._timing, request.timeout_seconds)

    def _send(self, request: Request, attempts: Attempts, *, stream: bool = False) -> Any:
        return load_litellm().completion(**self._arguments(request, attempts, stream=stream))

    async def _asend(self, request: Request, attempts: Attempts, *, stream: bool = False) -> Any:
        return await load_litellm().acompletion(**self._arguments(request, attempts, stream=stream))

    def _arguments(self, request: Request, attempts: Attempts, *, stream: bool) -> dict[str, Any]:
        """Put together what litellm is called with."""
        import httpx

        seconds = self._slow_reply_seconds
        if request.timeout_seconds is not None:
            left = request.timeout_seconds - attempts.elapsed_seconds
            seconds = max(0.001, min(seconds, left))
        arguments: dict[str, Any] = {
            **self._options,
            "model": self._name,
            **render_request(request),
            "timeout": httpx.Timeout(seconds, connect=min(seconds, _CONNECT_SECONDS)),
            "max_retries": 0,
            "num_retries": 0,
        }
        if request.max_tokens_out is not None:
            arguments["max_tokens"] = request.max_tokens_out
        if stream:
            arguments |= {"stream": True, "stream_options": {"include_usage": True}}
        return arguments

    def _read(self, response: Any, request: Request) -> Completion:
        return self._priced(read_response(response, self._name, request))

    def _priced(self, completion: Completion) -> Completion:
        """Put the price on a reply, where the model's is known."""
        usage = completion.usage
        with contextlib.suppress(Exception):  # litellm raises for a model that it has no price of
            price_in, price_out = load_litellm().cost_per_token(
                model=self._name,
                prompt_tokens=usage.tokens_in,
                completion_tokens=usage.tokens_out,
            )
            usage = replace(usage, usd=float(price_in + price_out))
        return replace(completion, usage=usage)

    def _translate(self, error: Exception, *, final: bool = False) -> Failure:
        """Map an error; keys are looked up only now, when there is a text to keep them out of."""
        redactor = Redactor.from_environment(secrets=self._secrets)
        failure = translate(error, self._name, redactor)
        return replace(failure, retryable=False) if final else failure
