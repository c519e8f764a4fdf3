"""What the fleet's tests share: some homes, virtual time, and a run over them."""

from __future__ import annotations

import pytest
from fleet_homes import Fleet


@pytest.fixture
def fleet(tmp_path, monkeypatch):
    """A folder for homes, with no model and no keys in the environment."""
    for name in ("TOOLNEXUS_MODEL", "TOOLNEXUS_STATE", "TZ"):
        monkeypatch.delenv(name, raising=False)
    return Fleet(tmp_path / "homes")
