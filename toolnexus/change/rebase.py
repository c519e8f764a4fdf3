"""Rebasing: a change of several files, carried over onto what people wrote meanwhile.

Each file is merged claim by claim (`threeway`). Across the files one law holds: a claim that the
change did not mean to remove never disappears. Where a claim was moved from one file to another
and cannot arrive there, it does not leave either.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from toolnexus.change.plan import FileWrite
from toolnexus.change.threeway import Hunk, Merged, merge_texts
from toolnexus.text.document import parse_document

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

MERGE_REASON = "the text there was changed since"
VETO_REASON = "it would leave a claim standing nowhere"
FILE_REASON = "another file stands there now"
GONE_REASON = "the file was removed since"
BYTES_REASON = "the file is no text that can be merged"


@dataclass(frozen=True, slots=True)
class LeftHunk:
    """A part of a change that was not made.

    Attributes:
        path: The file.
        line: The line in the file that the change was made from, counted from 1; 0 for the
            whole file.
        end_line: The last such line.
        before: The lines that were to go; empty for an addition.
        after: The lines that were to come; empty for a removal.
        reason: Why it was left.
    """

    path: str
    line: int
    end_line: int
    before: str
    after: str
    reason: str


@dataclass(frozen=True, slots=True)
class Rebased:
    """What a change comes to on what is there now.

    Attributes:
        writes: The files, `before` being what is there now; unchanged ones are left out.
        applied: What is done, by path.
        left: What is not.
    """

    writes: tuple[FileWrite, ...]
    applied: Mapping[str, tuple[Hunk, ...]]
    left: tuple[LeftHunk, ...]


def rebase(
    writes: Sequence[FileWrite],
    current: Mapping[str, bytes | None],
    *,
    standing: Collection[str] = (),
    may_vanish: Counter[str] | None = None,
    keep_both: bool = False,
) -> Rebased:
    """Carry a change over onto the files as they are now.

    Args:
        writes: The change, each file with what it was made from and what it was to become.
        current: What is there now, by path; None or absent means no such file.
        standing: Folded claims that stand in other files, so that they may go from these.
        may_vanish: Folded claims that the change may remove; None means those that it removes
            between `before` and `after`.
        keep_both: Where a claim must stay that another was to replace, the other one comes beside
            it instead of giving way.
    """
    files = [_File(write, current.get(write.path), keep_both) for write in writes]
    meant_to_stand = _count(file.ours for file in files)
    if may_vanish is None:
        may_vanish = _count(file.base for file in files) - meant_to_stand
    now = _count(file.theirs for file in files)
    elsewhere = frozenset(standing)
    standing_now = now.keys() | elsewhere
    protected: set[str] = set()
    while True:
        outcomes = [file.merge(protected, standing_now) for file in files]
        then = _count(outcome.text for outcome in outcomes)
        # One of two copies may go, but not when somebody took the other one away.
        last_copies = (now.keys() & meant_to_stand.keys()) - then.keys()
        lost = (now - then - may_vanish).keys() | last_copies
        endangered = lost - elsewhere - protected
        if not endangered:
            break
        protected |= endangered
    merged = [
        FileWrite(file.write.path, file.now, outcome.data)
        for file, outcome in zip(files, outcomes, strict=True)
    ]
    return Rebased(
        tuple(write for write in merged if write.before != write.after),
        {file.write.path: outcome.applied for file, outcome in zip(files, outcomes, strict=True)},
        tuple(left for outcome in outcomes for left in outcome.left),
    )


def count_folds(data: bytes | None) -> Counter[str]:
    """Count the folded claims of a file; one that is no text has none."""
    return _count([_decoded(data)])


@dataclass(frozen=True, slots=True)
class _Outcome:
    data: bytes | None
    text: str | None
    applied: tuple[Hunk, ...] = ()
    left: tuple[LeftHunk, ...] = ()


class _File:
    """One file of a change: what it came from, what it was to become, and what is there."""

    def __init__(self, write: FileWrite, now: bytes | None, keep_both: bool) -> None:
        self.write = write
        self.keep_both = keep_both
        self.now = now
        self.base = _decoded(write.before)
        self.ours = _decoded(write.after)
        self.theirs = _decoded(now)
        self._claims = parse_document(self.base or "").claims

    def merge(self, protected: Collection[str], standing: Collection[str]) -> _Outcome:
        """Merge, leaving alone the claims that are protected.

        A second copy of a claim does not come where somebody took the first one away: it is left
        out where nothing of all that is `standing` says the same.
        """
        write = self.write
        if self.now == write.after:
            return _Outcome(self.now, self.theirs)
        if self.now is None and write.before is not None:
            return self._left_whole(GONE_REASON)
        if self.now is not None and write.before is None:
            return self._left_whole(FILE_REASON)
        if self._is_bytes():
            whole = self.now == write.before
            return _Outcome(write.after, self.ours) if whole else self._left_whole(BYTES_REASON)
        return self._merge_texts(protected, standing)

    def _merge_texts(self, protected: Collection[str], standing: Collection[str]) -> _Outcome:
        removing = self.write.after is None
        # Where claims stay in a file that was to go, its headings and front matter stay too.
        stays = removing and (
            self.now != self.write.before or any(c.fold in protected for c in self._claims)
        )

        taken_away = {claim.fold for claim in self._claims}.difference(standing)

        def leave(hunk: Hunk) -> bool:
            folds = self._folds(hunk)
            if not hunk.before.strip() and not _count([hunk.after]).keys().isdisjoint(taken_away):
                return True
            return not folds.isdisjoint(protected) or (stays and not folds)

        merged = merge_texts(self.base or "", self.ours or "", self.theirs or "", leave=leave)
        if self.keep_both:
            merged = _with_both(merged, lambda hunk: not self._folds(hunk).isdisjoint(protected))
        left = tuple(
            self._left(hunk, MERGE_REASON if folds.isdisjoint(protected) else VETO_REASON)
            for hunk in merged.left
            if (folds := self._folds(hunk)) or not (removing or _is_blank(hunk))
        )
        if removing and not left and not _says_more(merged.text, self.base or ""):
            return _Outcome(None, None, merged.applied)
        return _Outcome(merged.text.encode(), merged.text, merged.applied, left)

    def _folds(self, hunk: Hunk) -> frozenset[str]:
        """Tell the claims that a hunk takes away."""
        gone = [c.fold for c in self._claims if hunk.line <= c.line <= hunk.end_line]
        return frozenset(gone) - _count([hunk.after]).keys() if gone else frozenset()

    def _is_bytes(self) -> bool:
        pairs = ((self.base, self.write.before), (self.ours, self.write.after))
        return any(
            text is None and data is not None for text, data in (*pairs, (self.theirs, self.now))
        )

    def _left(self, hunk: Hunk, reason: str) -> LeftHunk:
        return LeftHunk(self.write.path, hunk.line, hunk.end_line, hunk.before, hunk.after, reason)

    def _left_whole(self, reason: str) -> _Outcome:
        left = LeftHunk(self.write.path, 0, 0, self.base or "", self.ours or "", reason)
        wanted = self.write.before != self.write.after
        nothing_to_do = self.now is None and self.write.after is None
        return _Outcome(self.now, self.theirs, left=(left,) if wanted and not nothing_to_do else ())


def _with_both(merged: Merged, is_protected: Callable[[Hunk], bool]) -> Merged:
    """Put what was to replace protected claims behind them."""
    text, left = merged.text, []
    for hunk in merged.left:
        at = text.find(hunk.before)
        if at < 0 or not is_protected(hunk) or not hunk.after.strip():
            left.append(hunk)
            continue
        end = at + len(hunk.before)
        gap = "" if hunk.before.endswith("\n") else "\n"
        text = text[:end] + gap + hunk.after + text[end:]
    return replace(merged, text=text, left=tuple(left))


def _is_blank(hunk: Hunk) -> bool:
    return not hunk.before.strip() and not hunk.after.strip()


def _says_more(text: str, base: str) -> bool:
    """Whether a text holds a line that the base does not."""
    known = {line.strip() for line in base.splitlines()}
    return any(line.strip() not in known for line in text.splitlines() if line.strip())


def _decoded(data: bytes | None) -> str | None:
    if data is None:
        return None
    try:
        return data.decode()
    except UnicodeDecodeError:
        return None


def _count(texts: Iterable[str | None]) -> Counter[str]:
    counted: Counter[str] = Counter()
    for text in texts:
        if text:
            counted.update(claim.fold for claim in parse_document(text).claims)
    return counted
