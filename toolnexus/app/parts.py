"""Parts: what an opened home is made of, each wired to its settings when it is first needed."""

from __future__ import annotations

import threading
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from toolnexus.app.host import Host
from toolnexus.app.opening import facts_of, read_settings_text
from toolnexus.clock import Clock, SystemClock
from toolnexus.home.layout import SETTINGS_FILE
from toolnexus.home.snapshot import IndexCap
from toolnexus.settings import Settings, SettingsProblem, parse_settings, read_settings
from toolnexus.store.door import Store
from toolnexus.store.read import layout_of
from toolnexus.store.steady import steady

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Self

    from toolnexus.app.host_store import HostStore
    from toolnexus.app.searching import Searching
    from toolnexus.home.snapshot import Snapshot
    from toolnexus.store.use_journal import UseJournal
    from toolnexus.transcripts.search_index import TranscriptIndex
    from toolnexus.transcripts.store import FileConversationStore

Result = TypeVar("Result")
UNCAPPED = IndexCap(1_000_000_000, 1_000_000_000_000)
"""A cap that no MEMORY.md reaches."""


class Parts:
    """The store, the settings and the searches of one home.

    Args:
        root: The home's folder.
        state: Its state folder; None for ``.toolnexus`` in it.
        clock: Tells the time.
        settings_text: What persona.yaml says; empty when there is none.
        host: What the program around the home brings along.
    """

    def __init__(
        self,
        root: Path,
        *,
        state: Path | None,
        clock: Clock,
        settings_text: str = "",
        host: Host = Host(),  # noqa: B008 - immutable
    ) -> None:
        self.root = root
        self.state_dir = state
        self.clock = clock
        self.host = host
        self._guard = threading.RLock()
        self._settings_text = settings_text
        self._lenient, self._problems = read_settings(settings_text)
        facts = facts_of(self._lenient, root)
        if not host.index_cap:
            facts = replace(facts, cap=UNCAPPED)
        facts = replace(facts, name=facts.name or host.name)
        self.store = Store(root, state, facts=facts, clock=clock)

    @classmethod
    def open_with(
        cls,
        host: Host,
        path: str | Path,
        state_dir: str | Path | None = None,
        clock: Clock | None = None,
    ) -> Self:
        """Open a home for a host; a change that a crash cut short is finished first.

        Raises:
            HomeError: when the folder is no home.
            UsageError: when the host's store is no store.
            DiskError: when a change that was cut short cannot be finished.
        """
        root = Path(path)
        text = read_settings_text(root)
        layout_of(root, facts_of(read_settings(text)[0]))
        if host.store is not None:
            from toolnexus.app.host_store import require_store

            require_store(host.store)
        state = Path(state_dir) if state_dir is not None else None
        return cls(root, state=state, clock=clock or SystemClock(), settings_text=text, host=host)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({str(self.root)!r})"

    @property
    def model(self) -> str | None:
        """The name of the model that the caller chose; None for the settings' own."""
        return self.host.model_name

    @property
    def settings(self) -> Settings:
        """The home's settings.

        Raises:
            ConfigError: when persona.yaml is wrong; `check` lists all that is.
        """
        if self._problems:
            parse_settings(self._settings_text, path=str(self.root / SETTINGS_FILE))
        return self._lenient

    @property
    def lenient_settings(self) -> Settings:
        """The home's settings as far as they can be read; a wrong value counts as its default."""
        return self._lenient

    @property
    def name(self) -> str:
        """The persona's name."""
        return self._lenient.name or self.host.name or self.root.resolve().name

    def read(self) -> Snapshot:
        """Read the home as it is now."""
        return self.store.read()

    def steady(self, look: Callable[[Snapshot], Result]) -> Result:
        """Look at the home as it is now; once more where files were saved in that very moment.

        Args:
            look: Is given the home as read, whose texts are loaded when they are asked for.

        Raises:
            ConflictError: when files keep changing.
        """
        return steady(self.read, look)

    @property
    def transcripts(self) -> FileConversationStore | HostStore:
        """The conversations."""
        with self._guard:
            return self._transcripts

    @property
    def turns(self) -> TranscriptIndex:
        """The search over the conversations' turns."""
        with self._guard:
            return self._turns

    @property
    def searching(self) -> Searching:
        """The search over the notes."""
        with self._guard:
            return self._searching

    @cached_property
    def uses(self) -> UseJournal:
        """The journal of which notes were used and how well they served."""
        from toolnexus.store.use_journal import UseJournal

        return UseJournal(self.store.state)

    @cached_property
    def _transcripts(self) -> FileConversationStore | HostStore:
        from toolnexus.app.talk import open_conversations

        return open_conversations(self.root, self._talk_folder, self.store.state, self.host.store)

    @cached_property
    def _turns(self) -> TranscriptIndex:
        from toolnexus.app.talk import open_turns

        return open_turns(self.root, self._talk_folder, self.store.state, self._transcripts)

    @cached_property
    def _searching(self) -> Searching:
        from toolnexus.app.searching import Searching

        return Searching(self.store.state, self.settings.index)

    @property
    def _talk_folder(self) -> Path:
        return self.root / self.store.layout.transcripts_path

    def settings_problems(self) -> list[SettingsProblem]:
        """Return everything that is wrong in persona.yaml."""
        return list(self._problems)
