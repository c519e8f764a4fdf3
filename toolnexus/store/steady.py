"""Work on a home that a person may save files of in the same moment."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, TypeVar

from toolnexus.errors import ConflictError

if TYPE_CHECKING:
    from collections.abc import Callable

    from toolnexus.home.snapshot import Snapshot

Result = TypeVar("Result")
LOOKS = 8
"""How often a home is read anew that changes while it is looked at."""


def steady(read: Callable[[], Snapshot], look: Callable[[Snapshot], Result]) -> Result:
    """Look at a home as it is now; once more where files were saved in that very moment.

    From the second time on all texts are loaded first, so that what is saved while a long look
    goes on does not end it.

    Args:
        read: Reads the home.
        look: Is given the home as read; the first time texts are loaded when they are asked for.

    Raises:
        ConflictError: when files keep changing.
    """
    with contextlib.suppress(ConflictError):
        return look(read())
    for _ in range(LOOKS - 2):
        with contextlib.suppress(ConflictError):
            return look(_loaded(read()))
    return look(_loaded(read()))


def read_whole(read: Callable[[], Snapshot]) -> Snapshot:
    """Read a home and all its texts, for work that takes so long that a person may save meanwhile.

    Args:
        read: Reads the home.

    Raises:
        ConflictError: when files keep changing.
    """
    return steady(read, _loaded)


def _loaded(home: Snapshot) -> Snapshot:
    for path in home.texts:
        home.text(path)
    return home
