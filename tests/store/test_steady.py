"""Looks at a home whose files are saved over and over."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolnexus.store.door import Store
from toolnexus.store.steady import steady

if TYPE_CHECKING:
    from pathlib import Path

    from toolnexus.home.snapshot import Snapshot


def test_a_look_in_which_a_person_saves_each_time_comes_to_an_end(tmp_path: Path) -> None:
    """Texts that were loaded before a look are those of its reading, whatever is saved in it."""
    (tmp_path / "SOUL.md").write_text("You are Ava.\n")
    (tmp_path / "MEMORY.md").write_text("- Lives in Paris.\n")
    Store(tmp_path).read()  # known from now on, so that its text is loaded late
    saved: list[int] = []

    def look(home: Snapshot) -> str:
        saved.append(len(saved))
        with (tmp_path / "MEMORY.md").open("a") as file:
            file.write(f"- Saved {len(saved)}.\n")
        return home.text("MEMORY.md") or ""

    assert steady(Store(tmp_path).read, look) == "- Lives in Paris.\n- Saved 1.\n"
    assert len(saved) > 1
