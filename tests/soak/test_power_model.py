"""The model of a disk that loses power: it loses what POSIX lets it lose, and nothing else."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st
from power_loss import Call, Model, read_trace

if TYPE_CHECKING:
    from pathlib import Path

IMAGES = 60


def images(folder: Path, *calls: Call, files: dict[str, bytes]) -> list[dict[str, bytes]]:
    """Play calls on a folder, and return many of the images that a power loss may leave."""
    root = folder / "root"
    root.mkdir()
    for name, data in files.items():
        (root / name).write_bytes(data)
    found = []
    for seed in range(IMAGES):
        model = Model(root)
        model.play(calls)
        target = folder / f"image-{seed}"
        model.write_after_power_loss(target, random.Random(seed))
        found.append(
            {
                path.relative_to(target).as_posix(): path.read_bytes()
                for path in target.rglob("*")
                if path.is_file()
            }
        )
    return found


REPLACED = (
    Call("create", "new"),
    Call("write", "new", data=b"after"),
    Call("fsync", "new"),
    Call("rename", "new", "note"),
)


def test_a_replaced_file_is_the_old_or_the_new_one(tmp_path):
    """Temp, fsync and rename leave one of the two whole; both may be found."""
    found = {image["note"] for image in images(tmp_path, *REPLACED, files={"note": b"before"})}
    assert found == {b"before", b"after"}


def test_what_its_folder_has_synced_stays(tmp_path):
    """After the fsync of the folder the new one alone is found, and no temporary name."""
    calls = (*REPLACED, Call("fsync", "."))
    assert images(tmp_path, *calls, files={"note": b"before"}) == [{"note": b"after"}] * IMAGES


def test_a_rename_of_what_was_not_synced_may_tear(tmp_path):
    """Without the fsync the file may be empty, half or zeros: the model can tell good from bad."""
    calls = (REPLACED[0], REPLACED[1], REPLACED[3], Call("fsync", "."))
    found = {image["note"] for image in images(tmp_path, *calls, files={"note": b"before"})}
    assert found == {b"", b"af", b"\0" * 5, b"after"}


def test_renames_may_come_out_of_order(tmp_path):
    """Of two names that were changed, the later one alone may have reached the disk."""
    calls = (Call("unlink", "a"), Call("unlink", "b"))
    found = {tuple(sorted(one)) for one in images(tmp_path, *calls, files={"a": b"", "b": b""})}
    assert found == {(), ("a",), ("b",), ("a", "b")}


def test_one_name_changes_in_its_order(tmp_path):
    """Of the changes of one name the first ones are kept, never a later one without them."""
    calls = (Call("rename", "a", "b"), Call("rename", "b", "c"))
    found = {tuple(sorted(one)) for one in images(tmp_path, *calls, files={"a": b"x"})}
    assert found == {("a",), ("b",), ("c",)}


def test_a_folder_whose_name_was_not_synced_goes_with_all_in_it(tmp_path):
    """What is synced within a new folder is of no use while the folder itself is not."""
    calls = (
        Call("mkdir", "new"),
        Call("create", "new/file"),
        Call("write", "new/file", data=b"x"),
        Call("fsync", "new/file"),
        Call("fsync", "new"),
    )
    found = [tuple(one) for one in images(tmp_path, *calls, files={})]
    assert set(found) == {(), ("new/file",)}


@given(
    st.lists(
        st.builds(
            Call,
            st.sampled_from(["write", "truncate", "fsync"]),
            st.just("file"),
            offset=st.integers(0, 9),
            data=st.binary(max_size=9),
        )
    )
)
def test_a_synced_file_is_as_a_program_saw_it(tmp_path_factory, calls):
    """However it was written, after its fsync it holds what a real file would hold."""
    root = tmp_path_factory.mktemp("root")
    (root / "file").write_bytes(b"start")
    model = Model(root)
    model.play([*calls, Call("fsync", "file")])
    target = tmp_path_factory.mktemp("image") / "root"
    model.write_after_power_loss(target, random.Random(0))
    with (root / "file").open("r+b") as file:
        for call in calls:
            if call.what == "write":
                file.seek(call.offset)
                file.write(call.data)
            elif call.what == "truncate":
                file.truncate(call.offset)
    assert (target / "file").read_bytes() == (root / "file").read_bytes()


def test_a_trace_is_read_as_it_was_written(tmp_path):
    """Paths become relative, and data may hold anything."""
    path = f"{tmp_path}/a b".encode()
    data = b"write 3 4 %d 0\n%s\n1 2" % (len(path), path)
    assert read_trace(data, tmp_path) == [Call("write", "a b", offset=3, data=b"\n1 2")]
