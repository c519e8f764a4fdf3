"""What goes into the index and what comes out of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from toolnexus.index.query import Shape
    from toolnexus.text.types import Document


@dataclass(frozen=True, slots=True)
class IndexedFile:
    """A file, read, as it goes into the index.

    Attributes:
        title: Its title.
        tags: Its tags, without the hash sign.
        text: Its decoded text.
        document: That text, parsed.
    """

    title: str
    tags: tuple[str, ...]
    text: str
    document: Document


@dataclass(frozen=True, slots=True)
class Why:
    """Each factor of a hit's score.

    Attributes:
        shape: What kind of query it was: "exact", "mixed" or "prose".
        lexical: The share of the query's words in the passage, 0 to 1; rare ones count more.
        lexical_rank: Its rank among the passages found by words, from 1; None when it is not there.
        lexical_weight: What `lexical` is worth for a query of that shape.
        cosine: The cosine of query and passage; None when vectors did not find it.
        vector: That cosine on the embedder's own scale, 0 to 1.
        vector_rank: Its rank among the passages found by meaning.
        vector_weight: What `vector` is worth for a query of that shape.
        matched: The query's words that stand in the passage.
        corrected: Pairs of a misspelt word and what it was read as.
    """

    shape: Shape
    lexical: float
    lexical_rank: int | None
    lexical_weight: float
    cosine: float | None
    vector: float
    vector_rank: int | None
    vector_weight: float
    matched: tuple[str, ...] = ()
    corrected: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Weight:
    """What a file's passages weigh beside their relevance, when they are ranked.

    Attributes:
        stage: How ripe the file is, in a word; empty when nobody said.
        stage_weight: What that is worth.
        boost: What feedback made of the file.
        feedback: What that is worth here.
        is_proposed: Whether the file waits for a person's word.
        is_imagined: Whether a persona imagined it.
    """

    stage: str = ""
    stage_weight: float = 1.0
    boost: float = 1.0
    feedback: float = 1.0
    is_proposed: bool = False
    is_imagined: bool = False

    @property
    def factor(self) -> float:
        """What the relevance is multiplied with."""
        return self.stage_weight * self.feedback


@dataclass(frozen=True, slots=True)
class Hit:
    """A passage that answers a query.

    Attributes:
        path: The file.
        line: The line of the claim in it that fits best, counted from 1.
        text: The passage: claims in a row under one heading, one a line.
        score: How relevant it is, 0 to 1, on one scale for all queries (see `fusion`).
        title: The file's title.
        heading: The headings above the passage.
        why: The factors of the score.
        at: Which of the passage's lines that claim is, counted from 0.
        weight: What its file weighs beside that; hits are ranked by both.
    """

    path: str
    line: int
    text: str
    score: float
    title: str
    heading: str
    why: Why
    at: int = 0
    weight: Weight = Weight()

    @property
    def rank(self) -> float:
        """What hits are ranked by: the score times what the file weighs."""
        return self.score * self.weight.factor

    @property
    def is_guess(self) -> bool:
        """Whether its file waits for a person's word: what it says is no fact."""
        return self.weight.is_proposed


@dataclass(frozen=True, slots=True)
class Refreshed:
    """What a refresh did.

    Attributes:
        added: How many files are new.
        changed: How many are other than before.
        removed: How many are gone.
        chunks_embedded: How many chunks were embedded, repairs included.
        notices: What a person should know, a line each.
    """

    added: int = 0
    changed: int = 0
    removed: int = 0
    chunks_embedded: int = 0
    notices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class IndexHealth:
    """How the index is.

    Attributes:
        ok: Whether words and meanings can both be searched, and nothing is behind.
        files: How many files it holds; `chunks` how many passages.
        vectors: How many vectors Chroma holds; None when it cannot be asked.
        reachable: How many of the vectors that it was asked for a query reached; None likewise.
        probed: How many it was asked for.
        behind: How many passages wait for their vectors.
        embedder: The embedder that it was made with; empty when it is new.
        size_bytes: Its size on this disk.
        problems: What is wrong, a line each, with its fix.
    """

    ok: bool
    files: int
    chunks: int
    vectors: int | None
    reachable: int | None
    probed: int
    behind: int
    embedder: str
    size_bytes: int
    problems: tuple[str, ...] = ()
