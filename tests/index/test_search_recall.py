"""How well the index finds what people mean, on the labelled set in `data/labelled.json`."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from indexed_notes import indexed

from toolnexus.index import Hit, NoteIndex, make_embedder

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

DATA = json.loads((Path(__file__).parent / "data" / "labelled.json").read_text(encoding="utf-8"))
EVERY = 70


@dataclass(frozen=True)
class Answer:
    """What one query found, and what it should have."""

    kind: str
    expected: str
    hits: tuple[Hit, ...]

    def found(self, within: int, rank: Callable[[Hit], float | None]) -> bool:
        """Tell whether the note is among the first of a ranking."""
        ranked = sorted((hit for hit in self.hits if rank(hit) is not None), key=rank)
        return any(hit.path == self.expected for hit in ranked[:within])


def path(slug: str) -> str:
    return f"memory/{slug}.md"


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Iterator[NoteIndex]:
    notes = {
        path(note["slug"]): f"# {note['title']}\n\n- {note['text']}\n" for note in DATA["notes"]
    }
    state = tmp_path_factory.mktemp("recall")
    with NoteIndex(state, make_embedder("default")) as opened:
        opened.refresh(dict.fromkeys(notes, "1"), lambda one: indexed(one, notes[one]))
        yield opened


@pytest.fixture(scope="module")
def answers(index: NoteIndex) -> list[Answer]:
    return [
        Answer(one["kind"], path(one["expect"]), tuple(index.search(one["query"], k=EVERY)))
        for one in DATA["queries"]
    ]


def recall(answers: list[Answer], within: int, rank: Callable[[Hit], float | None]) -> float:
    return sum(answer.found(within, rank) for answer in answers) / len(answers)


def by_words(hit: Hit) -> float | None:
    return hit.why.lexical_rank


def by_vector(hit: Hit) -> float | None:
    return hit.why.vector_rank


def fused(hit: Hit) -> float:
    return -hit.score


def test_the_set_is_large_enough() -> None:
    """Sixty queries and more over sixty notes, each with an answer that exists."""
    slugs = {note["slug"] for note in DATA["notes"]}
    assert len(slugs) == len(DATA["notes"]) >= 60
    assert len(DATA["queries"]) >= 60
    assert {query["expect"] for query in DATA["queries"]} <= slugs


def test_fusion_is_no_worse_than_either_side(answers: list[Answer]) -> None:
    """The fused ranking finds at least what the better of the two finds, at 1 and at 5."""
    for within in (1, 5):
        best = max(recall(answers, within, by_words), recall(answers, within, by_vector))
        assert recall(answers, within, fused) >= best


@pytest.mark.parametrize(
    ("rank", "at_1", "at_5"), [(by_words, 0.65, 0.65), (by_vector, 0.72, 0.92), (fused, 0.85, 0.94)]
)
def test_recall_does_not_fall(
    answers: list[Answer], rank: Callable[[Hit], float | None], at_1: float, at_5: float
) -> None:
    """Each ranking keeps the recall that was measured when it was made, less a query or two."""
    assert recall(answers, 1, rank) >= at_1
    assert recall(answers, 5, rank) >= at_5


@pytest.mark.parametrize("kind", ["identifier", "date", "number", "name", "quoted", "misspelt"])
def test_what_is_exact_comes_first(answers: list[Answer], kind: str) -> None:
    """Identifiers, dates, numbers, names, quotes and slips of the pen all find their note first."""
    asked = [answer for answer in answers if answer.kind == kind]
    assert asked
    assert recall(asked, 1, fused) == 1.0


def test_a_score_means_the_same_on_every_query(answers: list[Answer]) -> None:
    """One threshold parts right from wrong firsts on all queries: most rights are above it."""
    firsts = [(answer.hits[0], answer.expected) for answer in answers]
    right = [hit.score for hit, expected in firsts if hit.path == expected]
    wrong = [hit.score for hit, expected in firsts if hit.path != expected]
    assert sum(score >= 0.4 for score in right) / len(right) >= 0.8
    assert sum(score < 0.6 for score in wrong) / len(wrong) >= 0.8


@pytest.mark.parametrize("query", ["zyzzyva qwertz", "LH-9999", "xylem phloem osmosis"])
def test_what_nobody_wrote_scores_low(index: NoteIndex, query: str) -> None:
    """A query without an answer finds nothing above a low score."""
    assert index.search(query, min_score=0.4) == []
