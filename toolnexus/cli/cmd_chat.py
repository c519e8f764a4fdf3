"""``chat``: a conversation with a persona, until Ctrl-D."""

from __future__ import annotations

import contextlib
import sys
import threading
from typing import TYPE_CHECKING

from toolnexus.cli.arguments import add_home
from toolnexus.cli.chat_commands import LEAVE, Table, is_command, run_command
from toolnexus.cli.chat_input import Reader
from toolnexus.cli.cmd_ask import add_conversation, reply_fields, tell_end
from toolnexus.cli.commands import Call, Command
from toolnexus.cli.failures import as_known, error_fields, say_error
from toolnexus.cli.homes import open_home
from toolnexus.cli.reply_stream import ReplyStream
from toolnexus.cli.termination import unwound_by_sigterm

if TYPE_CHECKING:
    from argparse import ArgumentParser

    from toolnexus.app.chat import Chat
    from toolnexus.app.results import Reply

PROMPT = "you> "


def _arguments(parser: ArgumentParser) -> None:
    add_home(parser)
    add_conversation(parser)


def _chat(call: Call) -> int:
    home = open_home(call, call.arguments.home, model=call.arguments.model)

    def begin(conversation: str = "") -> Chat:
        return home.chat(conversation=conversation)

    table = Table(home, begin, begin(call.arguments.conversation))
    with unwound_by_sigterm():
        try:
            return _Session(call, table, Reader(PROMPT)).run()
        finally:
            table.chat.close()


class _Session:
    """A chat on its way.

    Args:
        call: The call.
        table: What it works on.
        reader: Where messages come from.
    """

    def __init__(self, call: Call, table: Table, reader: Reader) -> None:
        self._console = call.console
        self._table = table
        self._reader = reader
        self._told: list[dict[str, object]] = []
        self._code = 0

    def run(self) -> int:
        """Go on until the person leaves; return the exit code.

        That is 0 at a terminal, where errors were seen; else the last error's.
        """
        self._greet()
        warned = False
        while True:
            try:
                message = self._reader.read()
            except EOFError:
                break
            except KeyboardInterrupt:
                if warned:
                    break
                warned = self._warn()
                continue
            warned = False
            if message.strip() in LEAVE:
                break
            self._take(message)
        return self._leave()

    def _take(self, message: str) -> None:
        """Do what a message asks for; an error is told, and the chat goes on."""
        if not message.strip():
            return
        try:
            if is_command(message):
                self._show(run_command(self._table, message))
            else:
                self._say(message)
        except BrokenPipeError:
            raise
        except Exception as error:  # noqa: BLE001 -- one turn's trouble must not end the chat
            known = as_known(error)
            say_error(known, self._console)
            self._code = known.exit_code
            self._told.append({"prompt": message, "error": error_fields(known)})

    def _say(self, message: str) -> None:
        """Say something to the persona; Ctrl-C stops its reply alone."""
        stream, chat = ReplyStream(), self._table.chat
        try:
            reply = chat.say(message, on_text=None if self._console.as_json else stream.write)
        except KeyboardInterrupt:
            stream.close()
            self._console.progress("(stopped; what was said is kept)")
            self._told.append({"prompt": message, "cut": "interrupted"})
            return
        finally:
            stream.close()
        self._end(message, reply, stream)

    def _end(self, message: str, reply: Reply, stream: ReplyStream) -> None:
        if stream.is_empty and reply.text and not self._console.as_json:
            self._console.block(reply.text)
        tell_end(self._console, reply)
        self._told.append({"prompt": message, **reply_fields(reply)})
        if self._reader.interactive:
            print()

    def _greet(self) -> None:
        if self._reader.interactive:
            name, conversation = self._table.home.name, self._table.chat.conversation
            self._console.progress(f"{name}, conversation {conversation}; '/help' tells more")
            threading.Thread(target=self._prepare, daemon=True).start()

    def _prepare(self) -> None:
        """Load the model's library while the person types; what fails is told by the first turn."""
        with contextlib.suppress(Exception):
            self._table.chat.prepare()

    def _warn(self) -> bool:
        """Tell how to leave; True, for having told."""
        print(file=sys.stderr)
        self._console.progress("(Ctrl-C again, Ctrl-D or '/quit' leaves)")
        return True

    def _show(self, text: str) -> None:
        """Print what a command said; beside the document it is no result."""
        if self._console.as_json:
            self._console.progress(text)
        else:
            self._console.block(text)

    def _leave(self) -> int:
        if self._reader.interactive:
            print()
        if self._console.as_json:
            chat = self._table.chat
            fields = {"conversation": chat.conversation, "turns": self._told, "usage": chat.usage}
            self._console.document("chat", fields)
        return 0 if self._reader.interactive else self._code


COMMANDS = (Command("chat", "toolnexus chat ava --model openai/gpt-4o-mini", _arguments, _chat),)
