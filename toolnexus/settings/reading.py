"""Reading a mapping key by key: what is taken is known, what is left over is a problem.

The keys that a section knows are the keys that are taken from it, so that the list of known keys
cannot drift from what is read.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple, TypeVar

from toolnexus.settings.secrets import ENVIRONMENT_HINT, is_secret_name, looks_like_secret

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

LONGEST_VALUE = 4096
"""How many characters a text in a settings file has at most; a prompt belongs into a soul file."""

T = TypeVar("T")
KeyPath = tuple[str, ...]


class SettingsProblem(NamedTuple):
    """Something wrong in a settings file: `line` counts from 1, `rule` is the finding's."""

    line: int
    message: str
    hint: str
    rule: Literal["bad-settings", "not-utf8"] = "bad-settings"


class BadValueError(Exception):
    """A value that a key cannot have: what it must be, and what to write instead.

    Args:
        message: What is wrong, to be read behind the key.
        hint: What to write instead.
        below: The key within the value that it is about; empty for the whole.
    """

    def __init__(self, message: str, hint: str, below: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.below = below


class Reading:
    """One reading of one file: the problems found and the keys that are known.

    Args:
        lines: The line of each key path.
    """

    def __init__(self, lines: Mapping[KeyPath, int]) -> None:
        self._lines = lines
        self._sections: list[Section] = []
        self.problems: list[SettingsProblem] = []

    def line_of(self, path: KeyPath) -> int:
        """Return the line of a key, or of the nearest key above it."""
        while path:
            if path in self._lines:
                return self._lines[path]
            path = path[:-1]
        return 1

    def report(self, path: KeyPath, message: str, hint: str) -> None:
        """Note a problem with the key at `path`."""
        self.problems.append(SettingsProblem(self.line_of(path), message, hint))

    def section(self, path: KeyPath, raw: object) -> Section:
        """Open a mapping; anything else is a problem and reads as an empty one."""
        fields: dict[str, object] = {}
        if isinstance(raw, dict):
            fields = {str(key): value for key, value in raw.items()}
        elif raw is not None:
            hint = "write its keys below it, as 'key: value', indented by spaces"
            self.report(path, f"{_named(path)} must be a mapping of keys to values", hint)
        opened = Section(self, path, fields)
        self._sections.append(opened)
        return opened

    def finish(self) -> list[SettingsProblem]:
        """Report the keys that nobody took; return all problems by line."""
        known = [path for section in self._sections for path in section.known_paths()]
        for section in self._sections:
            for path, value in section.left_over():
                self._report_unknown(path, value, known)
        return sorted(set(self.problems))

    def _report_unknown(self, path: KeyPath, value: object, known: list[KeyPath]) -> None:
        if is_secret_name(path[-1]) and value is not None:
            self.report(path, f"'{_dotted(path)}' looks like a secret", ENVIRONMENT_HINT)
            return
        nearest = nearest_path(path, known)
        hint = f"did you mean '{_dotted(nearest)}'?" if nearest else _known_hint(path, known)
        self.report(path, f"unknown key '{_dotted(path)}'", hint)


class Section:
    """A mapping of the file that is being read."""

    def __init__(self, reading: Reading, path: KeyPath, fields: dict[str, object]) -> None:
        self._reading = reading
        self._path = path
        self._fields = fields
        self._known: list[str] = []

    def take(self, key: str, read: Callable[[object], T], default: T) -> T:
        """Read one value; an absent, empty or bad one gives the default, a bad one is reported."""
        self._known.append(key)
        value = self._fields.get(key)
        if value is None:
            return default
        path = (*self._path, key)
        try:
            _refuse_unfit_texts(value)
            return read(value)
        except BadValueError as problem:
            where = (*path, problem.below) if problem.below else path
            self._reading.report(where, f"'{_dotted(path)}' {problem.message}", problem.hint)
            return default

    def section(self, key: str) -> Section:
        """Open the mapping under a key; an absent one is empty."""
        self._known.append(key)
        return self._reading.section((*self._path, key), self._fields.get(key))

    def sections(self) -> Iterator[tuple[str, Section]]:
        """Open every mapping in this one, whatever its key: names that the user chose."""
        for key in self._fields:
            yield key, self.section(key)

    def has(self, key: str) -> bool:
        """Whether a key stands there with a value."""
        return self._fields.get(key) is not None

    def report(self, key: str, message: str, hint: str) -> None:
        """Note a problem with one of its keys, or with itself for an empty key."""
        self._reading.report((*self._path, key) if key else self._path, message, hint)

    def known_paths(self) -> Iterator[KeyPath]:
        """Give the paths of the keys that were asked for."""
        return ((*self._path, key) for key in self._known)

    def left_over(self) -> Iterator[tuple[KeyPath, object]]:
        """Give the keys that nobody asked for, with their values."""
        for key in self._fields.keys() - self._known:
            yield (*self._path, key), self._fields[key]


def nearest_path(path: KeyPath, known: list[KeyPath]) -> KeyPath | None:
    """Find the known key that was most likely meant: a sibling first, else one elsewhere.

    Example:
        >>> nearest_path(("timezone",), [("name",), ("heartbeat", "timezone")])
        ('heartbeat', 'timezone')
    """
    from difflib import get_close_matches

    siblings = {other[-1]: other for other in known if other[:-1] == path[:-1]}
    elsewhere = {other[-1]: other for other in known if other[:-1] != path[:-1]}
    wanted = path[-1].casefold().replace("-", "_")
    for names, cutoff in ((siblings, 0.65), (elsewhere, 0.85)):
        found = get_close_matches(wanted, names, n=1, cutoff=cutoff)
        if found:
            return names[found[0]]
    return None


def _known_hint(path: KeyPath, known: list[KeyPath]) -> str:
    names = sorted({other[-1] for other in known if other[:-1] == path[:-1]})
    return f"known here: {', '.join(names)}" if names else "remove it"


def _refuse_unfit_texts(value: object) -> None:
    """Refuse a value with a text in it that no key may have, whatever it means."""
    for text in _texts_in(value):
        if len(text) > LONGEST_VALUE:
            raise BadValueError(
                f"has a text of {len(text):,} characters, and {LONGEST_VALUE:,} are the most",
                "write a shorter one",
            )
        if looks_like_secret(text):
            raise BadValueError("holds a secret, by its looks", ENVIRONMENT_HINT)


def _texts_in(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for item in value:
            yield from _texts_in(item)
    elif isinstance(value, dict):
        for item in value.values():
            yield from _texts_in(item)


def _dotted(path: KeyPath) -> str:
    return ".".join(path)


def _named(path: KeyPath) -> str:
    return f"'{_dotted(path)}'" if path else "the file"
