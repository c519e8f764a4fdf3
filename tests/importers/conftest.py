"""The desk that the importers' tests work at."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from importing_desk import Desk

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    """A folder of its own, with the home `ava` in it."""
    return Desk(tmp_path)
