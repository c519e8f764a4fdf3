"""`AsyncActing`: the same for programs with an event loop, which is not held up."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

from toolnexus.app.acting import Acting

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from toolnexus.app.host import ModelLike, ToolLike
    from toolnexus.app.results import Reply
    from toolnexus.app.started_async import AsyncStarted
    from toolnexus.dream.types import Pass
    from toolnexus.evolve.plugging.event import Plug
    from toolnexus.evolve.plugging.summary import Plugged
    from toolnexus.heartbeat.types import Beat


class AsyncActing(Acting):
    """The async twins of what the persona does. The host's async tools run on the event loop."""

    async def aask(
        self,
        prompt: str,
        *,
        conversation: str = "",
        model: ModelLike | None = None,
        tools: Iterable[ToolLike] = (),
        on_text: Callable[[str], None] | None = None,
    ) -> Reply:
        """Ask the persona something; see `ask`.

        What is awaited no longer is stopped, and what was said until then is recorded as cut.
        """
        from toolnexus.agent.calls import off_loop

        cancel = threading.Event()

        def ask() -> Reply:
            with self.chat(conversation=conversation, model=model, tools=tools) as chat:
                return chat.say(prompt, on_text=on_text, cancel=cancel)

        try:
            return await off_loop(ask)
        finally:
            cancel.set()

    async def abeat(
        self,
        *,
        force: bool = False,
        model: ModelLike | None = None,
        tools: Iterable[ToolLike] = (),
        say: Callable[[str], None] | None = None,
    ) -> Beat:
        """Make one heartbeat; see `beat`."""
        from toolnexus.agent.calls import off_loop

        return await off_loop(lambda: self.beat(force=force, model=model, tools=tools, say=say))

    async def adream(self, **options: Any) -> Pass:
        """Run one pass; see `dream`, whose arguments it takes."""
        from toolnexus.agent.calls import off_loop

        return await off_loop(lambda: self.dream(**options))

    async def aplug(self, plug: Plug, **options: Any) -> Plugged:
        """Bring what a source has into the home; see `plug`, whose arguments it takes.

        The plug runs beside the event loop; events that it has awaited have a loop of their own.
        """
        from toolnexus.agent.calls import off_loop

        return await off_loop(lambda: self.plug(plug, **options))

    def astart(self, **options: Any) -> AsyncStarted:
        """Let the persona act by itself; see `start`, whose arguments it takes.

        It is started by ``async with`` or ``await``. `on_beat` and `on_error` are called on the
        event loop, and may be async.

        Example:
            >>> async with ava.astart(every="30m", on_beat=tell):  # doctest: +SKIP
            ...     await serve()
        """
        from toolnexus.app.started_async import AsyncStarted

        return AsyncStarted(self, options)
