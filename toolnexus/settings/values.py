"""Readers of single values: each returns what YAML's value means, or says what is wrong with it."""

from __future__ import annotations

import math
import re
from datetime import time, timedelta
from typing import TYPE_CHECKING

from toolnexus.settings.cron import Cron, parse_cron
from toolnexus.settings.reading import BadValueError
from toolnexus.settings.types import ActiveHours, Delivery

if TYPE_CHECKING:
    from collections.abc import Callable

    from toolnexus.settings.types import LayoutChoice

LONGEST_DURATION = timedelta(days=3650)
_UNIT_SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800}
_DURATION = r"(?:\d{1,9}(?:\.\d{1,6})?[smhdw])+"
_DURATION_PART = r"([\d.]+)([smhdw])"
_HOURS = r"(\d{1,2}):(\d{2})\s*[-–]\s*(\d{1,2}):(\d{2})"
_VARIABLE = r"[A-Za-z_]\w*"
_CONTROL = r"[\x00-\x1f\x7f]"
_EMBEDDINGS = ("default", "minilm")
_LAYOUTS: tuple[LayoutChoice, ...] = ("persona", "vault", "claude")


def parse_duration(text: str) -> timedelta:
    """Read a length of time: a number with s, m, h, d or w, or several in a row.

    Raises:
        ValueError: when it is none, is not above zero or is longer than ten years.

    Example:
        >>> parse_duration("1h30m")
        datetime.timedelta(seconds=5400)
    """
    compact = text.strip().lower()
    if not re.fullmatch(_DURATION, compact, re.ASCII):
        raise ValueError(f"is no duration: '{text}'")
    parts = re.findall(_DURATION_PART, compact, re.ASCII)
    seconds = sum(float(count) * _UNIT_SECONDS[unit] for count, unit in parts)
    if seconds <= 0:
        raise ValueError("must be longer than zero")
    if seconds > LONGEST_DURATION.total_seconds():
        raise ValueError("must not be longer than ten years")
    return timedelta(seconds=seconds)


def read_text(value: object) -> str:
    """Read a word or a line of text, such as a model's name."""
    if not isinstance(value, str) or not value.strip():
        raise BadValueError(
            "must be a text that is not empty", "write it in quotes, or remove the key"
        )
    if re.search(_CONTROL, value):
        raise BadValueError("must be one line without control characters", "write it anew")
    return value.strip()


def read_name(value: object) -> str:
    """Read a persona's name, which must not be taken for a path."""
    name = read_text(str(value) if type(value) is int else value)
    if "/" in name or "\\" in name or name.startswith("."):
        raise BadValueError("must be a name, not a path", "write it without slashes")
    return name


def read_layout(value: object) -> LayoutChoice:
    """Read the name of a layout."""
    for layout in _LAYOUTS:
        if value == layout:
            return layout
    hint = _nearest(value, _LAYOUTS) or "leave it out to let the folder's content decide"
    raise BadValueError(f"must be one of {', '.join(_LAYOUTS)}", hint)


def read_flag(value: object) -> bool:
    """Read true or false."""
    if not isinstance(value, bool):
        raise BadValueError("must be true or false", "write true or false, nothing else")
    return value


def read_count(low: int) -> Callable[[object], int]:
    """Make a reader of whole numbers from `low` up."""

    def read(value: object) -> int:
        if type(value) is not int or value < low:
            raise BadValueError(f"must be a whole number, {low} or more", "write digits alone")
        return value

    return read


def read_amount(value: object) -> float:
    """Read a number that is zero or more, such as an amount of money."""
    return _number(value, math.inf, "must be a number, 0 or more", "write a number, such as 0.50")


def read_share(value: object) -> float:
    """Read a share between 0 and 1."""
    message = "must be a share between 0 and 1"
    return _number(value, 1.0, message, "write 0.3 for thirty per cent")


def _number(value: object, most: float, message: str, hint: str) -> float:
    """Read a finite number from 0 to `most`; YAML's true is none, though Python's is."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        number = float(value)
        if 0 <= number <= most and math.isfinite(number):
            return number
    raise BadValueError(message, hint)


def read_duration(value: object) -> timedelta:
    """Read a length of time."""
    hint = "write a number with its unit, such as 30m, 24h, 90s or 1d"
    if not isinstance(value, str):
        raise BadValueError("must be a duration", hint)
    try:
        return parse_duration(value)
    except ValueError as error:
        raise BadValueError(str(error), hint) from None


def read_cron(value: object) -> Cron:
    """Read a cron schedule."""
    hint = 'write minute hour day month weekday, such as "*/30 8-20 * * 1-5"'
    if not isinstance(value, str):
        raise BadValueError("must be a cron schedule", hint)
    try:
        return parse_cron(value)
    except ValueError as error:
        raise BadValueError(str(error), hint) from None


def read_timezone(value: object) -> str:
    """Read the name of an IANA time zone that this machine knows."""
    import zoneinfo

    name = read_text(value)
    try:
        zoneinfo.ZoneInfo(name)
    except (zoneinfo.ZoneInfoNotFoundError, ValueError, OSError):
        nearest = _nearest(name, sorted(zoneinfo.available_timezones()))
        hint = nearest or "write an IANA name, such as Europe/Berlin"
        raise BadValueError(f"is no time zone that is known here: '{name}'", hint) from None
    return name


def read_hours(value: object) -> ActiveHours:
    """Read hours of the day, such as 08:00-22:00; they may wrap midnight."""
    hint = "write them as 08:00-22:00; 22:00-06:00 wraps midnight"
    match = re.fullmatch(_HOURS, value.strip(), re.ASCII) if isinstance(value, str) else None
    if match is None:
        raise BadValueError("must be hours of the day", hint)
    start_hour, start_minute, end_hour, end_minute = map(int, match.groups())
    if (end_hour, end_minute) == (24, 0):
        end_hour = 0
    if max(start_hour, end_hour) > 23 or max(start_minute, end_minute) > 59:
        raise BadValueError("names an hour that no day has", hint)
    hours = ActiveHours(time(start_hour, start_minute), time(end_hour, end_minute))
    if hours.start == hours.end and match.group(3) != "24":
        raise BadValueError("begins and ends at the same time", f"{hint}; leave it out for always")
    return hours


def read_relative_path(value: object) -> str:
    """Read a path inside the home, with ``/``."""
    path = read_text(value)
    parts = [part for part in path.split("/") if part not in {"", "."}]
    leaves = path.startswith(("/", "~")) or "\\" in path or ".." in parts
    if leaves or not parts or ":" in parts[0]:
        hint = "write it relative to the home, such as transcripts"
        raise BadValueError("must be a folder inside the home", hint)
    return "/".join(parts)


def read_texts(value: object) -> tuple[str, ...]:
    """Read a list of texts."""
    if not isinstance(value, list):
        raise BadValueError("must be a list", "write it as [one, two]")
    return tuple(read_text(str(item) if type(item) in {int, float} else item) for item in value)


def read_roles(value: object) -> tuple[str, ...]:
    """Read whose turns count; what tools and systems say never does."""
    roles = read_texts(value)
    for role in roles:
        if role in {"tool", "system"}:
            raise BadValueError(
                f"cannot hold '{role}': its turns are never evidence", "write [user]"
            )
        if role not in {"user", "assistant"}:
            raise BadValueError(f"knows no role '{role}'", "write [user]")
    if not roles:
        raise BadValueError("must name at least one role", "write [user]")
    return roles


def read_embedding(value: object) -> str:
    """Read the name of an embedding."""
    name = read_text(value)
    if name in _EMBEDDINGS or re.fullmatch(r"litellm/\S+", name):
        return name
    hint = _nearest(name, _EMBEDDINGS) or "a hosted one is written litellm/<embedding model>"
    raise BadValueError("must be default, minilm or litellm/<embedding model>", hint)


def read_url(value: object) -> str:
    """Read a web address."""
    url = read_text(value)
    if not re.fullmatch(r"https?://[^\s/@]+(?:/\S*)?", url):
        raise BadValueError("must be an http or https address", "write http://host:8000")
    return url


def read_variables(value: object) -> tuple[str, ...]:
    """Read a list of names of environment variables, never their values."""
    hint = "list the names alone, such as [GITHUB_TOKEN]; or write {NAME: value}"
    if not isinstance(value, list):
        raise BadValueError("must be a list of names of environment variables", hint)
    for item in value:
        if not isinstance(item, str) or not re.fullmatch(_VARIABLE, item, re.ASCII):
            raise BadValueError("must hold nothing but names of environment variables", hint)
    return tuple(value)


def read_deliveries(value: object) -> tuple[Delivery, ...]:
    """Read where replies go: one place or a list of them."""
    items = value if isinstance(value, list) else [value]
    if not items:
        raise BadValueError("must name at least one place", "write [stdout]")
    return tuple(_delivery(item) for item in items)


def _delivery(item: object) -> Delivery:
    if item == "stdout":
        return Delivery()
    if isinstance(item, dict) and list(item) == ["command"]:
        words = read_texts(item["command"])
        if words:
            return Delivery("command", words)
    if isinstance(item, str):
        scheme, colon, rest = item.strip().partition(":")
        if scheme == "env" and re.fullmatch(_VARIABLE, rest, re.ASCII):
            return Delivery("env", (rest,))
        if colon and rest.startswith("//") and re.fullmatch(r"[a-z][a-z0-9+.-]*", scheme):
            return Delivery("url", (item.strip(),))
    raise BadValueError(
        "has a place that cannot be read",
        "write stdout, {command: [program, argument]}, env:NAME or an Apprise URL",
    )


def read_model(value: object) -> str:
    """Read a model's name; ``none`` in any case is ``none``."""
    model = read_text(value)
    return "none" if model.casefold() == "none" else model


def _nearest(value: object, choices: tuple[str, ...] | list[str]) -> str:
    from difflib import get_close_matches

    by_fold = {choice.casefold(): choice for choice in choices}
    found = get_close_matches(str(value).casefold()[:100], by_fold, n=1)
    return f"did you mean '{by_fold[found[0]]}'?" if found else ""
