"""Connections: one server, from its start to its end. They live on an event loop."""

from __future__ import annotations

import asyncio
import math
from typing import TYPE_CHECKING, Any

from toolnexus.errors import ToolServerError
from toolnexus.mcp_client.last_words import LastWords
from toolnexus.mcp_client.vendor import INSTALL_HINT, connect, explain, is_end, load

if TYPE_CHECKING:
    from collections.abc import Mapping
    from concurrent.futures import Future

    from anyio import CancelScope

    from toolnexus.mcp_client.launch import Launch
    from toolnexus.mcp_client.remote import Remote, RemoteResult, RemoteTool

_END_SECONDS = 5.0  # for goodbyes over the network; ending a process has its own bounds


class Connection:
    """A server that is being started, used and ended.

    Args:
        launch: How it is begun.
        opened: Is given the server's tools once they are known, or a `ToolServerError`.

    Attributes:
        end: What to tell of its end in the middle of the work; empty while there was none.
    """

    def __init__(self, launch: Launch, opened: Future[list[RemoteTool]]) -> None:
        self._launch = launch
        self._opened = opened
        self._closing = asyncio.Event()
        self._remote: Remote | None = None
        self._words: LastWords | None = None
        self._limit: CancelScope | None = None
        self._remarked = ""
        self.end = ""

    async def serve(self) -> None:
        """Start the server, keep it until `close`, and end it."""
        try:
            load()  # which takes a while, and is no fault of the server's
        except ModuleNotFoundError as error:
            told = f"the package '{error.name}' is not installed"
            self._opened.set_exception(ToolServerError(told, hint=INSTALL_HINT))
            return
        with LastWords() as words:
            self._words = words
            try:
                await self._serve(words)
            except Exception as error:  # noqa: BLE001 - whatever a server does, the work goes on
                self._fail(ToolServerError(self._told(error)))
            finally:
                self._remote = self._words = None
                self._fail(ToolServerError("it was ended before it had started"))

    def close(self) -> None:
        """Let it end; one that is still starting is given up."""
        self._closing.set()
        if self._remote is None and self._limit is not None:
            self._limit.cancel()

    async def call(self, name: str, arguments: Mapping[str, Any]) -> RemoteResult:
        """Call a tool.

        Raises:
            ToolServerError: when the server cannot be asked or gives no result.
        """
        import anyio

        if self._remote is None or self.end:
            raise ToolServerError(f"the tool server '{self._launch.name}' has ended")
        self._remarked = ""
        try:
            with anyio.fail_after(self._launch.timeout_seconds):
                return await self._remote.call(name, arguments)
        except Exception as error:  # noqa: BLE001 - told to the model
            told = self._told(error)
            if is_end(error):
                self.end = f"ended in the middle of the work{self._last_words()}"
            raise ToolServerError(f"the tool server '{self._launch.name}': {told}") from None

    async def _serve(self, words: LastWords) -> None:
        import anyio

        if self._closing.is_set():
            return
        with anyio.fail_after(self._launch.timeout_seconds) as limit:
            self._limit = limit
            async with connect(self._launch, words.stream, self._remark) as remote:
                words.let_go()
                tools = await remote.list_tools()
                limit.deadline = math.inf
                self._remote = remote
                self._opened.set_result(tools)
                await self._closing.wait()
                limit.deadline = anyio.current_time() + _END_SECONDS

    def _remark(self, text: str) -> None:
        self._remarked = text

    def _fail(self, error: ToolServerError) -> None:
        if not self._opened.done():
            self._opened.set_exception(error)

    def _told(self, error: Exception) -> str:
        """Tell what went wrong, with what the program said last."""
        remarked = f"; {self._remarked}" if self._remarked else ""
        return explain(error, self._launch) + remarked + self._last_words()

    def _last_words(self) -> str:
        line = self._words.line if self._words is not None else ""
        return f"; it said: {self._launch.redactor.text(line)}" if line else ""
