"""Reading a home into a snapshot: one walk, and only what changed is read and parsed."""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from toolnexus.change.plan import digest_of
from toolnexus.errors import HomeError, UsageError
from toolnexus.home.finding import Finding
from toolnexus.home.layout import SOUL_CAP_BYTES, Layout, detect_layout
from toolnexus.home.snapshot import IndexCap, Snapshot, classify, make_note
from toolnexus.store.history import History
from toolnexus.store.notes import Notes, paused_collection
from toolnexus.store.parse_cache import CachedFile
from toolnexus.store.scan import home_names, scan
from toolnexus.store.texts import Texts, read_capped
from toolnexus.text.cache import document_from_json
from toolnexus.text.document import parse_document
from toolnexus.text.types import Document

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from toolnexus.home.note import Note
    from toolnexus.store.parse_cache import ParseCache
    from toolnexus.store.scan import Scan

FEW_FILES = 500
"""Up to so many changed files are worked into the tables of names and links that there are."""


@dataclass(frozen=True, slots=True)
class HomeFacts:
    """What the settings say about a home, as far as reading it goes.

    Attributes:
        name: The persona's name; empty means its folder's.
        owner: Whose memory it is.
        layout: Where things are; None means what the folder looks like.
        cap: The cap of MEMORY.md.
        soul_cap_bytes: The cap of the composed soul.
    """

    name: str = ""
    owner: str = ""
    layout: Layout | None = None
    cap: IndexCap = field(default_factory=IndexCap)
    soul_cap_bytes: int = 256 * 1024


def layout_of(root: Path, facts: HomeFacts = HomeFacts()) -> Layout:
    """Tell a home's layout: what the settings say, else what its folder looks like.

    Raises:
        HomeError: when there is no such folder, or it is no home.
    """
    try:
        found = detect_layout(home_names(root))
    except ValueError as error:
        raise HomeError(f"this is no path: {error}", path=ascii(str(root))) from error
    except OSError as error:
        reason = "there is no such folder" if isinstance(error, FileNotFoundError) else None
        raise HomeError(
            reason or f"the folder cannot be read: {error.strerror}",
            path=str(root),
            hint=f"make a persona with 'toolnexus new {root}'",
        ) from error
    layout = facts.layout or found
    if layout is None:
        raise HomeError(
            "this folder is no persona home",
            path=str(root),
            hint="name a persona's folder; 'toolnexus new DIR' makes a fresh one",
        )
    return layout


@dataclass(frozen=True, slots=True)
class Reading:
    """A read, kept so that the next one costs a walk and what has changed since.

    Attributes:
        snapshot: What it came to.
        scan: What its walk found.
        files: What it knows of each file, settled: one without its stat is read again.
        notes: The snapshot's notes, those made since among them.
    """

    snapshot: Snapshot
    scan: Scan
    files: Mapping[str, CachedFile]
    notes: Notes[CachedFile]

    def stands(self, found: Scan) -> bool:
        """Whether a later walk found the very same files, and none of them has to be read again."""
        return self.scan == found and all(file.stat is not None for file in self.files.values())


def read_snapshot(
    root: Path,
    *,
    facts: HomeFacts = HomeFacts(),
    state: Path | None = None,
    cache: ParseCache | None = None,
) -> Snapshot:
    """Read a home, as `read_again` does, when it was never read before."""
    return read_again(root, None, facts=facts, state=state, cache=cache).snapshot


def read_again(
    root: Path,
    last: Reading | None,
    *,
    facts: HomeFacts = HomeFacts(),
    state: Path | None = None,
    cache: ParseCache | None = None,
) -> Reading:
    """Read a home that may have been read before; where nothing has changed, `last` still stands.

    A file that cannot be read is a finding and never stops the rest. Texts are loaded when they
    are asked for; one that changed since then raises `ConflictError`.

    Args:
        root: The home.
        last: The read before this one, with the same facts.
        facts: What the settings say.
        state: The state folder, which is never read as part of the home.
        cache: What other processes read before; None means nothing.

    Raises:
        HomeError: when it is no home, or its folder cannot be read.
    """
    layout = layout_of(root, facts)
    if last is not None and last.snapshot.layout != layout:
        last = None
    scanned_ns = 0 if cache is None else cache.now_ns()
    with paused_collection():
        try:
            found = scan(root, layout, state=state)
        except OSError as error:
            raise HomeError(f"cannot be read: {error.strerror}", path=str(root)) from error
        if last is not None and last.stands(found):
            return last
        known = last.files if last is not None else {} if cache is None else cache.load()
        reader = _Reader(root, layout, found, known)
        reader.read()
        fresh = {path: file.settled(scanned_ns) for path, file in reader.fresh.items()}
        if cache is not None:
            cache.save(fresh, gone=frozenset(known.keys() - found.entries.keys()))
    notes = Notes(reader.files, reader.note, _still_standing(last, reader.files))
    snapshot = replace(_snapshot(root, layout, facts, reader, notes), moved=_moved(state))
    if last is not None:
        changed = _changed(last.files, reader.files)
        if len(changed) <= FEW_FILES:
            snapshot = snapshot.after(last.snapshot, changed)
    return Reading(snapshot, found, {**reader.files, **fresh}, notes)


def _moved(state: Path | None) -> Mapping[str, str]:
    """Return where notes went that were renamed or merged, by the path that they had."""
    return {} if state is None else History(state).renames()


def _changed(before: Mapping[str, CachedFile], files: Mapping[str, CachedFile]) -> frozenset[str]:
    """Return the files that were read anew, and those that are gone."""
    anew = {path for path, file in files.items() if before.get(path) is not file}
    return frozenset(anew | (before.keys() - files.keys()))


def _still_standing(
    last: Reading | None, files: Mapping[str, CachedFile]
) -> Mapping[str, Note] | None:
    """Return the notes that an earlier read made of files that are as they were."""
    if last is None:
        return None
    return {path: note for path, note in last.notes.made() if files.get(path) is last.files[path]}


def _snapshot(
    root: Path, layout: Layout, facts: HomeFacts, reader: _Reader, notes: Notes[CachedFile]
) -> Snapshot:
    digests = {path: file.digest for path, file in reader.files.items() if file.is_sound}
    return Snapshot(
        name=facts.name or root.resolve().name,
        owner=facts.owner,
        layout=layout,
        cap=facts.cap,
        soul_cap_bytes=facts.soul_cap_bytes,
        notes=notes,
        texts=Texts(root, digests),
        digests=digests,
        assets=frozenset(reader.found.assets),
        problems=tuple(sorted((*reader.found.problems, *reader.problems))),
    )


class _Reader:
    """Turns what a scan found into notes, with the cache's help."""

    def __init__(
        self, root: Path, layout: Layout, found: Scan, known: Mapping[str, CachedFile]
    ) -> None:
        self.root = root
        self.layout = layout
        self.found = found
        self.known = known
        self.files: dict[str, CachedFile] = {}
        self.fresh: dict[str, CachedFile] = {}
        self.problems: list[Finding] = []

    def read(self) -> None:
        """Read every file that the cache does not vouch for, parse what it has never seen."""
        for path, stat in self.found.entries.items():
            file = self.known.get(path)
            if file is None or file.stat != stat or (file.body is None and file.is_sound):
                self.fresh[path] = file = CachedFile(stat, "", -1, None)
            self.files[path] = file
        self._read_fresh()
        for path, file in self.files.items():
            if file.bad_offset >= 0 or self.found.entries[path].size > SOUL_CAP_BYTES:
                self._report(path, file)

    def note(self, path: str, file: CachedFile) -> Note:
        """Make a note of what was read of a file."""
        stat = self.found.entries[path]
        kind = (classify(self.layout, path) or "note") if file.is_sound else "left-out"
        document = self._document(path, file) if file.is_sound else Document()
        digest = file.digest if file.is_sound else ""
        same_as = self.found.twins.get(path, "")
        return make_note(path, kind, digest, stat.size, stat.mtime_ns / 1e9, document, same_as)

    def _read_fresh(self) -> None:
        """Read the files that are new or changed; texts that were parsed before are not again."""
        if not self.fresh:
            return
        bodies = {file.digest: file.body for file in self.known.values() if file.body is not None}
        texts: dict[str, str] = {}
        for path in list(self.fresh):
            try:
                data = read_capped(self.root, path)
            except (OSError, UsageError) as error:
                self._leave_out(path, error)
                continue
            digest, bad_offset = digest_of(data), -1
            try:
                if digest not in bodies:
                    texts[digest] = data.decode()
            except UnicodeDecodeError as error:
                bad_offset = error.start
            self.fresh[path] = replace(self.fresh[path], digest=digest, bad_offset=bad_offset)
        bodies.update(_parsed(texts))
        for path, file in self.fresh.items():
            body = bodies.get(file.digest) if file.is_sound else None
            self.files[path] = self.fresh[path] = replace(file, body=body)

    def _document(self, path: str, file: CachedFile) -> Document:
        """Decode a file's document; where the cache holds nonsense, parse the text again."""
        try:
            return document_from_json(json.loads(file.body or ""))
        except (ValueError, RecursionError):
            return parse_document(Texts(self.root, {path: file.digest})[path])

    def _leave_out(self, path: str, error: Exception) -> None:
        """Report a file that cannot be read; it is a note that only its name is known of."""
        reason = error.strerror if isinstance(error, OSError) else str(error)
        message = f"the file cannot be read: {reason}"
        self.problems.append(
            Finding(path, 0, "not-a-file", "warning", message, "check its permissions")
        )
        self.files[path] = replace(self.fresh.pop(path), stat=None, bad_offset=0)

    def _report(self, path: str, file: CachedFile) -> None:
        size = self.found.entries[path].size
        if not file.is_sound:
            if not file.digest:
                return  # it could not even be read, which is told already
            message = f"not valid UTF-8 at byte {file.bad_offset}, so the file is left out"
            self.problems.append(Finding(path, 0, "not-utf8", "error", message, "save it as UTF-8"))
        else:
            self.problems.append(_too_large(path, size))


def _parsed(texts: Mapping[str, str]) -> dict[str, str]:
    """Parse texts into encoded documents, by the same keys."""
    from toolnexus.store.parse_pool import parse_encoded

    return dict(zip(texts, parse_encoded(list(texts.values())), strict=True)) if texts else {}


def _too_large(path: str, size: int) -> Finding:
    return Finding(
        path,
        0,
        "soul-too-large",
        "warning",
        f"the file has {size:,} bytes; only the first {SOUL_CAP_BYTES:,} are read",
        "split it: it is read-only to toolnexus until then",
    )
