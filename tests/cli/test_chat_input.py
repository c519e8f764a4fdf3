"""What is typed in a chat, put together to messages."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolnexus.cli.chat_input import PASTE_BEGINS, PASTE_ENDS, Assembly


def messages(*lines: str) -> list[str]:
    """Feed lines; return the messages, and what is left at the end."""
    assembly = Assembly()
    found = [message for line in lines if (message := assembly.feed(line)) is not None]
    return [*found, assembly.take()] if assembly.is_open else found


@pytest.mark.parametrize(
    ("lines", "wanted"),
    [
        (["hi", "there"], ["hi", "there"]),
        (["one \\", "two"], ["one \ntwo"]),
        ([r"a path\\"], [r"a path\\"]),
        (["```python", "x = 1", "", "```", "next"], ["```python\nx = 1\n\n```", "next"]),
        (["```x = 1```"], ["```x = 1```"]),
        (['"""', "two", "lines", '"""'], ["two\nlines"]),
        (['"""two', 'lines"""'], ["two\nlines"]),
        (['"""one"""'], ["one"]),
        (['"""', "never ended"], ["never ended"]),
        ([f"{PASTE_BEGINS}two", f"lines{PASTE_ENDS}"], ["two\nlines"]),
        ([f"{PASTE_BEGINS}/help", f"```{PASTE_ENDS} and more"], ["/help\n``` and more"]),
        (["pasted\nby an editor"], ["pasted\nby an editor"]),
        (['"""', 'a\nb\n"""'], ["a\nb"]),
        (["say ``` in between"], ["say ``` in between"]),
        ([""], [""]),
    ],
)
def test_lines_become_messages(lines, wanted):
    """Backslashes, fences, quotation marks and pasted text make one message of several lines."""
    assert messages(*lines) == wanted


@given(st.lists(st.text(alphabet='ab\\"` \n', max_size=8), max_size=12))
def test_nothing_that_is_typed_is_lost(lines):
    """Whatever is typed, each letter of it is in a message, in its order."""
    letters = [letter for line in lines for letter in line if letter in "ab"]
    told = [letter for message in messages(*lines) for letter in message if letter in "ab"]
    assert told == letters
