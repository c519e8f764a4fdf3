"""Passwords and other secrets that somebody said in a sentence, or wrote behind their name.

Prose speaks of passwords all the time, and code of tokens. What counts is a name with a value
behind it that looks chosen: letters with digits or marks among them, or a word between quotation
marks that is no example.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from toolnexus.text.secrets.shapes import compiled, is_stand_in

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOTS = (
    "pass", "pwd", "kennwort", "contrase", "senha", "palavra", "secret", "geheim", "token", "jeton",
    "key", "clave", "chave", "clé", "api-schl",
)  # fmt: skip
"""Of these at least one stands, in small letters, in every line that names a secret; a PIN apart.
"""

_NAMES = (
    r"(?:passwords?|passwd|passwort|passwörter|passphrase|passcode|pwd|kennwort|mots? de passe"
    r"|contraseñas?|senhas?|palavra[- ]passe|(?:secret|access|api|auth|private|client)[_ -]?"
    r"(?:access[_ -]?)?(?:key|token|secret)|apikey|token|jeton|secret|geheimnis"
    r"|clave secreta|clave api|chave secreta|chave api|clé secrète|clé api|api-schlüssel)"
)
_IS = r"(?:is|was|ist|war|lautet|lautete|est|était|es|era|é|equals|to|auf|heißt)"
_VALUE = r"[*_]{0,2}(?P<quote>[\"'“„«`]?)(?P<value>[^\s\"“”„«»`,;]{4,200})"
_ASSIGNED = rf"(?<![^\W_]){_NAMES}[\"'*_`]{{0,3}}[ \t]{{0,8}}(?::=|=>|[:=])[ \t]{{0,8}}{_VALUE}"
_SAID = (
    rf"(?<![^\W_]){_NAMES}(?![^\W_])[^.!?\n:=]{{0,40}}?[ \t]{_IS}[ \t]{{1,4}}"
    rf"(?:now |jetzt |still |always )?{_VALUE}"
)
_PIN = (
    r"(?<![^\W_])(?:pin|pin[ -]?code|pin[ -]?nummer|code pin|código pin)(?![^\W_])"
    rf"[^.!?\n:=\d]{{0,40}}?(?:[:=]|[ \t]{_IS})[ \t]{{0,4}}[*_\"'“„«`]{{0,3}}"
    r"(?P<value>\d{4,8})(?![\w.,/:-]*\d)"
)
_FIGURE = r"[\d.,:/TZ+%€$£-]+[A-Za-z]{0,3}"  # a date, a time, a sum, a measure
_VERSION = r"v\d[\w.]*"
_CODE = r"[()\[\]{}=]|\w\.\w+$"
_EXAMPLE = r"my|your|some|example|sample|test|dummy|here|pass|secret|token|key|required|invalid"
_CHOSEN_MARKS = frozenset("!@#$%^&*+=?~")
_AROUND = "\"'“”„«»`.,;:()[]{}*_"


def spoken_spans(text: str) -> Iterator[tuple[str, int, int]]:
    """Yield what is said with its name: what it is, and where its value stands."""
    start = 0
    for line in text.split("\n"):
        small = _small(line)
        if any(root in small for root in ROOTS):
            yield from _named(line, small, start)
        if "pin" in small and any(map(str.isdigit, small)):
            for found in compiled(_PIN).finditer(small):
                yield "a PIN", start + found.start("value"), start + found.end("value")
        start += len(line) + 1


def _named(line: str, small: str, start: int) -> Iterator[tuple[str, int, int]]:
    for pattern in (_ASSIGNED, _SAID):
        for found in compiled(pattern).finditer(small):
            at, end = found.span("value")
            whole = line[at:end]
            value = _bare(whole)
            if value and _is_chosen(value, is_quoted=bool(found["quote"])):
                at += whole.index(value)
                yield "a password or key", start + at, start + at + len(value)


def _small(line: str) -> str:
    """Return a line in small letters, each character where it stood."""
    small = line.lower()
    if len(small) == len(line):
        return small
    return "".join(char.lower() if len(char.lower()) == 1 else char for char in line)


def _bare(value: str) -> str:
    """Take off the marks that a sentence puts around a value."""
    return "" if is_stand_in(value) else value.rstrip(_AROUND).lstrip("\"'“„«`(*_")


def _is_chosen(value: str, *, is_quoted: bool) -> bool:
    """Whether somebody chose a value as a secret, and did not go on with the sentence."""
    if len(value) < 4 or is_stand_in(value) or "://" in value or value.startswith(("/", "~/")):
        return False
    if any(re.fullmatch(form, value) for form in (_FIGURE, _VERSION)) or re.search(_CODE, value):
        return False
    letters = any(map(str.isalpha, value))
    if letters and any(map(str.isdigit, value)):
        return True
    marks = not _CHOSEN_MARKS.isdisjoint(value[:-1])
    return letters and (marks or is_quoted) and re.search(_EXAMPLE, value.casefold()) is None
