"""Workflow commands of GitHub Actions, which mark a line of a file in a pull request."""

from __future__ import annotations

from typing import Literal

from toolnexus.cli.console import visible
from toolnexus.text.secrets import mask

Level = Literal["error", "warning", "notice"]


def annotation(level: Level, path: str, line: int, title: str, message: str) -> str:
    """Write one annotation; line 0 stands for the whole file, an empty path for none.

    Example:
        >>> annotation("error", "a,b.md", 2, "broken-link", "leads nowhere")
        '::error file=a%2Cb.md,line=2,title=broken-link::leads nowhere'
    """
    place = {"file": path, "line": str(line) if line else "", "title": title}
    properties = ",".join(f"{key}={_property(value)}" for key, value in place.items() if value)
    return f"::{level} {properties}::{_data(message)}"


def _data(text: str) -> str:
    escaped = mask(text).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
    return visible(escaped)


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
