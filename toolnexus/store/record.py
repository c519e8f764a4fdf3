"""Records: what one commit changed, with the bytes before and after. The journal is the history."""

from __future__ import annotations

import json
import re
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from toolnexus.change.plan import Change, Evidence, FileWrite, digest_of

if TYPE_CHECKING:
    from collections.abc import Iterable

RECORD_SCHEMA = "toolnexus/record/1"
RECORD_FILE = "record.json"


HEAD_BYTES = 1024
_HEAD = re.compile(rb'"job": "([^"]*)",\s*"time": "[^"]*",\s*"sequence": (\d+)')


class DamagedRecordError(Exception):
    """A record on the disk cannot be read back; it is set aside, and nothing else depends on it."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One commit, as the history lists it.

    Attributes:
        id: Such as ``20261129T030012Z-3f2a``.
        job: Who committed it: ``dream``, ``remember``, ``revert`` …
        time: When, as RFC 3339 in UTC.
        sequence: Its place in the order of commits, whatever the clock said.
        changes: What it did, in a person's terms.
        paths: The files that it changed, the log among them.
        log_path: The dream log among them; empty when it wrote no entry.
        reverts: The id of the commit that it undid; empty for any other.
    """

    id: str
    job: str
    time: str
    sequence: int
    changes: tuple[Change, ...]
    paths: tuple[str, ...]
    log_path: str = ""
    reverts: str = ""


def standing_after(history: Iterable[Entry], entry: Entry) -> list[Entry]:
    """Return what was committed after a commit and stands: no reverts, and nothing reverted.

    Args:
        history: All commits, newest last.
        entry: The commit.
    """
    entries = list(history)
    reverted = {each.reverts for each in entries}
    return [
        each
        for each in entries
        if each.sequence > entry.sequence and not each.reverts and each.id not in reverted
    ]


@dataclass(frozen=True, slots=True)
class Record:
    """One commit with its images.

    Attributes:
        entry: What the history lists of it.
        writes: The files with their bytes before and after.
        folders: The folders that it had to make, outermost first.
        images: Name of the file that holds the bytes.
    """

    entry: Entry
    writes: tuple[FileWrite, ...]
    folders: tuple[str, ...] = ()
    images: str = "images.bin"

    @property
    def id(self) -> str:
        """The commit's id."""
        return self.entry.id


def encode_record(record: Record) -> tuple[bytes, bytes]:
    """Encode a record into its JSON and the bytes of its images."""
    blob = bytearray()

    def put(data: bytes | None) -> dict[str, Any] | None:
        if data is None:
            return None
        place = {"digest": digest_of(data), "offset": len(blob), "size": len(data)}
        blob.extend(data)
        return place

    files = []
    for write in record.writes:
        after = put(write.after)
        before: dict[str, Any] | None
        if after and write.before is not None and (write.after or b"").startswith(write.before):
            # Something was appended, as to the log: its old bytes stand there already.
            before = after | {"digest": write.before_digest, "size": len(write.before)}
        else:
            before = put(write.before)
        files.append({"path": write.path, "before": before, "after": after})
    entry = asdict(record.entry)
    del entry["paths"]
    value = {
        "schema": RECORD_SCHEMA,
        **entry,
        "images": record.images,
        "folders": record.folders,
        "files": files,
    }
    return json.dumps(value, ensure_ascii=False, indent=1).encode("utf-8", "surrogatepass"), bytes(
        blob
    )


def decode_head(data: bytes) -> tuple[int, str]:
    """Read a record's place in the order and its job out of its first `HEAD_BYTES` bytes.

    Raises:
        DamagedRecordError: when they do not stand there.
    """
    found = _HEAD.search(data)
    if found is None:
        raise DamagedRecordError("it does not begin as a record")
    return int(found[2]), found[1].decode("utf-8", "replace")


def decode_entry(data: bytes) -> Entry:
    """Read what the history lists out of a record's JSON.

    Raises:
        DamagedRecordError: when it is none.
    """
    return _entry_of(_value_of(data))


def decode_record(data: bytes, images: bytes) -> Record:
    """Put a record together again.

    Raises:
        DamagedRecordError: when the JSON is none, or the images are not the ones it names.
    """
    value = _value_of(data)
    try:
        writes = tuple(
            FileWrite(file["path"], _image(file["before"], images), _image(file["after"], images))
            for file in value["files"]
        )
        return Record(_entry_of(value), writes, tuple(value["folders"]), value["images"])
    except (KeyError, TypeError, ValueError) as error:
        raise DamagedRecordError(str(error)) from error


def images_name(data: bytes) -> str:
    """Tell which file holds the images of a record's JSON.

    Raises:
        DamagedRecordError: when the JSON is none.
    """
    name = _value_of(data).get("images")
    if not isinstance(name, str) or "/" in name:
        raise DamagedRecordError("no images are named")
    return name


def _value_of(data: bytes) -> dict[str, Any]:
    try:
        value = json.loads(data.decode("utf-8", "surrogatepass"))
    except (ValueError, RecursionError) as error:
        raise DamagedRecordError(str(error)) from error
    if not isinstance(value, dict) or value.get("schema") != RECORD_SCHEMA:
        raise DamagedRecordError("not a record of this version")
    return value


def _entry_of(value: dict[str, Any]) -> Entry:
    try:
        return Entry(
            id=str(value["id"]),
            job=str(value["job"]),
            time=str(value["time"]),
            sequence=int(value["sequence"]),
            changes=tuple(_change_of(change) for change in value["changes"]),
            paths=tuple(str(file["path"]) for file in value["files"]),
            log_path=str(value["log_path"]),
            reverts=str(value["reverts"]),
        )
    except (KeyError, TypeError, ValueError) as error:
        raise DamagedRecordError(str(error)) from error


def _change_of(value: dict[str, Any]) -> Change:
    evidence = tuple(Evidence(**each) for each in value["evidence"])
    return Change(**{**value, "evidence": evidence})


def _image(place: dict[str, Any] | None, images: bytes) -> bytes | None:
    if place is None:
        return None
    data = images[place["offset"] : place["offset"] + place["size"]]
    if digest_of(data) != place["digest"]:
        raise ValueError("an image is not the one that was written")
    return data
