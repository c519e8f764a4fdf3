"""Scores and order of what words and vectors found."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import given, settings
from hypothesis import strategies as st

from toolnexus.index.chunk import Chunk
from toolnexus.index.embedder import Calibration
from toolnexus.index.fusion import Candidate, candidates, fuse
from toolnexus.index.hit import Weight
from toolnexus.index.lexical import Frequencies
from toolnexus.index.query import parse_query
from toolnexus.index.words import keys

if TYPE_CHECKING:
    from toolnexus.index.hit import Hit

SCALE = Calibration(0.2, 0.8)


def chunk(name: str, *lines: str, title: str = "") -> Chunk:
    text = "\n".join(lines)
    numbers = tuple(range(1, len(lines) + 1))
    return Chunk(name, f"{name}.md", 1, len(lines), title, "", text, numbers, keys(text))


def rank(query: str, found: list[Candidate], counts: dict[str, int] | None = None) -> list[Hit]:
    return fuse(parse_query(query), Frequencies(50, counts or {}), found, SCALE, k=10)


def test_both_sides_are_brought_together() -> None:
    """A passage that both found is one candidate with both ranks."""
    a, b, c = chunk("a", "x"), chunk("b", "x"), chunk("c", "x")
    assert candidates([a, b], [(c, 0.9), (a, 0.5)]) == [
        Candidate(a, 1, 2, 0.5),
        Candidate(b, 2, None, None),
        Candidate(c, None, 1, 0.9),
    ]


def test_an_identifier_beats_a_likeness() -> None:
    """For an identifier the passage that has it wins over the one that merely sounds like it."""
    hits = rank(
        "PROJ-381",
        [
            Candidate(chunk("near", "PROJ-318 is about imports."), 2, 1, 0.8),
            Candidate(chunk("right", "PROJ-381 is about exports."), 1, 2, 0.3),
        ],
        {"proj": 2, "381": 1, "proj381": 1},
    )
    assert [hit.path for hit in hits] == ["right.md", "near.md"]
    assert hits[0].score > 0.9
    assert hits[1].score < 0.5


def test_a_meaning_beats_a_common_word() -> None:
    """For prose a close meaning wins over a word in common."""
    hits = rank(
        "when do we ship to people",
        [
            Candidate(chunk("word", "Some people sing."), 1, None, None),
            Candidate(chunk("sense", "Releases go out on Thursdays."), None, 1, 0.7),
        ],
        {"people": 20, "ship": 1},
    )
    assert [hit.path for hit in hits] == ["sense.md", "word.md"]


def test_the_line_is_that_of_the_best_claim() -> None:
    """A hit points at the claim that has most of the query, not at its passage's start."""
    one = chunk("a", "Likes tea.", "The spare key is under the pot.", "The pot is blue.")
    assert rank("spare key pot", [Candidate(one, 1)])[0].line == 2
    assert rank("nothing of it", [Candidate(one, None, 1, 0.7)])[0].line == 1


def test_words_in_one_claim_count_more() -> None:
    """Of two passages with the same words, the one with them in one claim is the better."""
    together = chunk("b", "The key is blue.", "Likes tea.")
    apart = chunk("a", "The key is old.", "The pot is blue.")
    hits = rank("blue key", [Candidate(apart, 1), Candidate(together, 2)])
    assert [hit.path for hit in hits] == ["b.md", "a.md"]


def test_the_why_accounts_for_the_score() -> None:
    """The factors that are shown give the score that is shown."""
    one = Candidate(chunk("a", "The key is under the pot."), 1, 1, 0.5)
    hit = rank("where is the key hidden", [one], {"key": 1})[0]
    why = hit.why
    expected = 1 - (1 - why.lexical_weight * why.lexical) * (1 - why.vector_weight * why.vector)
    assert abs(hit.score - expected) < 0.001
    assert (why.matched, why.cosine, why.lexical_rank) == (("key",), 0.5, 1)


def test_a_correction_is_shown_and_counts_less() -> None:
    """A misspelt word's match says what it was read as."""
    one = Candidate(chunk("a", "The passport runs out."), 1)
    query = parse_query("passprot")
    hit = fuse(query, Frequencies(50, {}), [one], SCALE, {"passprot": "passport"}, k=1)[0]
    assert hit.why.corrected == (("passprot", "passport"),)
    assert hit.score > 0.3


def test_a_score_does_not_depend_on_the_others() -> None:
    """The same passage has the same score for the same query, whatever else was found."""
    one = Candidate(chunk("a", "The key is under the pot."), 1, 1, 0.5)
    other = Candidate(chunk("b", "The key and the pot."), 2, 2, 0.9)
    alone = rank("key pot", [one])[0].score
    assert alone in {hit.score for hit in rank("key pot", [one, other])}


@settings(max_examples=100, deadline=None)
@given(
    st.text(alphabet="keypotb 1-", max_size=20),
    st.lists(
        st.tuples(st.text(alphabet="keypotb 1-\n", min_size=1, max_size=30), st.floats(-1, 1)),
        max_size=6,
    ),
)
def test_scores_lie_between_0_and_1_and_fall(query: str, rows: list[tuple[str, float]]) -> None:
    """Whatever was found, scores are in bounds and in order, and `min_score` holds."""
    found = [
        Candidate(chunk(f"n{number}", *text.split("\n")), number + 1, number + 1, cosine)
        for number, (text, cosine) in enumerate(rows)
    ]
    asked = parse_query(query)
    hits = fuse(asked, Frequencies(10, {}), found, SCALE, k=4, min_score=0.2)
    scores = [hit.score for hit in hits]
    assert scores == sorted(scores, reverse=True)
    assert all(0.2 <= score <= 1 for score in scores)
    assert len(hits) <= 4


weights = st.builds(Weight, st.just("raw"), st.sampled_from([0.45, 0.7, 0.9, 1.0]), st.just(1.0))
cosines = st.lists(st.floats(0.2, 0.8), min_size=1, max_size=30)


@given(cosines, st.lists(weights, min_size=30, max_size=30), st.floats(0, 1), st.integers(1, 40))
@settings(max_examples=60)
def test_weights_order_hits_and_change_no_score(
    found: list[float], weighed: list[Weight], min_score: float, k: int
) -> None:
    """Hits are those with the best rank, in its order; their scores are what they were without."""
    passages = [Candidate(chunk(f"{n}", "Tea."), None, 1, cos) for n, cos in enumerate(found)]
    by_path = dict(zip((one.chunk.path for one in passages), weighed, strict=False))
    query, counts = parse_query("green leaves"), Frequencies(50, {})
    even = fuse(query, counts, passages, SCALE, k=40, min_score=min_score)
    hits = fuse(query, counts, passages, SCALE, k=k, min_score=min_score, weigh=by_path.__getitem__)
    scores = {hit.path: hit.score for hit in even}
    assert all(hit.score == scores[hit.path] for hit in hits)
    ranks = [hit.rank for hit in hits]
    best = sorted((scores[path] * by_path[path].factor for path in scores), reverse=True)[:k]
    assert len(ranks) == len(best)
    # Ranks are shown rounded: what differs by less may stand either way round.
    assert all(abs(one - other) < 0.0002 for one, other in zip(ranks, best, strict=True))
