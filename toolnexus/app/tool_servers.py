"""The tool servers that a home names, for one beat or one conversation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from types import TracebackType

    from toolnexus.agent.tool import Tool
    from toolnexus.app.parts import Parts
    from toolnexus.mcp_client.tool_servers import ToolServers


class HomeToolServers:
    """A home's tool servers. Nothing is loaded or started before their tools are asked for.

    Args:
        home: The home.

    Example:
        >>> with HomeToolServers(home) as servers:  # doctest: +SKIP
        ...     agent = Agent("ava", soul, model, servers.tools())
    """

    def __init__(self, home: Parts) -> None:
        self._home = home
        self._servers: ToolServers | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        self.close()

    def tools(self) -> tuple[Tool, ...]:
        """Return the servers' tools; the first time starts the servers.

        Raises:
            ConfigError: when the settings are wrong.
        """
        named = self._home.settings.mcp_servers
        if not named:
            return ()
        if self._servers is None:
            from toolnexus.mcp_client.tool_servers import ToolServers

            self._servers = ToolServers(named, self._home.root)
        return self._servers.tools()

    def notices(self) -> tuple[str, ...]:
        """Return one line for each thing that a person should know of them."""
        return () if self._servers is None else self._servers.notices

    def close(self) -> None:
        """End the servers that were started. Closing twice is closing once."""
        if self._servers is not None:
            self._servers.close()
