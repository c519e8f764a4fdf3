"""The commands there are, each with its line of help; their modules are loaded when they run."""

from __future__ import annotations

from dataclasses import dataclass, field
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Callable, Mapping

    from toolnexus.cli.console import Console
    from toolnexus.clock import Clock


@dataclass(frozen=True, slots=True)
class Command:
    """One command.

    Attributes:
        name: As it is typed, such as ``transcripts list``.
        example: A line that runs, in a folder with a copy of the sample persona in ``ava``.
        add_arguments: Adds its own arguments; the common ones are there.
        run: Does it, and returns the exit code.
        failed: What its document tells beside the error where something outside stopped it: the
            disk, a lock, the model, the settings. Empty for a command without an outcome.
    """

    name: str
    example: str
    add_arguments: Callable[[ArgumentParser], None]
    run: Callable[[Call], int]
    failed: Mapping[str, object] = field(default_factory=dict)


FAILED_JOB: Mapping[str, object] = {"outcome": "failed", "wrote": False, "reply": ""}
"""What a job that changes memory tells where something outside stopped it: nothing was done."""


@dataclass(frozen=True, slots=True)
class Call:
    """One use of a command.

    Attributes:
        command: Which one.
        arguments: Its arguments.
        console: Where it may say something.
        clock: What tells the time: ``--now``, or the machine.
        state: Where state is kept instead of in the home; None leaves it there.
    """

    command: Command
    arguments: Namespace
    console: Console
    clock: Clock
    state: str | None


SUMMARIES = {
    "new": "write a fresh persona with commented files",
    "demo": "copy the sample persona to a fresh folder and dream it there, change by change",
    "check": "list what is wrong in homes; changes nothing",
    "overview": "show a home at a glance: memory, transcripts, what is due and what waits",
    "remember": "add one claim to a persona's memory",
    "search": "search notes and transcripts",
    "feedback": "tell how well a note served, for search to mind",
    "why": "tell what a note or a claim rests on, and how far that lets it be believed",
    "transcripts list": "list a home's conversations, newest first",
    "transcripts show": "show one conversation",
    "transcripts search": "search what was said",
    "import": "add what is new in other tools' transcripts",
    "plug": "bring outside knowledge in as notes: a folder of Markdown, JSON lines, documents",
    "ask": "ask the persona something; its reply is printed as it is said, and recorded",
    "chat": "a conversation with the persona, printed as it is said, and recorded",
    "beat": "make one heartbeat; quiet unless there is something to say",
    "run": "run the beats and dreams of all homes under folders until SIGTERM",
    "dream": "make one pass over a home's memory and keep it true",
    "compact": "make a memory smaller and riper: fold, extract, merge, distil, archive",
    "imagine": "make guesses of what notes have in common, for a person to judge",
    "review": "show what waits for a person, and apply or discard it",
    "log": "show what was done to a home",
    "revert": "undo a pass, claim by claim",
    "rename": "rename a note; every link and alias follows",
    "watch": "keep the index fresh and print findings as files are saved",
    "schedule": "print the entry that runs a home's beats and dreams",
    "evaluate": "make a scorecard of a model as a dreamer",
    "index": "refresh or rebuild the search index",
    "doctor": "test settings, model, index, locks and disk, each with its fix",
    "completion": "print the completion script of a shell",
}
GROUPS = {"transcripts": "the conversations of a home: list, show, search"}
_MODULES = {"revert": "log", "demo": "new"}


def load_command(name: str) -> Command:
    """Import the module of a command and return the command.

    Example:
        >>> load_command("check").name
        'check'
    """
    noun = name.partition(" ")[0]
    module = import_module(f"toolnexus.cli.cmd_{_MODULES.get(noun, noun)}")
    commands: tuple[Command, ...] = module.COMMANDS
    return next(command for command in commands if command.name == name)
