"""Proposals: changes that wait for a person to decide them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from toolnexus.errors import UsageError
from toolnexus.files import REAL_DISK, Disk
from toolnexus.store.state import StateFolder

if TYPE_CHECKING:
    from pathlib import Path


class Proposals:
    """The proposals in a state folder; what one says is the business of who saves it.

    Args:
        state: The state folder; they lie in its ``proposals/``.
        disk: What writes.
    """

    def __init__(self, state: Path, disk: Disk = REAL_DISK) -> None:
        self._files = StateFolder(state / "proposals", disk)

    def save(self, proposal_id: str, payload: dict[str, Any]) -> None:
        """Keep a proposal, or replace the one of that id.

        Raises:
            UsageError: when the id cannot be a file's name.
            DiskError: when the disk is full or failing.
        """
        self._files.write(proposal_id, payload)

    def ids(self) -> tuple[str, ...]:
        """List the proposals' ids, oldest first (ids begin with their time)."""
        return self._files.names()

    def load(self, proposal_id: str) -> dict[str, Any]:
        """Return a proposal.

        Raises:
            UsageError: when there is none of that id, or it is damaged.
        """
        payload = self._files.read(proposal_id)
        if isinstance(payload, dict):
            return payload
        waiting = ", ".join(self.ids())
        raise UsageError(
            f"there is no proposal '{proposal_id}'",
            hint=f"there are {waiting}" if waiting else "nothing waits for review",
        )

    def remove(self, proposal_id: str) -> None:
        """Forget a proposal; one that is gone already is fine.

        Raises:
            UsageError: when the id cannot be a file's name.
            DiskError: when the disk is failing.
        """
        self._files.remove(proposal_id)
