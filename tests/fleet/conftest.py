"""What the fleet's tests share: some homes, virtual time, and a run over them."""

from __future__ import annotations

import pytest
from fleet_homes import Fleet


@pytest.fixture
def fleet(tmp_path, monkeypatch):
    """A folder for homes, with no model and no keys in the environment."""
    for name in ("TOOLNEXUS_MODEL", "TOOLNEXUS_STATE", "TZ"):
        monkeypatch.delenv(name, raising=False)
    # Days pass here while a file just written is still too fresh for its stamp to be trusted.
    monkeypatch.setattr("toolnexus.heartbeat.beat.is_settled", lambda _found, _now_ns: True)
    return Fleet(tmp_path / "homes")
