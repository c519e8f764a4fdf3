"""Files of other tools: found, opened and read, never written, each line bounded in memory."""

from __future__ import annotations

import errno
import json
import os
import stat
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from toolnexus.transcripts.importers.importer import Skip
from toolnexus.transcripts.lines import Line, read_lines

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

# What fits a line of theirs must fit a line of ours (16 MiB), with keys and escapes to spare.
LINE_CAP_BYTES = 15 * 1024 * 1024
WHOLE_CAP_BYTES = 64 * 1024 * 1024
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_REPLACEMENT = "\ufffd"


@dataclass(frozen=True, slots=True)
class Row:
    """A JSON object in a file, with its line or element, counted from 1."""

    number: int
    fields: Mapping[str, object]


def open_source(path: Path) -> BinaryIO:
    """Open a file for reading; never blocks on a FIFO or a device.

    Raises:
        OSError: when it cannot be read, or is no regular file.
    """
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise OSError(errno.EINVAL, "not a regular file", str(path))
    return os.fdopen(descriptor, "rb", buffering=1 << 18)


def unreadable(error: OSError, path: Path | str = "") -> Skip:
    """Say that a file or a folder cannot be read."""
    reason = f"cannot be read: {(error.strerror or str(error))[:80]}"
    return Skip(reason, path=str(path), retry=True)


def walk(source: Path, wanted: Callable[[str], bool]) -> Iterator[Path | Skip]:
    """Find files in a folder and all those below, in the order of their names.

    Symbolic links to folders are not followed, so that none leads in circles.

    Args:
        source: A folder; a file is its own only find, whatever its name.
        wanted: Tells by a file's name whether it is looked for.
    """
    if not source.is_dir():
        yield source
        return
    waiting = [source]
    while waiting:
        folder = waiting.pop()
        try:
            with os.scandir(folder) as scanned:
                entries = sorted(scanned, key=lambda entry: entry.name)
        except OSError as error:
            yield unreadable(error, folder)
            continue
        below: list[Path] = []
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                below.append(Path(entry.path))
            elif _is_linked_folder(entry):
                yield Skip("a symbolic link to a folder is not followed", path=entry.path)
            elif wanted(entry.name):
                yield Path(entry.path)
        waiting.extend(reversed(below))


def _is_linked_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_symlink() and entry.is_dir()
    except OSError:  # a link that leads in circles; reading it as a file will tell
        return False


def read_rows(path: Path) -> Iterator[Row | Skip]:
    """Read a file of JSON lines.

    A last line that is not whole yet is left for the next time.

    Raises:
        OSError: when it cannot be read.
    """
    with open_source(path) as file:
        for line in read_lines(file, cap_bytes=LINE_CAP_BYTES):
            row = _read_row(line)
            if row is not None:
                yield row


def _read_row(line: Line) -> Row | Skip | None:
    if line.too_long:
        return Skip("a line too long to be a message", line.number)
    data = line.data.removeprefix(_BYTE_ORDER_MARK) if line.number == 1 else line.data
    if not data or data.isspace():
        return None
    try:
        return Row(line.number, parse_object(data))
    except ValueError as error:
        torn = not line.whole
        return Skip("the last line is not whole yet" if torn else str(error), line.number)


def read_whole(path: Path) -> bytes:
    """Read a file that cannot be read in parts.

    Raises:
        OSError: when it cannot be read, or is over `WHOLE_CAP_BYTES`.
    """
    with open_source(path) as file:
        data = file.read(WHOLE_CAP_BYTES + 1)
    if len(data) > WHOLE_CAP_BYTES:
        raise OSError(errno.EFBIG, f"over {WHOLE_CAP_BYTES >> 20} MiB as one piece", str(path))
    return data.removeprefix(_BYTE_ORDER_MARK)


def parse_object(data: bytes | str) -> dict[str, object]:
    """Read a JSON object; numbers that JSON lacks and half surrogate pairs are replaced.

    Raises:
        ValueError: with a reason to count, when it is none.

    Example:
        >>> parse_object(b'{"a": NaN}')
        {'a': None}
    """
    try:
        text = data.decode("utf-8") if isinstance(data, bytes) else data
        value = json.loads(text, parse_constant=lambda _: None)
        if isinstance(value, dict):
            return _mended(value) if "\\ud" in text or "\\uD" in text else value
    except UnicodeDecodeError:
        raise ValueError("not UTF-8") from None
    except RecursionError:
        raise ValueError("nested too deeply") from None
    except ValueError:
        raise ValueError("not JSON") from None
    raise ValueError("not a JSON object")


def _mended(record: dict[str, object]) -> dict[str, object]:
    return {mend(key): _mend_value(value) for key, value in record.items()}


def _mend_value(value: object) -> object:
    if isinstance(value, str):
        return mend(value)
    if isinstance(value, list):
        return [_mend_value(item) for item in value]
    return _mended(value) if isinstance(value, dict) else value


def mend(text: str) -> str:
    r"""Replace half surrogate pairs, which no file can hold.

    Example:
        >>> mend("a\ud800")
        'a\ufffd'
    """
    if text.isascii():
        return text
    return "".join(_REPLACEMENT if "\ud800" <= char <= "\udfff" else char for char in text)
