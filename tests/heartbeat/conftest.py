"""The persona that the heartbeat's tests share."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from beat_persona import Persona

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def ava(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Persona:
    """A small persona, with no model and no keys in the environment."""
    for name in ("TOOLNEXUS_MODEL", "TOOLNEXUS_STATE", "TZ"):
        monkeypatch.delenv(name, raising=False)
    return Persona(tmp_path / "ava")
