"""What can be asked of a chat besides the persona: ``/help`` and its kind."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from toolnexus.errors import UsageError
from toolnexus.home.layout import INDEX_FILE

if TYPE_CHECKING:
    from collections.abc import Callable

    from toolnexus.app import Home
    from toolnexus.app.chat import Chat

_WAYS = (
    "Several lines: end one with a backslash, or put them between lines of ``` or"
    ' """. Ctrl-C stops a reply; twice at the prompt, or Ctrl-D, it ends the chat.'
)
LEAVE = frozenset({"/quit", "/exit"})


@dataclass(slots=True)
class Table:
    """What a chat's commands work on.

    Attributes:
        home: The persona's home.
        begin: Opens a conversation.
        chat: The conversation that goes on.
    """

    home: Home
    begin: Callable[[], Chat]
    chat: Chat


def is_command(message: str) -> bool:
    """Whether a message is a command; one that begins with a blank never is.

    Example:
        >>> is_command("/help"), is_command(" /help"), is_command("1/2")
        (True, False, False)
    """
    return message.startswith("/") and "\n" not in message


def run_command(table: Table, message: str) -> str:
    """Run a command; return what it has to say.

    Raises:
        UsageError: when there is no such command, or it lacks a word.
    """
    name, _, rest = message.strip().partition(" ")
    found = _COMMANDS.get(name)
    if found is None:
        hint = "'/help' lists them; a blank before the stroke says it to the persona"
        raise UsageError(f"there is no command '{name}'", hint=hint)
    return found[1](table, rest.strip())


def _help(_table: Table, _rest: str) -> str:
    rows = [(f"{name} {words}".strip(), does) for name, (words, _, does) in _COMMANDS.items()]
    width = max(len(name) for name, _ in rows)
    lines = [f"{name:<{width}}  {does}" for name, does in rows]
    return "\n".join([*lines, "", _WAYS])


def _new(table: Table, _rest: str) -> str:
    table.chat.close()
    table.chat = table.begin()
    return f"a new conversation: {table.chat.conversation}"


def _soul(table: Table, _rest: str) -> str:
    return table.chat.soul or "the persona has no soul files yet"


def _memory(table: Table, _rest: str) -> str:
    home = table.home.read()
    text = home.text(INDEX_FILE) if INDEX_FILE in home.texts else ""
    return text.strip() or "nothing is remembered yet"


def _search(table: Table, rest: str) -> str:
    if not rest:
        raise UsageError("'/search' needs words to look for")
    found = table.home.search(rest, k=5)
    lines = [f"{hit.score:.2f}  {hit.path}:{hit.line}  {hit.text}" for hit in found.hits]  # type: ignore[union-attr]
    return "\n".join(lines) or "nothing found"


def _usage(table: Table, _rest: str) -> str:
    usage = table.chat.usage
    cost = "price unknown" if usage.usd is None else f"{usage.usd:.4f} US dollars"
    tokens = f"{usage.tokens_in:,} tokens in, {usage.tokens_out:,} out"
    replies = "1 reply" if usage.model_calls == 1 else f"{usage.model_calls} replies"
    return f"{replies} of the model, {tokens}, {cost}, {usage.seconds:.1f} s"


_COMMANDS: dict[str, tuple[str, Callable[[Table, str], str], str]] = {
    "/help": ("", _help, "show this"),
    "/new": ("", _new, "begin a new conversation; its soul is composed anew"),
    "/soul": ("", _soul, "show what the persona is told of itself in this conversation"),
    "/memory": ("", _memory, "show MEMORY.md as it is now"),
    "/search": ("WORDS", _search, "search the notes"),
    "/usage": ("", _usage, "tell what this conversation has cost so far"),
    "/quit": ("", _help, "leave"),
}
