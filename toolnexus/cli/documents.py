"""Results as plain JSON values."""

from __future__ import annotations

import math
from dataclasses import fields, is_dataclass
from datetime import datetime
from pathlib import PurePath

from toolnexus.clock import format_instant


def schema_of(command: str) -> str:
    """Name the schema of a command's document.

    Example:
        >>> schema_of("transcripts list")
        'toolnexus/transcripts-list/1'
    """
    return f"toolnexus/{command.replace(' ', '-')}/1"


def plain(value: object) -> object:
    """Turn a value of ours into what JSON has: dataclasses become mappings, instants RFC 3339.

    Example:
        >>> plain((1, PurePath("a/b")))
        [1, 'a/b']
    """
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [plain(item) for item in value]
    if isinstance(value, datetime):
        return format_instant(value)
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if value is None or isinstance(value, str | int | float):
        return value
    return value.as_posix() if isinstance(value, PurePath) else str(value)
