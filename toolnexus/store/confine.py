"""Paths kept inside the home: names are untrusted, wherever they come from."""

from __future__ import annotations

import contextlib
import errno
import os
from pathlib import Path
from typing import TYPE_CHECKING

from toolnexus.errors import DiskError, HomeError, UsageError
from toolnexus.files import TEMP_PREFIX

if TYPE_CHECKING:
    from collections.abc import Iterator

NAME_CAP_BYTES = 255


def confine(root: Path, relative: str) -> Path:
    """Turn a path from the home into a real one that is certainly inside it.

    Symbolic links inside the home are followed, so that a write goes to what a link leads to and
    the link stays a link.

    Args:
        root: The home.
        relative: A path from the home, with ``/``; it need not exist.

    Raises:
        UsageError: when it is empty or absolute, holds ``..``, NUL, a lone surrogate or a name
            that no file can bear.
        HomeError: when a symbolic link leads it out of the home.

    Example:
        >>> confine(Path("/tmp"), "../etc/passwd")
        Traceback (most recent call last):
        toolnexus.errors.UsageError: ../etc/passwd: leads out of the home
    """
    _check_words(relative)
    real_root = os.path.realpath(root)
    try:
        real = os.path.realpath(os.path.join(real_root, relative), strict=True)  # noqa: PTH118
    except FileNotFoundError:
        real = os.path.realpath(os.path.join(real_root, relative))  # noqa: PTH118
    except OSError as error:
        reason = "goes round in circles" if error.errno == errno.ELOOP else error.strerror
        raise _unreachable(relative, f"cannot be reached: {reason}") from None
    if not is_inside(real_root, real):
        raise _unreachable(relative, "a symbolic link leads out of the home")
    return Path(real)


def is_inside(real_root: str, real: str) -> bool:
    """Whether a resolved path lies under a resolved folder.

    Example:
        >>> is_inside("/home/ava", "/home/ava/MEMORY.md"), is_inside("/home/ava", "/home/avatar")
        (True, False)
    """
    return real.startswith(real_root.rstrip("/") + "/")


def is_text_name(name: str) -> bool:
    """Whether a name from the disk is valid UTF-8, so that it can be shown and linked to."""
    return name.isascii() or not any("\ud800" <= letter <= "\udfff" for letter in name)


@contextlib.contextmanager
def open_folder(root: Path, folder: Path) -> Iterator[int]:
    """Open a real folder of the home step by step, refusing a link at every step.

    `confine` resolved the way; here a link that was put into it since is refused, and what is then
    done in terms of the descriptor cannot be led elsewhere.

    Args:
        root: The home.
        folder: A folder in it, as `confine` gave it.

    Yields:
        The folder's descriptor.

    Raises:
        DiskError: when a step is missing or has become a link.
    """
    real_root = os.path.realpath(root)
    flags = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW
    descriptor = os.open(real_root, os.O_RDONLY | os.O_DIRECTORY)
    try:
        for step in folder.relative_to(real_root).parts:
            deeper = os.open(step, flags, dir_fd=descriptor)
            os.close(descriptor)
            descriptor = deeper
        yield descriptor
    except OSError as error:
        if error.errno not in {errno.ELOOP, errno.ENOTDIR}:
            raise
        raise DiskError(
            "a folder on the way has become a symbolic link",
            path=str(folder),
            hint="see who moves the home's folders, then run it again",
        ) from error
    finally:
        os.close(descriptor)


def _check_words(relative: str) -> None:
    """Refuse what is no path from the home, by its letters alone."""
    if not relative or relative.startswith("/"):
        raise _refused(relative, "is no path from the home")
    if "\0" in relative or not is_text_name(relative):
        raise _refused(ascii(relative), "holds a character that no file name can")
    for name in relative.split("/"):
        if name == "..":
            raise _refused(relative, "leads out of the home")
        if name in {"", "."}:
            raise _refused(relative, "is no plain path from the home")
        if len(name.encode()) > NAME_CAP_BYTES:
            raise _refused(relative[:60] + "…", f"has a name of over {NAME_CAP_BYTES} bytes")
        if name.startswith(TEMP_PREFIX):
            raise _refused(relative, "is a name that only temporary files bear")


def _unreachable(relative: str, why: str) -> HomeError:
    return HomeError(why, path=relative, hint="put the file itself in its place")


def _refused(relative: str, why: str) -> UsageError:
    return UsageError(why, path=relative, hint="give a path inside the home, such as memory/tea.md")
