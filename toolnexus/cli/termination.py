"""SIGTERM, for commands that start other programs: these have to be ended as well."""

from __future__ import annotations

import contextlib
import signal
import threading
from typing import TYPE_CHECKING, NoReturn

if TYPE_CHECKING:
    from collections.abc import Iterator


class Terminated(SystemExit):
    """SIGTERM came; the process ends with the code that a shell gives for it."""


@contextlib.contextmanager
def unwound_by_sigterm() -> Iterator[None]:
    """Let SIGTERM end the work as Ctrl-C does: what was begun is ended on the way out.

    Raises:
        Terminated: when it comes. A second one changes nothing: the end is bounded.
    """
    if threading.current_thread() is not threading.main_thread():
        yield  # only the main thread may handle signals
        return

    def stop(*_: object) -> NoReturn:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        raise Terminated(128 + signal.SIGTERM)

    before = signal.signal(signal.SIGTERM, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
