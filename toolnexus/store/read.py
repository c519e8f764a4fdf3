"""Reading a home into a snapshot: one walk, and only what changed is read and parsed."""

from __future__ import annotations

import codecs
import contextlib
import gc
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from toolnexus.change.plan import digest_of
from toolnexus.errors import ConflictError, HomeError, UsageError
from toolnexus.files import read_regular
from toolnexus.home.finding import Finding
from toolnexus.home.layout import SOUL_CAP_BYTES, Layout, detect_layout
from toolnexus.home.snapshot import IndexCap, Snapshot, classify, make_note
from toolnexus.store.confine import confine
from toolnexus.store.parse_cache import CachedFile
from toolnexus.store.scan import home_names, scan
from toolnexus.text.cache import document_from_json
from toolnexus.text.types import Document

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from toolnexus.home.note import Note
    from toolnexus.store.parse_cache import ParseCache
    from toolnexus.store.scan import Scan, Stat


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
            hint=f"make one with 'toolnexus new {root}'",
        )
    return layout


def read_snapshot(
    root: Path,
    *,
    facts: HomeFacts = HomeFacts(),
    state: Path | None = None,
    cache: ParseCache | None = None,
) -> Snapshot:
    """Read a home.

    A file that cannot be read is a finding and never stops the rest. Texts are loaded when they
    are asked for; one that changed since then raises `ConflictError`.

    Args:
        root: The home.
        facts: What the settings say.
        state: The state folder, which is never read as part of the home.
        cache: What was read before; None means nothing.

    Raises:
        HomeError: when it is no home, or its folder cannot be read.
    """
    layout = layout_of(root, facts)
    scanned_ns = 0 if cache is None else cache.now_ns()
    with _no_collection():
        known = {} if cache is None else cache.load()
        try:
            found = scan(root, layout, state=state)
        except OSError as error:
            raise HomeError(f"cannot be read: {error.strerror}", path=str(root)) from error
        reader = _Reader(root, layout, found, known)
        reader.read()
        if cache is not None:
            gone = frozenset(known.keys() - found.entries.keys())
            cache.save(reader.fresh, gone=gone, scanned_ns=scanned_ns)
    return Snapshot(
        name=facts.name or root.resolve().name,
        owner=facts.owner,
        layout=layout,
        cap=facts.cap,
        soul_cap_bytes=facts.soul_cap_bytes,
        notes=reader.notes,
        texts=Texts(
            root, {path: note.digest for path, note in reader.notes.items() if note.digest}
        ),
        assets=frozenset(found.assets),
        problems=tuple(sorted((*found.problems, *reader.problems))),
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
        self.bodies = {file.digest: file.body for file in known.values() if file.body is not None}
        self.notes: dict[str, Note] = {}
        self.fresh: dict[str, CachedFile] = {}
        self.problems: list[Finding] = []

    def read(self) -> None:
        """Read every file that the cache does not vouch for, parse what it has never seen."""
        unparsed: dict[str, str] = {}
        files: dict[str, CachedFile] = {}
        for path, stat in self.found.entries.items():
            file = self.known.get(path)
            if file is None or file.stat != stat or (file.body is None and file.bad_offset < 0):
                file = self._read_file(path, stat, unparsed)
            if file is not None:
                files[path] = file
        self._parse(unparsed)
        for path, file in files.items():
            self._add_note(path, file)

    def _read_file(self, path: str, stat: Stat, unparsed: dict[str, str]) -> CachedFile | None:
        """Read one file; None when it cannot be."""
        try:
            data = read_regular(confine(self.root, path), SOUL_CAP_BYTES)
        except (OSError, UsageError) as error:
            self._leave_out(path, stat, error)
            return None
        digest = digest_of(_whole_characters(data))
        bad_offset = -1
        if digest not in self.bodies:
            try:
                unparsed[digest] = decode(data)
            except UnicodeDecodeError as error:
                bad_offset = error.start
        file = CachedFile(stat, digest, bad_offset, self.bodies.get(digest))
        self.fresh[path] = file
        return file

    def _parse(self, texts: dict[str, str]) -> None:
        from toolnexus.store.parse_pool import parse_encoded

        if not texts:
            return
        self.bodies.update(zip(texts, parse_encoded(list(texts.values())), strict=True))
        for path, file in self.fresh.items():
            if file.digest in texts:
                body = self.bodies[file.digest]
                self.fresh[path] = CachedFile(file.stat, file.digest, file.bad_offset, body)

    def _add_note(self, path: str, file: CachedFile) -> None:
        stat = self.found.entries[path]
        if file.bad_offset >= 0:
            self.problems.append(
                Finding(
                    path,
                    0,
                    "not-utf8",
                    "error",
                    f"not valid UTF-8 at byte {file.bad_offset}, so the file is left out",
                    "save it as UTF-8",
                )
            )
            self.notes[path] = make_note(
                path, "left-out", "", stat.size, stat.mtime_ns / 1e9, Document()
            )
            return
        if stat.size > SOUL_CAP_BYTES:
            self.problems.append(_too_large(path, stat.size))
        document = document_from_json(json.loads(self.bodies[file.digest]))
        kind = classify(self.layout, path) or "note"
        self.notes[path] = make_note(
            path, kind, file.digest, stat.size, stat.mtime_ns / 1e9, document
        )

    def _leave_out(self, path: str, stat: Stat, error: Exception) -> None:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        self.problems.append(
            Finding(
                path,
                0,
                "not-a-file",
                "warning",
                f"the file cannot be read: {reason}",
                "check its permissions",
            )
        )
        self.notes[path] = make_note(
            path, "left-out", "", stat.size, stat.mtime_ns / 1e9, Document()
        )


class Texts(Mapping[str, str]):
    """The texts of a snapshot by path, read when they are asked for.

    Raises:
        ConflictError: from a look-up, when the file is no longer what the snapshot saw.
    """

    def __init__(self, root: Path, digests: Mapping[str, str]) -> None:
        self._root = root
        self._digests = digests
        self._loaded: dict[str, str] = {}

    def __getitem__(self, path: str) -> str:
        if path not in self._loaded:
            self._loaded[path] = self._load(path, self._digests[path])
        return self._loaded[path]

    def __iter__(self) -> Iterator[str]:
        return iter(self._digests)

    def __len__(self) -> int:
        return len(self._digests)

    def __contains__(self, path: object) -> bool:
        return path in self._digests

    def _load(self, path: str, digest: str) -> str:
        try:
            data = _whole_characters(read_regular(confine(self._root, path), SOUL_CAP_BYTES))
        except OSError as error:
            raise _changed(path) from error
        if digest_of(data) != digest:
            raise _changed(path)
        return data.decode()


def decode(data: bytes) -> str:
    """Decode a file's bytes strictly; a byte order mark stays, a cut character at the cap goes.

    Raises:
        UnicodeDecodeError: with the offset where it stops being UTF-8.
    """
    return _whole_characters(data).decode()


def _whole_characters(data: bytes) -> bytes:
    """Drop the start of a character that the read cap cut in two."""
    if len(data) < SOUL_CAP_BYTES:
        return data
    try:
        text = codecs.getincrementaldecoder("utf-8")().decode(data)
    except UnicodeDecodeError:
        return data
    return text.encode()


def _changed(path: str) -> ConflictError:
    return ConflictError(
        "the file changed while it was being worked on", path=path, hint="run it again"
    )


def _too_large(path: str, size: int) -> Finding:
    return Finding(
        path,
        0,
        "soul-too-large",
        "warning",
        f"the file has {size:,} bytes; only the first {SOUL_CAP_BYTES:,} are read",
        "split it: it is read-only to toolnexus until then",
    )


@contextlib.contextmanager
def _no_collection() -> Iterator[None]:
    """Pause the cycle collector: ten thousand documents are many objects and no cycles."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
