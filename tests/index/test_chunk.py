"""Chunks of files."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from toolnexus.index.chunk import CHUNK_WORDS, PIECE_CHARACTERS, Chunk, chunk_document
from toolnexus.text.document import parse_document


def chunks(text: str, path: str = "memory/a.md", title: str = "A") -> tuple[Chunk, ...]:
    return chunk_document(path, title, parse_document(text), text)


def test_claims_in_a_row_under_a_heading_are_one_chunk() -> None:
    """A heading starts a chunk, and short claims below it stay together, each on its line."""
    first, second = chunks("# A\n\n- one\n- two\n\n## B\n\nthree\n")
    assert (first.text, first.lines, first.heading) == ("one\ntwo", (3, 4), "")
    assert (second.text, second.line, second.heading) == ("three", 8, "B")


def test_a_chunk_ends_before_it_is_too_long() -> None:
    """Claims are grouped up to 120 words, and none is lost or doubled."""
    claims = [" ".join([f"w{number}"] * 50) for number in range(5)]
    found = chunks("".join(f"- {claim}\n" for claim in claims))
    assert [len(chunk.lines) for chunk in found] == [2, 2, 1]
    assert "\n".join(chunk.text for chunk in found) == "\n".join(claims)


def test_a_long_claim_is_cut_at_a_sentence() -> None:
    """A claim beyond 120 words is found by its parts, all at its own line."""
    sentences = [f"Sentence {number} {'word ' * 20}ends." for number in range(20)]
    found = chunks("\n\n" + " ".join(sentences) + "\n")
    assert len(found) > 2
    assert all(chunk.line == 3 and chunk.text.endswith(".") for chunk in found)
    assert " ".join(chunk.text for chunk in found) == " ".join(sentences)


def test_code_is_found_under_its_heading() -> None:
    """A code block is no claim, but people look for what stands in it."""
    (chunk,) = chunks("# A\n\n## Run\n\n```sh\nmake serve\n```\n")
    assert (chunk.text, chunk.heading, chunk.line, chunk.end_line) == ("make serve", "Run", 5, 7)


def test_a_file_without_words_has_its_title() -> None:
    """An empty note is found by its title; with neither there is nothing to find."""
    assert [chunk.text for chunk in chunks("")] == ["A"]
    assert chunks("", title="") == ()


def test_an_unchanged_chunk_keeps_its_id() -> None:
    """The id is that of the words in their context: lines and other chunks do not matter."""
    before = chunks("# A\n\n- one\n\n## B\n\n- two\n")
    after = chunks("# A\n\nnew\n\n- one\n\n## B\n\n- two\n")
    assert before[1].id == after[1].id
    assert before[0].id != after[0].id
    assert before[0].id != chunks("# A\n\n- one\n", path="memory/b.md")[0].id
    assert before[0].id != chunks("# A\n\n- one\n", title="Other")[0].id


def test_equal_chunks_have_ids_of_their_own() -> None:
    """The same words twice under the same heading are two chunks."""
    long = " ".join(["same"] * 100)
    ids = [chunk.id for chunk in chunks(f"- {long}\n- {long}\n- {long}\n")]
    assert len(set(ids)) == 3


def test_the_files_name_is_a_key() -> None:
    """A note is found by its slug even where no text has it."""
    assert "spareparts" in chunks("- one\n", path="memory/spare-parts.md")[0].keys


@settings(max_examples=60, deadline=None)
@given(st.text(alphabet=st.sampled_from("ab .#-\n`1|>é"), max_size=300))
def test_chunks_hold_each_claim_once(text: str) -> None:
    """Whatever the text, its claims are in its chunks, in order, in bounds, under unique ids."""
    document = parse_document(text)
    found = chunk_document("a.md", "", document, text)
    held = " ".join(" ".join(chunk.text for chunk in found).split())
    for claim in document.claims:
        assert " ".join(claim.text.split()) in held
    assert len({chunk.id for chunk in found}) == len(found)
    for chunk in found:
        assert len(chunk.lines) == len(chunk.text.split("\n"))
        assert 1 <= chunk.line <= chunk.end_line
        assert len(chunk.text) <= PIECE_CHARACTERS * CHUNK_WORDS
