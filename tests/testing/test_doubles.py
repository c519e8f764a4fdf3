"""The doubles that ship: each is there under `toolnexus.testing`, and loads only what it needs."""

from __future__ import annotations

import subprocess
import sys

import pytest

from toolnexus import testing


@pytest.mark.parametrize("name", testing.__all__)
def test_every_double_is_at_hand(name):
    """Each public name leads to something that is called so, and `dir` shows it."""
    assert getattr(testing, name).__name__ == name
    assert name in dir(testing)


def test_an_unknown_double_is_no_attribute():
    """A name that is none fails as it does for any module."""
    with pytest.raises(AttributeError, match="no attribute 'Nonesuch'"):
        _ = testing.Nonesuch


def test_a_double_loads_no_other():
    """Whoever wants the failing disk does not load the toy embedding's numbers."""
    code = "import sys; from toolnexus.testing import FaultyDisk; print('numpy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
