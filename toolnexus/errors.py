"""What can stop the work, as one tree.

ToolnexusError
├── UsageError            exit 2    the caller asked for something that makes no sense
├── ReviewNeeded          exit 3    something was left for a person to decide
├── HomeError             exit 65   the folder is no home, or cannot be read as a whole
├── ModelError            exit 69   the model gave nothing of use
│   ├── Unreachable                 it could not be reached
│   ├── Refused                     it said no: key, quota, policy
│   └── Malformed                   what it said cannot be read
├── DeliveryError         exit 69   a reply did not reach the person it was for
├── ToolServerError       exit 69   a tool server cannot be used, or did not do what it was asked
├── SearchIndexError      exit 70   the index cannot be used and could not be rebuilt
├── DiskError             exit 74   the disk is full or failing; the home is as it was
├── LockedError           exit 75   another run holds the lock; try again
├── ConflictError         exit 75   files changed under our hands more often than we retry
├── ConfigError           exit 78   settings are wrong
└── BudgetSpent           exit 0    a budget ended the work early; what was earned is kept

A broken file of a user's is no error: it is a `Finding`, returned beside the rest.
"""

from __future__ import annotations

from typing import ClassVar


class ToolnexusError(Exception):
    """Anything that stops the work, with what to do about it.

    Args:
        message: What happened, in one sentence for a person.
        hint: What to do next, in one sentence; empty when there is nothing to add.
        path: The file it is about, as the caller named it.
        line: Line in that file, counted from 1.

    Example:
        >>> str(HomeError("no persona here", hint="run 'toolnexus new ava'", path="ava"))
        'ava: no persona here'
    """

    exit_code: ClassVar[int] = 70

    def __init__(
        self, message: str, *, hint: str = "", path: str | None = None, line: int | None = None
    ) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.path = path
        self.line = line

    def __str__(self) -> str:
        if self.path is None:
            return self.message
        where = self.path if self.line is None else f"{self.path}:{self.line}"
        return f"{where}: {self.message}"


class UsageError(ToolnexusError):
    """The call makes no sense as it stands: a bad argument, an unknown action or target."""

    exit_code = 2


class ReviewNeeded(ToolnexusError):  # noqa: N818 - the name says what happened
    """Part of what was asked for was left alone, because a person has to decide it."""

    exit_code = 3


class HomeError(ToolnexusError):
    """The folder is no home, or it cannot be read as a whole."""

    exit_code = 65


class ModelError(ToolnexusError):
    """The model gave nothing of use."""

    exit_code = 69


class Unreachable(ModelError):  # noqa: N818 - the name says what happened
    """The model could not be reached in time."""


class Refused(ModelError):  # noqa: N818 - the name says what happened
    """The model's provider said no: a key, a quota, a policy."""


class Malformed(ModelError):  # noqa: N818 - the name says what happened
    """The model's answer cannot be read."""


class DeliveryError(ToolnexusError):
    """A reply did not reach the person it was for."""

    exit_code = 69


class ToolServerError(ToolnexusError):
    """A tool server cannot be used, or did not do what it was asked."""

    exit_code = 69


class SearchIndexError(ToolnexusError):
    """The search index cannot be used, and could not be rebuilt by itself."""

    exit_code = 70


class DiskError(ToolnexusError):
    """The disk is full or failing; the home is as it was before the call."""

    exit_code = 74


class LockedError(ToolnexusError):
    """Another run holds the lock that this one needs."""

    exit_code = 75


class ConflictError(ToolnexusError):
    """Files kept changing while the work was being written."""

    exit_code = 75


class ConfigError(ToolnexusError):
    """The settings are wrong."""

    exit_code = 78


class BudgetSpent(ToolnexusError):  # noqa: N818 - the name says what happened
    """A budget ended the work early; what was earned until then is kept."""

    exit_code = 0
