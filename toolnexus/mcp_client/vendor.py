"""The official SDK, the one place that speaks to it: sessions, results, errors in our words."""

from __future__ import annotations

import contextlib
import importlib
import importlib.metadata
import json
import logging
from typing import TYPE_CHECKING, Any

from toolnexus.mcp_client.remote import RemoteResult, RemoteTool

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterable, Mapping
    from typing import TextIO

    from mcp import Client

    from toolnexus.mcp_client.launch import Launch

INSTALL_HINT = "pip install 'toolnexus[mcp]'"
_MODULES = ("jsonschema", "mcp.client.stdio", "mcp.client.streamable_http")
_PAGES = 50  # of tools; a server that has more never ends
_NO_MCP = "what it answers is no MCP"
_GONE = "it has ended"


def load() -> None:
    """Import what the SDK consists of, which takes a second or two.

    Raises:
        ModuleNotFoundError: when it is not installed.
    """
    for module in _MODULES:
        importlib.import_module(module)
    # The SDK logs what it cannot read, with a traceback; that is told in one line here.
    logging.getLogger("mcp").addHandler(logging.NullHandler())


@contextlib.asynccontextmanager
async def connect(
    launch: Launch, stderr: TextIO, remark: Callable[[str], None]
) -> AsyncIterator[Session]:
    """Begin a server and speak to it, until the context is left, which also ends its processes.

    Args:
        launch: How it is begun.
        stderr: Where a command's standard error goes; it needs a file descriptor.
        remark: Is told what else is odd about the server, in a few words.

    Raises:
        Exception: whatever the SDK raises; `explain` tells what it means.
    """
    from mcp import Client
    from mcp.types import Implementation

    async def listen(message: object) -> None:
        if isinstance(message, Exception):
            remark("it writes what is no MCP")

    async with contextlib.AsyncExitStack() as stack:
        transport = await _transport(launch, stderr, remark, stack)
        version = importlib.metadata.version("toolnexus")
        info = Implementation(name="toolnexus", version=version)
        client = Client(transport, client_info=info, message_handler=listen, cache=None)
        yield Session(await stack.enter_async_context(client))


class Session:
    """A server that answers. It is a `Remote`."""

    def __init__(self, client: Client) -> None:
        self._client = client

    async def list_tools(self) -> list[RemoteTool]:
        """Ask for its tools."""
        found: list[RemoteTool] = []
        cursor = None
        for _ in range(_PAGES):
            page = await self._client.list_tools(cursor=cursor)
            found += [
                RemoteTool(tool.name, tool.description or tool.title or "", tool.input_schema)
                for tool in page.tools
            ]
            cursor = page.next_cursor
            if not cursor:
                break
        return found

    async def call(self, name: str, arguments: Mapping[str, Any]) -> RemoteResult:
        """Call a tool."""
        result = await self._client.call_tool(name, dict(arguments))
        text = _text_of(result.content)
        if not result.content and result.structured_content is not None:
            text = json.dumps(result.structured_content, ensure_ascii=False)
        return RemoteResult(text, is_error=bool(result.is_error))


def explain(error: BaseException, launch: Launch) -> str:
    """Tell in one line what went wrong with a server; what came from the environment is masked."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return launch.redactor.text(" ".join(_meaning(error, launch).split()))[:400]


def is_end(error: BaseException) -> bool:
    """Whether an error says that the connection is no more."""
    from mcp import MCPError
    from mcp.types import CONNECTION_CLOSED

    return isinstance(error, MCPError) and error.code == CONNECTION_CLOSED


def problem_of_schema(schema: Mapping[str, Any]) -> str:
    """Say why a schema is none; empty when it is one."""
    from jsonschema import SchemaError

    try:
        _dialect(schema).check_schema(schema)
    except (SchemaError, RecursionError) as error:
        return f"its schema is none: {str(getattr(error, 'message', error))[:200]}"
    return ""


def problem_of_arguments(arguments: Mapping[str, Any], schema: Mapping[str, Any]) -> str:
    """Say how arguments do not fit a schema; empty when they do, or when the schema is too odd."""
    from jsonschema.exceptions import best_match
    from referencing import Registry

    # With a registry of its own it looks up no reference on the network.
    validator = _dialect(schema)(schema, registry=Registry())
    try:
        error = best_match(validator.iter_errors(dict(arguments)))
    except Exception:  # noqa: BLE001 - the server has the last word on what it takes
        return ""
    if error is None:
        return ""
    where = ".".join(map(str, error.absolute_path))
    return f"'{where}': {error.message}" if where else str(error.message)


def _dialect(schema: Mapping[str, Any]) -> Any:
    """Return the validator of a schema's dialect; those before draft 6 are read as the newest."""
    from jsonschema import Draft3Validator, Draft4Validator, Draft202012Validator
    from jsonschema.validators import validator_for

    found = validator_for(schema, default=Draft202012Validator)
    return Draft202012Validator if found in (Draft3Validator, Draft4Validator) else found


async def _transport(
    launch: Launch,
    stderr: TextIO,
    remark: Callable[[str], None],
    stack: contextlib.AsyncExitStack,
) -> Any:
    """Return what carries messages to a server and back."""
    if launch.command:
        from mcp.client.stdio import StdioServerParameters, stdio_client

        command, *args = launch.command
        parameters = StdioServerParameters(
            command=command,
            args=args,
            env=dict(launch.env),
            cwd=launch.folder,
            encoding_error_handler="replace",
        )
        return stdio_client(parameters, errlog=stderr)
    import httpx2
    from mcp.client.streamable_http import streamable_http_client

    async def look(response: Any) -> None:
        # 405 is how a server says that it has no stream of its own, which is no error.
        if response.status_code >= 300 and response.status_code != 405:
            remark(f"it answered with HTTP {response.status_code}")

    http = httpx2.AsyncClient(
        headers=dict(launch.headers),
        timeout=launch.timeout_seconds,
        event_hooks={"response": [look]},
    )
    return streamable_http_client(launch.url, http_client=await stack.enter_async_context(http))


def _text_of(content: Iterable[Any]) -> str:
    """Return the texts of a result, and the kinds of what is none."""
    texts: list[str] = []
    left_out: list[str] = []
    for block in content:
        inner = getattr(block, "resource", block)
        text = getattr(inner, "text", None)
        if isinstance(text, str):
            texts.append(text)
        else:
            left_out.append(_kind(block))
    if left_out:
        texts.append(f"[left out, as it is no text: {', '.join(left_out)}]")
    return "\n".join(texts)


def _kind(block: Any) -> str:
    """Name a block that is no text: its kind, its type, where it is."""
    inner = getattr(block, "resource", block)
    kind = getattr(inner, "mime_type", None)
    where = getattr(inner, "uri", None)
    told = f"{str(block.type).replace('_', ' ')}{f' ({kind})' if kind else ''}"
    return f"{told} {where}" if where else told


def _meaning(error: BaseException, launch: Launch) -> str:
    import httpx2
    from mcp import MCPError
    from pydantic import ValidationError

    match error:
        case MCPError():
            return _answer_meaning(error, launch)
        case TimeoutError() | httpx2.TimeoutException():
            return _late(launch)
        case httpx2.TransportError():
            return f"it cannot be reached: {error}"
        case httpx2.HTTPStatusError():
            return f"it answered with HTTP {error.response.status_code}"
        case ValidationError() | json.JSONDecodeError():
            return _NO_MCP
        case OSError() if error.strerror:
            return _start_meaning(error, launch)
    return f"{type(error).__name__}: {error}"


def _answer_meaning(error: Any, launch: Launch) -> str:
    """Tell what an error means that came over the connection."""
    from mcp.types import CONNECTION_CLOSED, PARSE_ERROR, REQUEST_TIMEOUT

    if error.code == CONNECTION_CLOSED:
        return _GONE
    if error.code == REQUEST_TIMEOUT:
        return _late(launch)
    if error.code == PARSE_ERROR:
        return _NO_MCP
    return str(error.message) or f"it answered with error {error.code}"


def _start_meaning(error: OSError, launch: Launch) -> str:
    """Tell why a command could not be started."""
    if isinstance(error, FileNotFoundError) and str(error.filename) == str(launch.folder):
        return f"there is no folder '{launch.folder}'"
    if isinstance(error, FileNotFoundError) and launch.command:
        return f"there is no program '{launch.command[0]}'"
    return f"it cannot be started: {error.strerror}"


def _late(launch: Launch) -> str:
    return f"it did not answer within {launch.timeout_seconds:g} s"
