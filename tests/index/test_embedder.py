"""The embedders that need no network, and how the others fail."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from toolnexus.errors import ConfigError, SearchIndexError, Unreachable
from toolnexus.index.embedder import (
    Calibration,
    CallableEmbedder,
    MiniLmEmbedder,
    WordLlamaEmbedder,
    make_embedder,
)
from toolnexus.testing.embedder import HashEmbedder

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path


@pytest.fixture(scope="module")
def default() -> WordLlamaEmbedder:
    return WordLlamaEmbedder()


def test_the_default_embedder_gives_unit_vectors(default: WordLlamaEmbedder) -> None:
    """Each text has a float32 unit vector of the length that was promised."""
    rows = default.embed(["The spare key", "is under the blue pot."])
    assert (rows.shape, rows.dtype) == ((2, default.dimensions), np.float32)
    assert np.allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-5)


def test_a_vector_does_not_depend_on_the_batch(default: WordLlamaEmbedder) -> None:
    """A text has the same vector alone and among a thousand others of any length."""
    texts = [f"text {number} " + "word " * (number % 40) for number in range(600)]
    assert np.allclose(default.embed(texts)[599], default.embed(texts[599:])[0], atol=1e-6)


def test_it_averages_as_wordllama_does(default: WordLlamaEmbedder) -> None:
    """A vector is the normalised mean of its tokens' vectors in the shipped weights."""
    tokenizer, weights = default._load()
    ids = tokenizer.encode("blue pot", add_special_tokens=False).ids
    mean = np.asarray(weights, dtype=np.float64)[ids].mean(axis=0)
    assert np.allclose(default.embed(["blue pot"])[0], mean / np.linalg.norm(mean), atol=1e-5)


def test_likeness_is_meaning(default: WordLlamaEmbedder) -> None:
    """A paraphrase is nearer than a text about something else."""
    rows = default.embed(["the cat takes a pill", "medicine for the kitten", "winter tyres"])
    assert rows[0] @ rows[1] > rows[0] @ rows[2] + 0.1


def test_no_text_and_empty_text_have_no_direction(default: WordLlamaEmbedder) -> None:
    """No texts give no rows, and a text without a token gives the zero vector."""
    assert default.embed([]).shape == (0, 256)
    assert not default.embed([""]).any()


def test_missing_weights_are_a_setting_that_is_wrong(tmp_path: Path) -> None:
    """Without its weights the default embedder says how to get them."""
    with pytest.raises(ConfigError) as caught:
        WordLlamaEmbedder(tmp_path).embed(["x"])
    assert "wordllama" in caught.value.hint


def test_broken_weights_are_told(tmp_path: Path) -> None:
    """Weights that cannot be read are named."""
    for name in (
        "weights/l2_supercat_256.safetensors",
        "tokenizers/l2_supercat_tokenizer_config.json",
    ):
        (tmp_path / name).parent.mkdir()
        (tmp_path / name).write_bytes(b"not this")
    with pytest.raises(ConfigError, match="cannot be read"):
        WordLlamaEmbedder(tmp_path).embed(["x"])


def test_the_digest_tells_weights_apart(tmp_path: Path, default: WordLlamaEmbedder) -> None:
    """Other weights have another digest; the same have the same."""
    assert default.digest == WordLlamaEmbedder().digest
    for name in (
        "weights/l2_supercat_256.safetensors",
        "tokenizers/l2_supercat_tokenizer_config.json",
    ):
        (tmp_path / name).parent.mkdir()
        (tmp_path / name).write_bytes(b"other")
    assert WordLlamaEmbedder(tmp_path).digest != default.digest


def test_a_hosted_model_is_asked_through_the_callable() -> None:
    """Its vectors are normalised; its dimensions are learnt from the first answer."""
    embedder = make_embedder("litellm/some-model", lambda texts: [[3.0, 4.0]] * len(texts))
    assert np.allclose(embedder.embed(["a", "b"]), [[0.6, 0.8]] * 2)
    assert (embedder.name, embedder.dimensions) == ("litellm/some-model", 2)


@pytest.mark.parametrize("answer", [[], [[1.0]] * 3, [[1.0], [1.0, 2.0]], [["x"], ["y"]], None])
def test_a_hosted_model_that_gives_no_vectors_is_refused(answer: object) -> None:
    """An answer that is no vector for each text is an error, not an index full of nonsense."""
    embedder = CallableEmbedder("litellm/x", lambda _texts: answer)  # type: ignore[arg-type,return-value]
    with pytest.raises(SearchIndexError, match="litellm/x"):
        embedder.embed(["a", "b"])


def test_a_hosted_models_own_error_passes() -> None:
    """What the callable raises reaches the caller as it is."""

    def embed(_texts: Sequence[str]) -> Sequence[Sequence[float]]:
        raise Unreachable("no answer")

    with pytest.raises(Unreachable):
        make_embedder("litellm/x", embed).embed(["a"])


def test_minilm_offline_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the model is not here and cannot be had, the error names the way out."""
    embedder = MiniLmEmbedder()

    def offline(_texts: list[str]) -> None:
        raise OSError("no route to host")

    monkeypatch.setattr(embedder, "_model", offline)
    with pytest.raises(SearchIndexError, match="minilm") as caught:
        embedder.embed(["x"])
    assert "default" in caught.value.hint


@pytest.mark.parametrize("setting", ["", "bert", "litellm/", "litellm/x"])
def test_an_unknown_embedding_is_a_setting_that_is_wrong(setting: str) -> None:
    """A setting that names no embedder, or a hosted one without a way to ask, is refused."""
    with pytest.raises(ConfigError):
        make_embedder(setting)


def test_a_calibration_stays_between_0_and_1() -> None:
    """Cosines beyond the floor and the ceiling do not lead out of the scale."""
    scale = Calibration(0.2, 0.7)
    assert [scale.scale(cosine) for cosine in (-1.0, 0.2, 0.7, 1.0)] == [0.0, 0.0, 1.0, 1.0]


def test_the_hash_embedder_puts_shared_words_near() -> None:
    """The tests' embedder is the same everywhere and likens texts by their words."""
    rows = HashEmbedder().embed(["blue pots", "a blue pot", "winter tyres"])
    assert rows[0] @ rows[1] > rows[0] @ rows[2]
