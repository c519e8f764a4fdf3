"""toolnexus of the registry: a persona's folder, its memory tool and its conversation stores.

It has no index and no search: what it remembers is one file that is read and written as a whole.
"""

from __future__ import annotations

import asyncio
from pathlib import Path


class Driver:
    """A persona whose MEMORY.md has as many lines as the vault has notes."""

    def open(self, vault: str, state: str) -> None:
        """Compose the soul, as each of its sessions begins."""
        from toolnexus.agents import agent_from_dir

        self.home = Path(state) / "persona"
        self.home.mkdir(parents=True, exist_ok=True)
        self.notes = len(list((Path(vault) / "memory").iterdir()))
        self.agent = agent_from_dir(str(self.home), name="ava")
        self.memory = next(tool for tool in self.agent.uses["tools"] if tool.name == "memory")

    def fill(self) -> None:
        """Give its memory a line for each note."""
        line = "- Bodega lanu kiro 1234, and the lantern hangs behind the door of the mill.\n"
        (self.home / "MEMORY.md").write_text(line * self.notes, "utf-8")

    def add(self, text: str) -> None:
        """Add to its memory, as its agent does."""
        done = asyncio.run(self.memory.execute({"action": "add", "text": text}))
        if done.is_error:
            raise RuntimeError(done.output)

    def find(self, query: str) -> int:
        """Read the memory anew, all of it: that is how it is found."""
        from toolnexus.agents import agent_from_dir

        return len(agent_from_dir(str(self.home), name="ava").soul) if query else 0
