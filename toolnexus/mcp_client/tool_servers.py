"""The tool servers of one home: started when their tools are first asked for, ended together."""

from __future__ import annotations

import atexit
import contextlib
import os
import threading
from concurrent.futures import Future
from typing import TYPE_CHECKING, Any, Self

from toolnexus.agent.tool import Tool
from toolnexus.errors import ToolServerError, UsageError
from toolnexus.mcp_client.connection import Connection
from toolnexus.mcp_client.launch import launch_of
from toolnexus.mcp_client.loop_thread import LoopThread
from toolnexus.mcp_client.naming import tool_name
from toolnexus.mcp_client.vendor import problem_of_arguments, problem_of_schema
from toolnexus.mcp_client.vetting import vet
from toolnexus.models.completion import ToolSpec

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path
    from types import TracebackType

    from toolnexus.mcp_client.launch import Launch
    from toolnexus.mcp_client.remote import RemoteTool
    from toolnexus.settings import McpServer

_DESCRIPTION_CHARS = 4_000
_MARGIN_SECONDS = 5.0  # so that the server's own time runs out before the call's
_PATIENCE_SECONDS = 15.0  # beyond a server's own time, for the end of one that hangs
_END_SECONDS = 12.0  # the SDK takes up to six to end a process that does not want to


class ToolServers:
    """The tool servers of one home. It may be used from several threads.

    Args:
        servers: The servers, as set.
        home: The home's folder.
        environ: The environment that values are taken from; None for the process's own.

    Example:
        >>> with ToolServers(home.settings.mcp_servers, home.root) as servers:  # doctest: +SKIP
        ...     Agent("ava", soul, model, servers.tools()).run("hi")
    """

    def __init__(
        self, servers: Sequence[McpServer], home: Path, environ: Mapping[str, str] | None = None
    ) -> None:
        self._servers = tuple(servers)
        self._home = home
        self._environ = os.environ if environ is None else environ
        self._guard = threading.Lock()
        self._loop: LoopThread | None = None
        self._connections: dict[str, Connection] = {}
        self._ends: list[Future[None]] = []
        self._tools: tuple[Tool, ...] | None = None
        self._notices: list[str] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        self.close()

    @property
    def notices(self) -> tuple[str, ...]:
        """One line for each thing that a person should know, such as a server that fails."""
        ended = (
            f"the tool server '{name}' {connection.end}"
            for name, connection in self._connections.items()
            if connection.end
        )
        return (*self._notices, *ended)

    def tools(self) -> tuple[Tool, ...]:
        """Return the servers' tools. The first time starts the servers, all at once.

        A server that cannot be used is a notice, and its tools are missing.
        """
        with self._guard:
            if self._tools is None:
                try:
                    self._tools = tuple(self._open())
                except BaseException:  # Ctrl-C: the next time begins anew
                    self.close()
                    self._forget()
                    raise
            return self._tools

    def close(self) -> None:
        """End all servers and their processes. Closing twice is closing once."""
        loop, self._loop = self._loop, None
        if loop is None:
            return
        try:
            for connection in self._connections.values():
                loop.call(connection.close)
            for end in self._ends:
                with contextlib.suppress(Exception):
                    end.result(_END_SECONDS)
        finally:
            loop.close()
            atexit.unregister(self.close)

    def _forget(self) -> None:
        for kept in (self._connections, self._ends, self._notices):
            kept.clear()

    def _open(self) -> Iterator[Tool]:
        """Start the servers, and give their tools as those of one become known after another's."""
        begun = [(server, launch) for server in self._servers if (launch := self._launch(server))]
        if not begun:
            return
        self._loop = LoopThread()
        atexit.register(self.close)
        opened = [self._begin(self._loop, launch) for _, launch in begun]
        taken: set[str] = set()
        for (server, launch), future in zip(begun, opened, strict=True):
            for remote in self._offered(server, launch, future):
                name = tool_name(server.name, remote.name, taken)
                taken.add(name)
                yield self._tool(launch, remote, name)

    def _launch(self, server: McpServer) -> Launch | None:
        try:
            return launch_of(server, self._home, self._environ)
        except ToolServerError as error:
            self._note_failure(server, error)
            return None

    def _begin(self, loop: LoopThread, launch: Launch) -> Future[list[RemoteTool]]:
        """Start one server; return what will be its tools."""
        opened: Future[list[RemoteTool]] = Future()
        connection = Connection(launch, opened)
        self._connections[launch.name] = connection
        self._ends.append(loop.submit(connection.serve()))
        return opened

    def _offered(
        self, server: McpServer, launch: Launch, opened: Future[list[RemoteTool]]
    ) -> tuple[RemoteTool, ...]:
        """Wait for a server's tools, and take those that can be offered."""
        try:
            found = opened.result(launch.timeout_seconds + _PATIENCE_SECONDS)
        except ToolServerError as error:
            self._note_failure(server, error)
            return ()
        except TimeoutError:
            self._note_failure(server, ToolServerError("it does not start"))
            return ()
        vetted = vet(found, server.allow, problem_of_schema)
        self._notices += [f"the tool server '{server.name}': {told}" for told in vetted.notices]
        return vetted.tools

    def _note_failure(self, server: McpServer, error: ToolServerError) -> None:
        hint = f" ({error.hint})" if error.hint else ""
        self._notices.append(f"the tools of '{server.name}' are left out: {error.message}{hint}")

    def _tool(self, launch: Launch, remote: RemoteTool, name: str) -> Tool:
        def call(arguments: Mapping[str, Any]) -> str:
            return self._call(launch.name, remote, arguments)

        spec = ToolSpec(name, remote.description[:_DESCRIPTION_CHARS], dict(remote.parameters))
        return Tool(spec, call, launch.timeout_seconds + _MARGIN_SECONDS)

    def _call(self, server: str, remote: RemoteTool, arguments: Mapping[str, Any]) -> str:
        """Call a tool and return its text.

        Raises:
            UsageError: when the arguments do not fit.
            ToolServerError: when there is no result, or one that is an error.
        """
        problem = problem_of_arguments(arguments, remote.parameters)
        if problem:
            hint = "mend them and call again"
            raise UsageError(f"the arguments do not fit: {problem}", hint=hint)
        loop = self._loop
        if loop is None:
            raise ToolServerError(f"the tool server '{server}' has ended")
        result = loop.submit(self._connections[server].call(remote.name, arguments)).result()
        if result.is_error:
            raise ToolServerError(result.text or "the tool failed, and does not say why")
        return result.text or "The tool gave no text."
