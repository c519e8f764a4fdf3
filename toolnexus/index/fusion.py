"""One ranking of what words and what vectors found, with a score that means the same everywhere.

The score says how sure we are that a passage answers the query, from two pieces of evidence:

* ``lexical``: the share of the query's words that stand in the passage, each weighed by how rare it
  is in this home. 1 means that they all do, and in one claim of it.
* ``vector``: the cosine on the embedder's own scale, from what unrelated texts have (0) to what
  texts have that say the same (1).

Each may persuade alone, as far as the query's shape lets it (`WEIGHTS`), and both together persuade
more: ``1 - (1 - w·lexical)(1 - w·vector)``. Neither depends on what else was found, so .7
is as good on one query as on another. Reciprocal rank fusion decides between equal scores.

Hits are ranked by the score times what the caller says that their file weighs; the score itself,
and whether it is high enough, knows nothing of that.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from toolnexus.index.hit import Hit, Weight, Why
from toolnexus.index.query import query_shape
from toolnexus.index.words import WordForms, fold, keys, words

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from toolnexus.index.chunk import Chunk
    from toolnexus.index.embedder import Calibration
    from toolnexus.index.lexical import Frequencies
    from toolnexus.index.query import Query, Shape

# How much lexical and vector evidence are worth alone; measured on the tests' labelled set.
WEIGHTS: dict[Shape, tuple[float, float]] = {
    "exact": (0.95, 0.40),
    "mixed": (0.80, 0.75),
    "prose": (0.65, 0.90),
}
RRF_CONSTANT = 60
MIN_READ = 12
_RARE_SHARE = 0.01
_RARE_MIN_TOTAL = 100
_KEY_FACTOR = 2.0
_PARTIAL_FACTOR = 0.25
_CORRECTED_FACTOR = 0.8
_UNKNOWN_FACTOR = 0.6
_LINE_SHARE = 0.4
_EVEN = Weight()


@dataclass(frozen=True, slots=True)
class Candidate:
    """A passage that words or vectors found; ranks count from 1."""

    chunk: Chunk
    lexical_rank: int | None = None
    vector_rank: int | None = None
    cosine: float | None = None


@dataclass(frozen=True, slots=True)
class Wanted:
    """A part of a query that a passage may have.

    Attributes:
        kind: A word in any of its forms, a key, or words in a row.
        label: The word, the key, or the words parted by blanks.
        weight: What having it is worth beside the other parts.
        prefix: What a misspelt word was read as: how the right one begins.
    """

    kind: Literal["term", "key", "phrase"]
    label: str
    weight: float
    prefix: str = ""


def candidates(lexical: Sequence[Chunk], vector: Sequence[tuple[Chunk, float]]) -> list[Candidate]:
    """Bring the two rankings together, each the best first."""
    by_words = {chunk.id: rank for rank, chunk in enumerate(lexical, start=1)}
    by_vector = {chunk.id: (rank, cos) for rank, (chunk, cos) in enumerate(vector, start=1)}
    every = {chunk.id: chunk for chunk in [*lexical, *(chunk for chunk, _ in vector)]}
    return [
        Candidate(chunk, by_words.get(name), *by_vector.get(name, (None, None)))
        for name, chunk in every.items()
    ]


def fuse(
    query: Query,
    frequencies: Frequencies,
    found: Iterable[Candidate],
    calibration: Calibration,
    corrections: Mapping[str, str] | None = None,
    *,
    k: int,
    min_score: float = 0.0,
    weigh: Callable[[str], Weight] = lambda _: _EVEN,
) -> list[Hit]:
    """Score and rank what was found, the best first.

    Args:
        query: What was looked for.
        frequencies: How common its words are.
        found: The passages that either side found.
        calibration: The embedder's scale.
        corrections: What each misspelt word was read as, stemmed.
        k: At most this many.
        min_score: Only those of this score or above, and never one without any evidence.
        weigh: Says what a file weighs, by its path.
    """
    shape = query_shape(query, rare_terms(query, frequencies))
    parts = _Parts(wanted_parts(query, frequencies, corrections or {}))
    judge = _Judge(shape, parts, calibration, corrections or {}, weigh)
    # A passage's lines can only lower what the whole of it promises: read those of the best alone.
    promises = [one for one in map(judge.promise, found) if round(one.score, 4) >= min_score]
    promising = sorted(promises, key=_Promise.order)[: max(k + 4, MIN_READ)]
    hits = sorted(map(judge.hit, promising), key=lambda pair: pair[0])
    return [hit for _, hit in hits if hit.score >= min_score and hit.score > 0][:k]


def rare_terms(query: Query, frequencies: Frequencies) -> frozenset[str]:
    """Return the query's words that the home knows from few passages: often names.

    In a small home every word is rare; there it says nothing.
    """
    if frequencies.total < _RARE_MIN_TOTAL:
        return frozenset()
    most = max(1, int(frequencies.total * _RARE_SHARE))
    return frozenset(term for term in query.terms if 0 < frequencies.of(term) <= most)


def wanted_parts(
    query: Query, frequencies: Frequencies, corrections: Mapping[str, str]
) -> tuple[Wanted, ...]:
    """Weigh the parts of a query: the rarer, the more; identifiers and phrases the most."""
    parts = []
    for term in query.terms:
        weight = _rarity(frequencies.of(term), frequencies.total)
        if term in query.partial:
            weight *= _PARTIAL_FACTOR
        if term in corrections:
            weight *= _CORRECTED_FACTOR
        elif not frequencies.of(term):
            weight *= _UNKNOWN_FACTOR
        parts.append(Wanted("term", term, weight, corrections.get(term, "")))
    for key in query.keys:
        weight = _KEY_FACTOR * _rarity(frequencies.of(key), frequencies.total)
        parts.append(Wanted("key", key, weight))
    for phrase in query.phrases:
        weight = _KEY_FACTOR * _rarity(1, frequencies.total)
        parts.append(Wanted("phrase", " ".join(phrase), weight))
    return tuple(parts)


def _rarity(count: int, total: int) -> float:
    return math.log(1 + (total + 1) / (count + 0.5))


@dataclass(frozen=True, slots=True)
class _Promise:
    """A candidate with the most that its score can be."""

    candidate: Candidate
    has: frozenset[str]
    score: float
    rank: float
    weight: Weight

    def order(self) -> tuple[float, float, str, int]:
        """Return what candidates are sorted by, the best first."""
        chunk = self.candidate.chunk
        return -self.score * self.weight.factor, -self.rank, chunk.path, chunk.line


class _Judge:
    """Scores candidates for one query."""

    def __init__(
        self,
        shape: Shape,
        parts: _Parts,
        calibration: Calibration,
        corrections: Mapping[str, str],
        weigh: Callable[[str], Weight],
    ) -> None:
        self._weigh = weigh
        self._shape = shape
        self._parts = parts
        self._calibration = calibration
        self._corrections = corrections
        self._lexical_weight, self._vector_weight = WEIGHTS[shape]

    def promise(self, one: Candidate) -> _Promise:
        """Score a candidate as if all that it has stood in one of its lines."""
        chunk = one.chunk
        has = self._parts.present(f"{chunk.title} {chunk.heading} {chunk.text}")
        has |= self._parts.keys_among(chunk.keys)
        score = self._score(self._parts.share(has), one.cosine)
        return _Promise(one, has, score, self._reciprocal_rank(one), self._weigh(chunk.path))

    def hit(self, promise: _Promise) -> tuple[tuple[float, float, str, int], Hit]:
        """Score a candidate by its lines, and return what to sort it by beside the hit."""
        one, chunk = promise.candidate, promise.candidate.chunk
        in_one, at = self._read_lines(chunk, promise.has)
        share = (1 - _LINE_SHARE) * self._parts.share(promise.has) + _LINE_SHARE * in_one
        score = self._score(share, one.cosine)
        hit = Hit(
            path=chunk.path,
            line=chunk.lines[at],
            text=chunk.text,
            score=round(score, 4),
            title=chunk.title,
            heading=chunk.heading,
            why=self._why(one, share, promise.has),
            at=at,
            weight=promise.weight,
        )
        return (-score * promise.weight.factor, -promise.rank, chunk.path, chunk.line), hit

    def _read_lines(self, chunk: Chunk, has: frozenset[str]) -> tuple[float, int]:
        """Return the most that a claim and its context have, and which claim is the best."""
        parts = self._parts
        context = parts.present(f"{chunk.title} {chunk.heading}")
        any_key = bool(parts.keys_among(chunk.keys))
        lines = []
        for text in chunk.text.split("\n"):
            own = parts.present(text)
            lines.append(own | parts.keys_among(keys(text)) if any_key else own)
        weights = [parts.share(own) for own in lines]
        in_one = max(parts.share((own | context) & has) for own in lines)
        return in_one, weights.index(max(weights))

    def _score(self, share: float, cosine: float | None) -> float:
        vector = 0.0 if cosine is None else self._calibration.scale(cosine)
        return 1 - (1 - self._lexical_weight * share) * (1 - self._vector_weight * vector)

    def _reciprocal_rank(self, one: Candidate) -> float:
        ranks = (
            (self._lexical_weight, one.lexical_rank),
            (self._vector_weight, one.vector_rank),
        )
        return sum(weight / (RRF_CONSTANT + rank) for weight, rank in ranks if rank is not None)

    def _why(self, one: Candidate, share: float, has: frozenset[str]) -> Why:
        vector = 0.0 if one.cosine is None else self._calibration.scale(one.cosine)
        matched = tuple(label for label in self._parts.weights if label in has)
        return Why(
            shape=self._shape,
            lexical=round(share, 4),
            lexical_rank=one.lexical_rank,
            lexical_weight=self._lexical_weight,
            cosine=None if one.cosine is None else round(one.cosine, 4),
            vector=round(vector, 4),
            vector_rank=one.vector_rank,
            vector_weight=self._vector_weight,
            matched=matched,
            corrected=tuple(pair for pair in self._corrections.items() if pair[0] in matched),
        )


class _Parts:
    """The parts of a query, laid out so that a passage is compared in few steps."""

    def __init__(self, parts: Sequence[Wanted]) -> None:
        self.weights: dict[str, float] = {}
        for part in parts:
            self.weights[part.label] = self.weights.get(part.label, 0.0) + part.weight
        self._total = sum(self.weights.values()) or 1.0
        self._by_key = frozenset(part.label for part in parts if part.kind != "phrase")
        self._terms = {
            part.label: WordForms(part.label, part.prefix) for part in parts if part.kind == "term"
        }
        self._phrases = [part for part in parts if part.kind == "phrase"]

    def present(self, text: str) -> frozenset[str]:
        """Return the labels of the terms and phrases that stand in a text."""
        folded = fold(text)
        present = {label for label, forms in self._terms.items() if forms.stand_in(folded)}
        if self._phrases:
            found = f" {' '.join(words(text))} "
            present.update(part.label for part in self._phrases if f" {part.label} " in found)
        return frozenset(present)

    def keys_among(self, own: Iterable[str]) -> frozenset[str]:
        """Return the labels of the keys, and of the terms that are keys, among some keys."""
        return self._by_key.intersection(own)

    def share(self, labels: Iterable[str]) -> float:
        """Return what these parts weigh together, as a share of all."""
        return sum(self.weights[label] for label in labels) / self._total
