"""Pasted text: mails and chats that a person puts into their turn are somebody else's words."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from toolnexus.dream.speech import words
from toolnexus.text.lexicon import LANGUAGES

if TYPE_CHECKING:
    from collections.abc import Iterator

_SENDERS = "From|Von|De|Expéditeur|Remitente|Remetente"
_FIELDS = (
    "To|Cc|Bcc|Date|Sent|Subject|An|Datum|Gesendet|Betreff|À|Envoyé|Objet|Para|Fecha|Enviado|Asunto"
    "|Data|Assunto"
)
_HEADER = rf"(?:{_SENDERS}|{_FIELDS})[ \t]*:[^\n]*\n"
_MAIL = re.compile(
    rf"^[ \t]*(?:{_SENDERS})[ \t]*:[^\n]*\n(?:[ \t]*{_HEADER})+.*"
    rf"|^[ \t]*(?:{_FIELDS})[ \t]*:[^\n]*\n(?:[ \t]*{_HEADER})*"
    rf"[ \t]*(?:{_SENDERS})[ \t]*:[^\n]*\n.*",
    re.MULTILINE | re.DOTALL,
)
_FORWARDED = re.compile(
    r"^[ \t]*-{2,}[ \t]*(?:Forwarded|Original|Weitergeleitete|Ursprüngliche|Message|Mensaje"
    r"|Mensagem)[^\n]{0,40}\n.*"
    r"|^[ \t]*(?:On|Am|Le|El|Em)[ \t][^\n]{4,80}[ \t]"
    r"(?:wrote|schrieb[^\n:]{0,40}|a écrit|escribió|escreveu)[ \t]*:[ \t]*\n.*",
    re.MULTILINE | re.DOTALL,
)
_NAME = r"(?P<name>[^\W\d_][^\W\d_.'’-]*(?: [^\W\d_][^\W\d_.'’-]*){0,2})"
_CHAT_LINE = re.compile(
    rf"^[ \t]*(?P<stamp>\[[^\]\n]*\d[^\]\n]*\][ \t]*|\d{{1,2}}:\d\d(?::\d\d)?[ \t]+)?{_NAME}"
    r"(?P<clock>[ \t]*\([^)\n]*\d[^)\n]*\))?[ \t]*:[ \t][^\n]*$",
    re.MULTILINE,
)
_MOST_CHARS = 8_000


def without_pasted(text: str) -> str:
    r"""Blank out the mails and chats in a text, so that positions stay.

    Lines of a chat have a time, or a label that comes again, or one that stands for "I"; what is
    behind such a label is the speaker's own.

    Example:
        >>> without_pasted("Tom: I moved.\nMe: I did not.").split()
        ['Me:', 'I', 'did', 'not.']
    """
    text, rest = text[:_MOST_CHARS], text[_MOST_CHARS:]
    for pattern in (_MAIL, _FORWARDED):
        text = pattern.sub(_blank, text)
    for start, end in list(_of_others(text)):
        text = text[:start] + " " * (end - start) + text[end:]
    return text + rest


def _blank(match: re.Match[str]) -> str:
    return "".join("\n" if char == "\n" else " " for char in match.group())


def _of_others(text: str) -> Iterator[tuple[int, int]]:
    """Yield the lines of a chat that somebody else wrote."""
    lines = list(_CHAT_LINE.finditer(text))
    names = [line["name"].casefold() for line in lines]
    is_chat = len(set(names)) > 1 and (
        any(name in _selves() for name in names) or _takes_turns(names)
    )
    for line, name in zip(lines, names, strict=True):
        is_stamped = bool(line["stamp"] or line["clock"])
        if name not in _selves() and line["name"][0].isupper() and (is_stamped or is_chat):
            yield line.span()


def _takes_turns(names: list[str]) -> bool:
    """Whether somebody comes again behind another: Ann, Tom, Ann."""
    return any(
        one == three != two for one, two, three in zip(names, names[1:], names[2:], strict=False)
    )


def _selves() -> frozenset[str]:
    """Return the words that stand for the speaker before a colon: I, me."""
    return frozenset().union(*(words("sender", language) for language in LANGUAGES))
