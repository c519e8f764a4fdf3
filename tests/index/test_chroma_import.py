"""How Chroma is imported."""

from __future__ import annotations

import subprocess
import sys

import overrides
import pytest

from toolnexus.index.vendor import trusted_overrides

_FRESH = """
import overrides
from toolnexus.index.vendor import import_chromadb

before = overrides.override, overrides.overrides
client = import_chromadb().EphemeralClient()
assert (overrides.override, overrides.overrides) == before
print(client._server.start.__override__, client._server.count_collections())
"""


def test_chroma_works_and_keeps_its_marks() -> None:
    """A fresh process imports Chroma marked as ever, works with it, and checks again afterwards."""
    done = subprocess.run(
        [sys.executable, "-c", _FRESH], capture_output=True, text=True, check=False
    )
    assert (done.stdout, done.returncode) == ("True 0\n", 0), done.stderr


def test_overrides_are_trusted_for_a_while_only() -> None:
    """A method that overrides nothing is marked inside the block, and an error again behind it."""

    def declare() -> type:
        class Tea:
            @overrides.override(check_signature=False)
            def pour(self) -> None: ...

            @overrides.overrides
            def drink(self) -> None: ...

        return Tea

    with trusted_overrides():
        trusted = declare()
    assert all(vars(trusted)[name].__override__ for name in ("pour", "drink"))
    with pytest.raises(TypeError, match="No super class method"):
        declare()


def test_an_error_in_the_block_ends_the_trust_as_well() -> None:
    """Where an import fails, the package checks again as it did before."""
    before = overrides.override
    with pytest.raises(ImportError), trusted_overrides():
        raise ImportError
    assert overrides.override is before


def test_a_chroma_without_that_package_is_fine(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the package `overrides` is not installed the block runs as it is."""
    monkeypatch.setitem(sys.modules, "overrides", None)
    ran = False
    with trusted_overrides():
        ran = True
    assert ran
