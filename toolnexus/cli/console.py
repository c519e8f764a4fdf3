"""The terminal: results on standard output, everything else on standard error."""

from __future__ import annotations

import os
import re
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Iterable, Mapping

_CODES = {"red": "31", "green": "32", "yellow": "33", "cyan": "36", "bold": "1", "dim": "2"}

# Control characters could repaint a terminal, and bidirectional ones could make a text read as
# what it does not say; joiners are left alone, for emoji and Persian need them.
_HIDDEN = (
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2064"
    "\u2066-\u206f\ufeff\ufff9-\ufffb\ud800-\udfff\U000e0000-\U000e007f]"
)

# The runner of GitHub Actions takes such a line for a command, blanks before it or not.
_WORKFLOW_COMMAND = r"(?m)^(\s*):(?=:)"


def masked(text: str) -> str:
    """Mask the secrets of a text; what does so is loaded when something is to be printed."""
    from toolnexus.text.secrets import mask

    return mask(text)


def visible(text: str) -> str:
    r"""Make characters seen that would otherwise act on the terminal or on the reading order.

    Example:
        >>> visible("tea\u202e cup")
        'tea\\u202e cup'
    """
    if text.isascii() and text.isprintable():
        return text
    return re.sub(_HIDDEN, lambda match: match[0].encode("unicode_escape").decode("ascii"), text)


def visible_line(text: str) -> str:
    r"""Make a text visible that must not end the line it stands in, such as a file's name.

    Example:
        >>> visible_line("tea\n::error::cup")
        'tea\\n::error::cup'
    """
    return visible(text).replace("\n", "\\n")


def inert(text: str) -> str:
    r"""Escape the first colon of every line that a workflow's runner would obey.

    Example:
        >>> inert("  ::error::cup")
        '  \\x3a:error::cup'
    """
    return re.sub(_WORKFLOW_COMMAND, r"\1\\x3a", text) if "::" in text else text


def one_line(text: str, width: int = 0) -> str:
    """Put a text on one visible line, cut to a width in characters; 0 is no width."""
    line = visible(masked(" ".join(text.split())))
    return f"{line[: width - 1]}…" if width and len(line) > width else line


@dataclass(frozen=True, slots=True)
class Styled:
    """A part of a line in a colour or weight, where the terminal has them."""

    text: str
    style: str


Part = str | Styled
Line = tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class Console:
    """What a command may say, and how; secrets in it are masked.

    Attributes:
        as_json: The result is one JSON document.
        quiet: Nothing is said but the result and errors.
        verbose: More is said.
        debug: Errors come with their traceback.
    """

    as_json: bool = False
    quiet: bool = False
    verbose: bool = False
    debug: bool = False

    @classmethod
    def from_options(cls, options: Namespace) -> Console:
        """Read the common options."""
        as_json = options.json or getattr(options, "format", None) == "json"
        return cls(as_json, options.quiet, options.verbose, options.debug)

    def result(self, *parts: Part) -> None:
        """Print one line of the result; line ends and control characters are made visible."""
        colours = uses_colour(sys.stdout)
        print(inert("".join(_render(part, colours=colours) for part in parts)))

    def block(self, text: str) -> None:
        """Print a text of several lines, such as what somebody said, as a part of the result."""
        print(inert(visible(masked(text))))

    def results(self, lines: Iterable[Line]) -> None:
        """Print lines of the result."""
        for line in lines:
            self.result(*line)

    def document(self, command: str, fields: Mapping[str, object]) -> None:
        """Print the result as one JSON document with its schema."""
        from toolnexus.cli.documents import plain, schema_of

        shown = {key: plain(value) for key, value in fields.items()}
        print_json({"schema": schema_of(command), **shown})

    def progress(self, text: str) -> None:
        """Say on standard error what is being done, or a notice on what was found."""
        if not self.quiet:
            print(inert(visible(masked(text))), file=sys.stderr)

    def detail(self, text: str) -> None:
        """Say on standard error what only ``--verbose`` wants to know."""
        if self.verbose and not self.quiet:
            print(inert(visible(masked(text))), file=sys.stderr)


def how_many(number: int, noun: str) -> str:
    """Count things in words.

    Example:
        >>> how_many(1, "note"), how_many(1200, "note")
        ('1 note', '1,200 notes')
    """
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def uses_colour(stream: TextIO) -> bool:
    """Whether colours may be written: to a terminal, unless NO_COLOR or a dumb one forbids it."""
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return False
    return stream.isatty()


def print_json(document: object, *, indent: int | None = 2) -> None:
    """Print JSON that any encoding of standard output can carry, its secrets masked."""
    import json

    shown = without_secrets(document)
    text = json.dumps(shown, indent=indent, ensure_ascii=False)
    try:
        text.encode(getattr(sys.stdout, "encoding", None) or "utf-8")
    except UnicodeEncodeError:
        text = json.dumps(shown, indent=indent)
    print(text)


def without_secrets(value: object) -> object:
    """Return a JSON value with the secrets of each text in it masked.

    Example:
        >>> without_secrets({"claim": "The PIN is 4821.", "line": 3})
        {'claim': 'The PIN is [redacted].', 'line': 3}
    """
    if isinstance(value, str):
        return masked(value)
    if isinstance(value, dict):
        return {key: without_secrets(item) for key, item in value.items()}
    return [without_secrets(item) for item in value] if isinstance(value, list | tuple) else value


def _render(part: Part, *, colours: bool) -> str:
    if isinstance(part, str):
        return visible_line(masked(part))
    shown = visible_line(masked(part.text))
    return f"\x1b[{_CODES[part.style]}m{shown}\x1b[0m" if colours else shown
