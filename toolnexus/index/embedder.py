"""Embedders: texts in, unit vectors out. The default one is in the package and works offline."""

from __future__ import annotations

import hashlib
import importlib.util
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from toolnexus.errors import ConfigError, SearchIndexError
from toolnexus.index.vendor import quiet_vendors

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy as np
    import numpy.typing as npt

    Matrix = npt.NDArray[np.float32]
    EmbedTexts = Callable[[Sequence[str]], Sequence[Sequence[float]]]

_WEIGHTS = Path("weights", "l2_supercat_256.safetensors")
_TOKENIZER = Path("tokenizers", "l2_supercat_tokenizer_config.json")
_BATCH = 256
_SAMPLE_BYTES = 65_536


@dataclass(frozen=True, slots=True)
class Calibration:
    """Where an embedder's cosines lie: `floor` for unrelated texts, `ceiling` for paraphrases.

    Example:
        >>> round(Calibration(0.2, 0.8).scale(0.5), 2)
        0.5
    """

    floor: float
    ceiling: float

    def scale(self, cosine: float) -> float:
        """Put a cosine on a scale from 0 (unrelated) to 1 (says the same)."""
        share = (cosine - self.floor) / (self.ceiling - self.floor)
        return min(1.0, max(0.0, share))


class Embedder(Protocol):
    """Turns texts into vectors.

    Attributes:
        name: What a person knows it by.
        digest: Tells its versions apart; the index is made anew when name or digest changes.
        dimensions: Length of a vector; 0 when only the first call tells.
        calibration: Where its cosines lie.
    """

    @property
    def name(self) -> str:
        """What a person knows it by."""
        ...

    @property
    def digest(self) -> str:
        """Tells its versions apart."""
        ...

    @property
    def dimensions(self) -> int:
        """Length of a vector; 0 when only the first call tells."""
        ...

    @property
    def calibration(self) -> Calibration:
        """Where its cosines lie."""
        ...

    def embed(self, texts: Sequence[str]) -> Matrix:
        """Return one unit vector a text, as rows of a float32 matrix."""
        ...


def make_embedder(setting: str, embed: EmbedTexts | None = None) -> Embedder:
    """Make the embedder that `index.embedding` names.

    Args:
        setting: "default", "minilm" or "litellm/<embedding model>".
        embed: What asks the hosted model; only "litellm/…" needs it.

    Raises:
        ConfigError: when there is no such embedder.

    Example:
        >>> make_embedder("default").dimensions
        256
    """
    if setting == "default":
        return WordLlamaEmbedder()
    if setting == "minilm":
        return MiniLmEmbedder()
    if setting.startswith("litellm/") and len(setting) > len("litellm/"):
        if embed is None:
            raise ConfigError(
                f"the embedding '{setting}' asks a hosted model, and none was handed in",
                hint="set index.embedding to 'default' to embed on this machine",
            )
        return CallableEmbedder(setting, embed)
    raise ConfigError(
        f"there is no embedding '{setting}'",
        hint="index.embedding is 'default', 'minilm' or 'litellm/<embedding model>'",
    )


class WordLlamaEmbedder:
    """Static token vectors, averaged: the weights that the wordllama wheel ships, offline.

    Args:
        folder: Where the weights are; the installed wordllama package when it is None.
    """

    name = "default"
    dimensions = 256
    # Measured on the labelled set of the tests: unrelated pairs and near-paraphrases.
    calibration = Calibration(0.10, 0.65)

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder
        self._loaded: tuple[Any, Matrix] | None = None
        self._digest = ""
        self._lock = threading.Lock()

    @property
    def digest(self) -> str:
        """Tells the weights apart by their size, head and tail: hashing all takes too long."""
        if not self._digest:
            self._digest = _sample_digest(*self._files())
        return self._digest

    def embed(self, texts: Sequence[str]) -> Matrix:
        """Return one unit vector a text; a text without any token gets the zero vector.

        Raises:
            ConfigError: when the weights are not installed, or cannot be read.
        """
        import numpy as np

        tokenizer, weights = self._load()
        rows = np.zeros((len(texts), self.dimensions), dtype=np.float32)
        for start in range(0, len(texts), _BATCH):
            batch = list(texts[start : start + _BATCH])
            for offset, encoding in enumerate(
                tokenizer.encode_batch_fast(batch, add_special_tokens=False)
            ):
                if encoding.ids:
                    rows[start + offset] = weights[encoding.ids].mean(axis=0)
        return normalise(rows)

    def _load(self) -> tuple[Any, Matrix]:
        with self._lock:
            if self._loaded is None:
                self._loaded = self._read()
            return self._loaded

    def _read(self) -> tuple[Any, Matrix]:
        from safetensors import safe_open
        from tokenizers import Tokenizer

        weights_file, tokenizer_file = self._files()
        try:
            tokenizer = Tokenizer.from_file(str(tokenizer_file))
            with safe_open(str(weights_file), framework="np") as tensors:
                weights = tensors.get_tensor(next(iter(tensors.keys())))
        except Exception as error:  # both are Rust: they raise bare exceptions of their own
            raise ConfigError(
                f"the default embedding's weights cannot be read: {error}",
                hint="install wordllama again: pip install --force-reinstall wordllama",
                path=str(weights_file),
            ) from error
        tokenizer.no_padding()
        tokenizer.no_truncation()
        return tokenizer, weights.astype("float32")  # half floats are slow to add up

    def _files(self) -> tuple[Path, Path]:
        folder = self._folder or _package_folder("wordllama")
        if folder is not None:
            files = folder / _WEIGHTS, folder / _TOKENIZER
            if all(file.is_file() for file in files):
                return files
        raise ConfigError(
            "the default embedding's weights are not installed",
            hint="install wordllama again: pip install --force-reinstall wordllama",
            path=None if folder is None else str(folder / _WEIGHTS),
        )


class MiniLmEmbedder:
    """all-MiniLM-L6-v2 on onnxruntime, as Chroma brings it; downloaded once, 80 MB."""

    name = "minilm"
    digest = "all-MiniLM-L6-v2-onnx"
    dimensions = 384
    calibration = Calibration(0.10, 0.75)

    def __init__(self) -> None:
        self._model: Any = None

    def embed(self, texts: Sequence[str]) -> Matrix:
        """Return one unit vector a text.

        Raises:
            SearchIndexError: when the model is not on this machine and cannot be downloaded.
        """
        import numpy as np

        if not texts:
            return np.zeros((0, self.dimensions), dtype=np.float32)
        try:
            if self._model is None:
                quiet_vendors()
                from chromadb.utils.embedding_functions import ONNXMiniLM_L6_V2

                self._model = ONNXMiniLM_L6_V2(preferred_providers=["CPUExecutionProvider"])
            return np.asarray(self._model(list(texts)), dtype=np.float32)
        except Exception as error:
            raise SearchIndexError(
                f"the embedding 'minilm' is not on this machine and cannot be loaded: {error}",
                hint="go online once so that it is downloaded, or set index.embedding to 'default'",
            ) from error


class CallableEmbedder:
    """A hosted model, through a callable that was handed in.

    Args:
        name: The setting that names it: "litellm/<embedding model>".
        embed: Takes texts, returns a vector for each; its errors pass through.
    """

    digest = ""
    # Hosted models differ: common ones put unrelated texts near .15 and paraphrases above .7.
    calibration = Calibration(0.15, 0.75)

    def __init__(self, name: str, embed: EmbedTexts) -> None:
        self.name = name
        self.dimensions = 0
        self._embed = embed

    def embed(self, texts: Sequence[str]) -> Matrix:
        """Return one unit vector a text.

        Raises:
            SearchIndexError: when the model's vectors do not fit the texts.
        """
        import numpy as np

        if not texts:
            return np.zeros((0, self.dimensions), dtype=np.float32)
        try:
            rows = np.asarray(self._embed(texts), dtype=np.float32)
        except (ValueError, TypeError):
            rows = np.zeros((0, 0), dtype=np.float32)
        if rows.ndim != 2 or len(rows) != len(texts) or not np.isfinite(rows).all():
            raise SearchIndexError(
                f"the embedding '{self.name}' gave no vector for each text",
                hint="check that index.embedding names an embedding model",
            )
        self.dimensions = rows.shape[1]
        return normalise(rows)


def normalise(rows: Matrix) -> Matrix:
    """Give each row the length 1, in place; a zero row stays."""
    import numpy as np

    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    np.divide(rows, lengths, out=rows, where=lengths > 0)
    return rows


def _package_folder(name: str) -> Path | None:
    """Find an installed package's folder without importing it."""
    spec = importlib.util.find_spec(name)
    places = list(spec.submodule_search_locations or ()) if spec else []
    return Path(places[0]) if places else None


def _sample_digest(*files: Path) -> str:
    digest = hashlib.blake2b(digest_size=16)
    for file in files:
        size = file.stat().st_size
        with file.open("rb") as handle:
            digest.update(size.to_bytes(8, "big") + handle.read(_SAMPLE_BYTES))
            handle.seek(max(0, size - _SAMPLE_BYTES))
            digest.update(handle.read(_SAMPLE_BYTES))
    return digest.hexdigest()
