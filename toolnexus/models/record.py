"""Recordings: what a model was asked and what it replied, so that a run can be repeated."""

from __future__ import annotations

import contextlib
import json
import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from toolnexus.errors import Malformed, ModelError, Refused, Unreachable, UsageError
from toolnexus.files import disk_errors
from toolnexus.models.completion import Completion, Delta, Request
from toolnexus.models.redact import Redactor
from toolnexus.models.wire import parse_completion, render_completion, render_request

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator
    from pathlib import Path

    from toolnexus.models.model import Model

SCHEMA = "toolnexus/recording/1"
_HEAD = f'{{"schema": "{SCHEMA}"'.encode()
_ERRORS: dict[str, type[ModelError]] = {
    kind.__name__: kind for kind in (Unreachable, Refused, Malformed)
}


class RecordingModel:
    """Passes requests on to a model and records them with their replies, a line each, at once.

    Keys are masked in what is written. It may be used from several threads at once.

    Args:
        inner: The model that is asked.
        path: The recording; one that is there is written over, and no other file.
        redactor: Masks keys; None makes one from the environment.

    Raises:
        UsageError: when the file that is there is no recording.
        DiskError: when the recording cannot be written.
    """

    def __init__(self, inner: Model, path: Path, redactor: Redactor | None = None) -> None:
        self._inner = inner
        self._path = path
        self._redactor = redactor or Redactor.from_environment()
        self._lock = threading.Lock()
        with disk_errors(path):
            path.parent.mkdir(parents=True, exist_ok=True)
            _check_overwritable(path)
            path.write_bytes(b"")

    @property
    def name(self) -> str:
        """The inner model's name."""
        return self._inner.name

    def complete(self, request: Request) -> Completion:
        """Ask the inner model and record what it says, an error too."""
        with self._recorded_errors(request):
            completion = self._inner.complete(request)
        self._write(request, completion)
        return completion

    async def acomplete(self, request: Request) -> Completion:
        """Ask the inner model and record what it says, an error too."""
        with self._recorded_errors(request):
            completion = await self._inner.acomplete(request)
        self._write(request, completion)
        return completion

    def stream(self, request: Request) -> Iterator[Delta]:
        """Hand on the inner model's stream and record the whole reply."""
        with self._recorded_errors(request):
            for delta in self._inner.stream(request):
                if delta.completion is not None:
                    self._write(request, delta.completion)
                yield delta

    async def astream(self, request: Request) -> AsyncIterator[Delta]:
        """Hand on the inner model's stream and record the whole reply."""
        with self._recorded_errors(request):
            async for delta in self._inner.astream(request):
                if delta.completion is not None:
                    self._write(request, delta.completion)
                yield delta

    @contextlib.contextmanager
    def _recorded_errors(self, request: Request) -> Iterator[None]:
        try:
            yield
        except ModelError as error:
            self._write(request, error)
            raise

    def _write(self, request: Request, outcome: Completion | ModelError) -> None:
        if isinstance(outcome, Completion):
            said = {"completion": render_completion(outcome)}
        else:
            kind = next(c.__name__ for c in type(outcome).__mro__ if c.__name__ in _ERRORS)
            error = {"kind": kind, "message": outcome.message, "hint": outcome.hint}
            said = {"error": error}
        document = {
            "schema": SCHEMA,
            "model": self.name,
            "request": render_request(request),
            **said,
        }
        line = json.dumps(self._redactor.value(document), ensure_ascii=True) + "\n"
        with self._lock, disk_errors(self._path), self._path.open("ab") as file:
            file.write(line.encode())


def _check_overwritable(path: Path) -> None:
    """Leave alone what a slip of the hand names: somebody's memory is no recording."""
    if not path.exists():
        return
    with path.open("rb") as file:
        head = file.read(len(_HEAD))
    if head not in {b"", _HEAD}:
        raise UsageError(
            f"{path}: there is a file that is no recording",
            hint="name another file; this one was left as it is",
        )


@dataclass(frozen=True, slots=True)
class Recorded:
    """One line of a recording.

    Attributes:
        line: Its number, counted from 1.
        model: Who was asked.
        request: What was asked, as canonical JSON.
        outcome: What came back.
    """

    line: int
    model: str
    request: str
    outcome: Completion | ModelError


class ReplayModel:
    """Answers from a recording: the same requests get the same replies, in any order of threads.

    Equal requests get their replies in the order in which they were recorded. It may be used from
    several threads at once.

    Args:
        path: The recording.
        redactor: Masks keys in requests as they were masked when they were recorded.

    Raises:
        UsageError: when the recording cannot be read.
    """

    def __init__(self, path: Path, redactor: Redactor | None = None) -> None:
        self._path = path
        self._redactor = redactor or Redactor.from_environment()
        self._left = read_recording(path)
        self._name = self._left[0].model if self._left else "replay"
        self._lock = threading.Lock()

    @property
    def name(self) -> str:
        """The name of the model that was recorded."""
        return self._name

    @property
    def left(self) -> int:
        """How many recorded replies were not asked for yet."""
        return len(self._left)

    def complete(self, request: Request) -> Completion:
        """Give the reply that was recorded.

        Raises:
            ModelError: when that is what was recorded.
            UsageError: when nothing like this was recorded.
        """
        outcome = self._take(request)
        if isinstance(outcome, ModelError):
            raise outcome
        return outcome

    async def acomplete(self, request: Request) -> Completion:
        """Give the reply that was recorded; see `complete`."""
        return self.complete(request)

    def stream(self, request: Request) -> Iterator[Delta]:
        """Give the reply that was recorded; see `complete`."""
        completion = self.complete(request)
        if completion.text:
            yield Delta(completion.text)
        yield Delta(completion=completion)

    async def astream(self, request: Request) -> AsyncIterator[Delta]:
        """Give the reply that was recorded; see `complete`."""
        for delta in self.stream(request):
            yield delta

    def _take(self, request: Request) -> Completion | ModelError:
        asked = _canonical(self._redactor.value(render_request(request)))
        with self._lock:
            for number, recorded in enumerate(self._left):
                if recorded.request == asked:
                    del self._left[number]
                    return recorded.outcome
            raise self._mismatch(asked)

    def _mismatch(self, asked: str) -> UsageError:
        hint = "the home or the program has changed since: record it anew"
        if not self._left:
            return UsageError(
                "the recording has no reply left, and the run goes on",
                path=str(self._path),
                hint=hint,
            )
        expected = self._left[0]
        where = _first_difference(json.loads(expected.request), json.loads(asked))
        return UsageError(
            f"the run asks something else than was recorded here: {where}",
            path=str(self._path),
            line=expected.line,
            hint=hint,
        )


def read_recording(path: Path) -> list[Recorded]:
    """Read a recording.

    Raises:
        UsageError: when the file or a line of it cannot be read.
    """
    try:
        lines = path.read_bytes().splitlines()
    except OSError as error:
        raise UsageError(
            f"cannot read the recording: {error.strerror}",
            path=str(path),
            hint="make one with --record",
        ) from None
    return [_parse_line(path, n, line) for n, line in enumerate(lines, 1) if line.strip()]


def _parse_line(path: Path, number: int, line: bytes) -> Recorded:
    try:
        fields = json.loads(line)
        if not isinstance(fields, dict) or fields.get("schema") != SCHEMA:
            raise ValueError(f"its schema is not {SCHEMA}")  # noqa: TRY301 - one way out
        return Recorded(
            number, str(fields.get("model")), _canonical(fields["request"]), _outcome(fields)
        )
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise UsageError(
            f"no line of a recording: {error}", path=str(path), line=number, hint="record it anew"
        ) from None


def _outcome(fields: dict[str, Any]) -> Completion | ModelError:
    if "error" not in fields:
        return parse_completion(fields.get("completion"))
    error = fields["error"]
    return _ERRORS[error["kind"]](str(error["message"]), hint=str(error.get("hint", "")))


def _canonical(value: object) -> str:
    return json.dumps(value, sort_keys=True)


def _first_difference(expected: Any, asked: Any, where: str = "") -> str:
    """Tell where two JSON values part, for a person."""
    if isinstance(expected, dict) and isinstance(asked, dict):
        keys = sorted(expected.keys() | asked.keys())
        key = next((k for k in keys if expected.get(k) != asked.get(k)), None)
        if key is not None:
            return _first_difference(
                expected.get(key), asked.get(key), f"{where}.{key}".lstrip(".")
            )
    if isinstance(expected, list) and isinstance(asked, list):
        for number, (old, new) in enumerate(zip(expected, asked, strict=False)):
            if old != new:
                return _first_difference(old, new, f"{where}[{number}]")
        return f"{where} has {len(asked)} items, not {len(expected)}"
    return f"{where} is {_around(asked, expected)}, not {_around(expected, asked)}"


def _around(value: Any, other: Any) -> str:
    """Show a value; of two long texts the part where they begin to differ."""
    if not isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)[:80]
    same = 0
    if isinstance(other, str):
        pairs = enumerate(zip(value, other, strict=False))
        same = next((n for n, (a, b) in pairs if a != b), min(len(value), len(other)))
    start = max(0, same - 20)
    shown = value[start : start + 60]
    shown = ("…" if start else "") + shown + ("…" if start + 60 < len(value) else "")
    return json.dumps(shown, ensure_ascii=False)
