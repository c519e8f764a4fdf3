"""The manifest and its diff."""

from __future__ import annotations

import contextlib
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolnexus.index.chunk import Chunk
from toolnexus.index.database import Database
from toolnexus.index.manifest import FileChunks, Manifest, diff

TREE = st.dictionaries(st.sampled_from("abcdef"), st.sampled_from("12"))


def chunk(path: str, word: str) -> Chunk:
    return Chunk(f"{path}-{word}", path, 1, 1, path, "", word, (1,))


def file(path: str, *words: str) -> FileChunks:
    return FileChunks(path, "".join(words), chunks=tuple(chunk(path, word) for word in words))


@given(TREE, TREE)
def test_a_diff_leads_from_the_one_to_the_other(
    known: dict[str, str], files: dict[str, str]
) -> None:
    """Doing what a diff says turns the known tree into the present one, and no step is idle."""
    found = diff(known, files)
    after = {path: digest for path, digest in known.items() if path not in found.removed}
    after |= {path: files[path] for path in (*found.added, *found.changed)}
    assert after == files
    assert found.empty == (known == files)
    assert not set(found.added) & known.keys()
    assert set(found.removed) <= known.keys()


@settings(max_examples=25, deadline=None)
@given(
    st.lists(st.dictionaries(st.sampled_from("ab"), st.sets(st.sampled_from("wxyz"))), max_size=4)
)
def test_words_and_pending_vectors_always_agree(
    tmp_path_factory: object, steps: list[dict[str, set[str]]]
) -> None:
    """After any edits, Chroma's share plus what is behind is what there is; the rest is stale."""
    folder: Path = tmp_path_factory.mktemp("manifest")  # type: ignore[attr-defined]
    manifest = Manifest(Database(folder / "x.sqlite"))
    chroma: set[str] = set()
    for step, files in enumerate(steps):
        gone = [FileChunks(path, None) for path in manifest.digests() if path not in files]
        manifest.replace([*gone, *(file(path, *sorted(words)) for path, words in files.items())])
        if step % 2:
            chroma |= {one.id for one in manifest.behind(100)}
            manifest.mark_embedded(chroma & manifest.chunk_ids())
        present = {f"{path}-{word}" for path, words in files.items() for word in words}
        assert manifest.chunk_ids() == present
        assert manifest.embedded_ids() <= chroma
        assert chroma - manifest.embedded_ids() <= set(manifest.stale_ids()) | present
        assert not set(manifest.stale_ids()) & present


def test_an_unchanged_chunk_keeps_its_vector(tmp_path: Path) -> None:
    """Only what is new to a file is behind, and only what left it is stale."""
    manifest = Manifest(Database(tmp_path / "x.sqlite"))
    manifest.replace([file("a", "x", "y")])
    manifest.mark_embedded(["a-x", "a-y"])
    manifest.replace([file("a", "y", "z")])
    assert [one.id for one in manifest.behind(9)] == ["a-z"]
    assert manifest.stale_ids() == ["a-x"]


def test_a_chunk_that_comes_back_is_not_dropped(tmp_path: Path) -> None:
    """A vector that was to be dropped is wanted again when its chunk returns."""
    manifest = Manifest(Database(tmp_path / "x.sqlite"))
    manifest.replace([file("a", "x")])
    manifest.mark_embedded(["a-x"])
    manifest.replace([FileChunks("a", None)])
    manifest.replace([file("a", "x")])
    assert manifest.stale_ids() == []
    assert manifest.count_behind() == 1


def test_each_write_raises_its_generation(tmp_path: Path) -> None:
    """Words and vectors have generations of their own, which another connection sees."""
    one = Manifest(Database(tmp_path / "x.sqlite"))
    other = Manifest(Database(tmp_path / "x.sqlite"))
    one.replace([file("a", "x")])
    assert (other.generation(), other.vector_generation()) == (1, 0)
    one.mark_embedded(["a-x"])
    assert (other.generation(), other.vector_generation()) == (1, 1)
    assert other.digests() == {"a": "x"}


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(
    writes=st.lists(
        st.tuples(
            st.booleans(),
            st.dictionaries(st.sampled_from("abcd"), st.none() | st.sampled_from("12"), max_size=3),
            st.booleans(),
        ),
        max_size=8,
    )
)
def test_digests_are_known_across_ones_own_writes_and_others(writes) -> None:
    """What is remembered of the digests is always what the file holds."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "x.sqlite"
        databases = [Database(path), Database(path)]
        manifests = [Manifest(database) for database in databases]
        for by_other, digests, fails in writes:
            with contextlib.suppress(ZeroDivisionError):
                if fails:
                    with manifests[by_other].writing(files=digests):
                        _ = 1 / 0
                manifests[by_other].replace(
                    FileChunks(name, digest) for name, digest in digests.items()
                )
            for manifest in manifests:
                assert manifest.digests() == Manifest(databases[0]).digests()
        for database in databases:
            database.close()
