"""A write of ours never turns a home into another kind of home."""

from __future__ import annotations

import pytest

from toolnexus.app import Home
from toolnexus.errors import UsageError


def test_a_memory_folder_keeps_its_layout(tmp_path):
    """USER.md would make a Claude Code folder a persona, whose notes are elsewhere: refused."""
    (tmp_path / "MEMORY.md").write_text("- [Role](role.md) — nurse\n")
    (tmp_path / "role.md").write_text("- A nurse.\n")
    with pytest.raises(UsageError, match="'persona' home"):
        Home.open(tmp_path).remember("Likes tea.", to="user")
    assert not (tmp_path / "USER.md").exists()
    (tmp_path / "persona.yaml").write_text("layout: claude\n")
    assert Home.open(tmp_path).remember("Likes tea.", to="user").wrote
    assert Home.open(tmp_path).read().layout.name == "claude"


def test_a_vault_takes_what_is_remembered(tmp_path):
    """A vault stays one, its notes with it, when USER.md is written or AGENTS.md is there."""
    (tmp_path / ".obsidian").mkdir()
    (tmp_path / "AGENTS.md").write_text("Build with make.\n")
    (tmp_path / "A.md").write_text("- See [[B]].\n")
    vault = Home.open(tmp_path)
    assert vault.remember("I like tea.", to="user").wrote
    assert "A.md" in Home.open(tmp_path).read().notes
