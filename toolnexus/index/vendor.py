"""How vendors are imported: quiet, without a word home, and no slower than need be."""

from __future__ import annotations

import contextlib
import importlib
import logging
import os
import threading
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import ModuleType

_IMPORTING = threading.Lock()

_QUIET = {
    "ORT_DISABLE_TELEMETRY": "1",
    "ANONYMIZED_TELEMETRY": "False",
    "TOKENIZERS_PARALLELISM": "false",
}


def quiet_vendors() -> None:
    """Switch off telemetry and chatter; what the user has set in the environment stands."""
    for name, value in _QUIET.items():
        os.environ.setdefault(name, value)
    logging.getLogger("chromadb").setLevel(logging.CRITICAL)


def import_chromadb() -> ModuleType:
    """Import Chroma, quiet, and in two thirds of the time that it would take by itself.

    Raises:
        ImportError: when it is not installed.
    """
    quiet_vendors()
    with _IMPORTING, trusted_overrides():
        module = importlib.import_module("chromadb")
        with contextlib.suppress(ImportError):  # where it lies is Chroma's own affair
            importlib.import_module("chromadb.api.rust")
    return module


@contextlib.contextmanager
def trusted_overrides() -> Iterator[None]:
    """Take it on trust that vendors' methods override what they say, while they are imported.

    Chroma marks its methods by the package `overrides`, which reads the byte code of a class once
    for each of its methods to see whether that is true. Its authors have seen it long ago; the
    marks are all that is needed. One thread at a time may do this.
    """
    try:
        overrides = importlib.import_module("overrides")
    except ImportError:  # a Chroma that does without
        yield
        return
    checks = {name: getattr(overrides, name, _mark) for name in ("override", "overrides")}
    try:
        for name in checks:
            setattr(overrides, name, _mark)
        yield
    finally:
        for name, check in checks.items():
            setattr(overrides, name, check)


def _mark(method: Any = None, **_: object) -> Any:
    """Mark a method as `overrides` does; given options alone, return what marks one."""
    if method is None:
        return _mark
    method.__override__ = True
    return method
