"""One ranking of what words and what vectors found, with a score that means the same everywhere.

The score says how sure we are that a passage answers the query, from two pieces of evidence:

* ``lexical``: the share of the query's words that stand in the passage, each weighed by how rare it
  is in this home. 1 means that they all do, and in one claim of it.
* ``vector``: the cosine on the embedder's own scale, from what unrelated texts have (0) to what
  texts have that say the same (1).

Each may persuade alone, as far as the query's shape lets it (`WEIGHTS`), and both together persuade
more: ``1 - (1 - w·lexical)(1 - w·vector)``. Neither depends on what else was found, so .7
is as good on one query as on another. Reciprocal rank fusion decides between equal scores.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from toolnexus.index.hit import Hit, Why
from toolnexus.index.query import query_shape
from toolnexus.index.words import keys, stem, words

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

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
_RARE_SHARE = 0.01
_RARE_MIN_TOTAL = 100
_KEY_FACTOR = 2.0
_PARTIAL_FACTOR = 0.25
_CORRECTED_FACTOR = 0.8
_UNKNOWN_FACTOR = 0.6
_LINE_SHARE = 0.4


@dataclass(frozen=True, slots=True)
class Candidate:
    """A passage that words or vectors found; ranks count from 1."""

    chunk: Chunk
    lexical_rank: int | None = None
    vector_rank: int | None = None
    cosine: float | None = None


@dataclass(frozen=True, slots=True)
class Wanted:
    """A part of a query that a passage may have: a stem, a key or a phrase."""

    label: str
    weight: float
    stem: str = ""
    prefix: str = ""
    key: str = ""
    phrase: tuple[str, ...] = ()


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
) -> list[Hit]:
    """Score and rank what was found, the best first.

    Args:
        query: What was looked for.
        frequencies: How common its words are.
        found: The passages that either side found.
        calibration: The embedder's scale.
        corrections: What each misspelt word was read as, stemmed.
    """
    shape = query_shape(query, rare_terms(query, frequencies))
    parts = wanted_parts(query, frequencies, corrections or {})
    ranked = []
    for one in found:
        why, line = _judge(one, shape, parts, calibration, corrections or {})
        score = 1 - (1 - why.lexical_weight * why.lexical) * (1 - why.vector_weight * why.vector)
        ranked.append((score, _reciprocal_rank(why), one.chunk, line, why))
    ranked.sort(key=lambda row: (-row[0], -row[1], row[2].path, row[3]))
    return [
        Hit(
            path=chunk.path,
            line=line,
            text=chunk.text,
            score=round(score, 4),
            title=chunk.title,
            heading=chunk.heading,
            why=why,
        )
        for score, _, chunk, line, why in ranked
    ]


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
        parts.append(Wanted(term, weight, stem=stem(term), prefix=corrections.get(term, "")))
    for key in query.keys:
        weight = _KEY_FACTOR * _rarity(frequencies.of(key), frequencies.total)
        parts.append(Wanted(key, weight, key=key))
    for phrase in query.phrases:
        weight = _KEY_FACTOR * _rarity(1, frequencies.total)
        parts.append(Wanted(" ".join(phrase), weight, phrase=phrase))
    return tuple(parts)


def _rarity(count: int, total: int) -> float:
    return math.log(1 + (total + 1) / (count + 0.5))


def _judge(
    one: Candidate,
    shape: Shape,
    parts: tuple[Wanted, ...],
    calibration: Calibration,
    corrections: Mapping[str, str],
) -> tuple[Why, int]:
    lexical_weight, vector_weight = WEIGHTS[shape]
    share, line, matched = _lexical_evidence(one.chunk, parts)
    why = Why(
        shape=shape,
        lexical=round(share, 4),
        lexical_rank=one.lexical_rank,
        lexical_weight=lexical_weight,
        cosine=None if one.cosine is None else round(one.cosine, 4),
        vector=0.0 if one.cosine is None else round(calibration.scale(one.cosine), 4),
        vector_rank=one.vector_rank,
        vector_weight=vector_weight,
        matched=matched,
        corrected=tuple(pair for pair in corrections.items() if pair[0] in matched),
    )
    return why, line


def _reciprocal_rank(why: Why) -> float:
    ranks = ((why.lexical_weight, why.lexical_rank), (why.vector_weight, why.vector_rank))
    return sum(weight / (RRF_CONSTANT + rank) for weight, rank in ranks if rank is not None)


def _lexical_evidence(
    chunk: Chunk, parts: tuple[Wanted, ...]
) -> tuple[float, int, tuple[str, ...]]:
    """Return the share of the parts that a chunk has, its best line, and what it has."""
    context = _Text.read(f"{chunk.title} {chunk.heading}")
    lines = [_Text.read(line) for line in chunk.text.split("\n")]
    own_keys = frozenset(chunk.keys)
    has = [part for part in parts if any(line.has(part, own_keys) for line in [context, *lines])]
    total = sum(part.weight for part in parts) or 1.0
    in_lines = [
        sum(p.weight for p in has if line.has(p, own_keys) or context.has(p, own_keys))
        for line in lines
    ]
    own = [
        sum(part.weight for part in has if line.has(part, line_keys))
        for line, line_keys in zip(lines, _line_keys(chunk, has), strict=True)
    ]
    best = max(range(len(lines)), key=lambda number: (own[number], -number))
    share = (1 - _LINE_SHARE) * sum(part.weight for part in has) + _LINE_SHARE * max(in_lines)
    return share / total, chunk.lines[best], tuple(part.label for part in has)


def _line_keys(chunk: Chunk, has: list[Wanted]) -> list[frozenset[str]]:
    """Read the keys line by line only where one of them was asked for: it takes its time."""
    lines = chunk.text.split("\n")
    if not any(part.key for part in has):
        return [frozenset()] * len(lines)
    return [frozenset(keys(line)) for line in lines]


@dataclass(frozen=True, slots=True)
class _Text:
    words: tuple[str, ...]
    stems: frozenset[str]

    @classmethod
    def read(cls, text: str) -> _Text:
        found = tuple(words(text))
        return cls(found, frozenset(map(stem, found)))

    def has(self, part: Wanted, own_keys: frozenset[str]) -> bool:
        if part.key:
            return part.key in own_keys
        if part.phrase:
            span = len(part.phrase)
            return any(
                self.words[start : start + span] == part.phrase
                for start in range(len(self.words) - span + 1)
            )
        if part.stem in self.stems or part.stem in own_keys:
            return True
        return bool(part.prefix) and any(word.startswith(part.prefix) for word in self.words)
