"""``ask``: one question to a persona, its reply printed as it is said."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from toolnexus.cli.commands import Call, Command
from toolnexus.cli.homes import open_home
from toolnexus.cli.termination import unwound_by_sigterm
from toolnexus.errors import UsageError

if TYPE_CHECKING:
    from argparse import ArgumentParser

    from toolnexus.app.results import Reply
    from toolnexus.cli.console import Console

STDIN = "-"
_HINT = "give it in quotes, or '-' to read it from standard input"


def _arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "words",
        metavar="HOME PROMPT",
        nargs="*",
        help="the persona's folder (default: .), and the question; - reads it from standard input",
    )
    add_conversation(parser)


def add_conversation(parser: ArgumentParser) -> None:
    """Add the options that every conversation has."""
    parser.add_argument(
        "--conversation", metavar="ID", default="", help="go on with this one, or begin it"
    )
    parser.add_argument("--model", metavar="M", help="a litellm model instead of the home's")


def _ask(call: Call) -> int:
    from toolnexus.cli.reply_stream import ReplyStream

    options = call.arguments
    named, prompt = _home_and_prompt(options.words)
    if not prompt.strip():
        raise UsageError("the prompt is empty", hint=_HINT)
    home = open_home(call, named, model=options.model)
    if sys.stderr.isatty():
        call.console.progress("asking …")  # the model's library alone takes seconds to load
    stream = ReplyStream()
    say = None if call.console.as_json else stream.write
    try:
        with unwound_by_sigterm():
            reply = home.ask(prompt, conversation=options.conversation, on_text=say)
        if say is not None and stream.is_empty and reply.text:
            stream.write(reply.text)
    finally:
        stream.close()
    tell_end(call.console, reply)
    if call.console.as_json:
        call.console.document("ask", reply_fields(reply))
    return 0


def tell_end(console: Console, reply: Reply) -> None:
    """Say on standard error what the words of a reply do not tell."""
    if reply.cut == "length":
        console.progress("the reply was cut off by its length limit; it is recorded as cut")
    elif not reply.text.strip():
        console.progress("the persona has replied with nothing")
    for notice in reply.notices:
        console.progress(notice)
    usage = reply.usage
    tokens = f"{usage.tokens_in:,} tokens in, {usage.tokens_out:,} out"
    console.detail(f"conversation {reply.conversation}: {tokens}, {usage.seconds:.1f} s")


def reply_fields(reply: Reply) -> dict[str, object]:
    """Return a reply as the fields of a JSON document."""
    return {
        "reply": reply.text,
        "conversation": reply.conversation,
        "cut": reply.cut or None,
        "usage": reply.usage,
        "notices": reply.notices,
    }


def _home_and_prompt(words: list[str]) -> tuple[str, str]:
    """Tell the home from the prompt.

    Raises:
        UsageError: when there is no prompt, or there are too many words.
    """
    match words:
        case []:
            return ".", _piped()
        case [word] if word != STDIN and Path(word).is_dir():
            return word, _piped()
        case [word]:
            return ".", _piped() if word == STDIN else word
        case [home, word]:
            return home, _piped() if word == STDIN else word
    raise UsageError("more words than HOME and PROMPT", hint="put the prompt into quotes")


def _piped() -> str:
    """Read the prompt from standard input.

    Raises:
        UsageError: when that is a terminal, or no text.
    """
    if sys.stdin is None or sys.stdin.isatty():
        raise UsageError("there is no prompt", hint=_HINT)
    try:
        return sys.stdin.read().strip()
    except UnicodeDecodeError as error:
        raise UsageError(f"standard input is no text: {error.reason}", hint=_HINT) from None


COMMANDS = (
    Command(
        "ask",
        'toolnexus ask ava "When does my passport run out?" --model openai/gpt-4o-mini',
        _arguments,
        _ask,
    ),
)
