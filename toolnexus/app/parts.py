"""Parts: what an opened home is made of, each wired to its settings when it is first needed."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from toolnexus.app.host import Host
from toolnexus.app.opening import facts_of
from toolnexus.home.layout import SETTINGS_FILE
from toolnexus.settings import Settings, SettingsProblem, parse_settings, read_settings
from toolnexus.store.door import Store

if TYPE_CHECKING:
    from pathlib import Path

    from toolnexus.app.searching import Searching
    from toolnexus.clock import Clock
    from toolnexus.home.snapshot import Snapshot
    from toolnexus.transcripts.search_index import TranscriptIndex
    from toolnexus.transcripts.store import FileConversationStore


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
        self.clock = clock
        self.host = host
        self._settings_text = settings_text
        self._lenient, self._problems = read_settings(settings_text)
        self.store = Store(root, state, facts=facts_of(self._lenient, root), clock=clock)

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
    def name(self) -> str:
        """The persona's name."""
        return self._lenient.name or self.root.resolve().name

    def read(self) -> Snapshot:
        """Read the home as it is now."""
        return self.store.read()

    @cached_property
    def transcripts(self) -> FileConversationStore:
        """The conversations."""
        from toolnexus.transcripts.store import FileConversationStore

        return FileConversationStore(self._transcripts_folder(), root=self.root)

    @cached_property
    def turns(self) -> TranscriptIndex:
        """The search over the conversations' turns."""
        from toolnexus.transcripts.search_index import TranscriptIndex

        database = self.store.state / "transcripts.sqlite"
        return TranscriptIndex(self._transcripts_folder(), database, root=self.root)

    @cached_property
    def searching(self) -> Searching:
        """The search over the notes."""
        from toolnexus.app.searching import Searching

        return Searching(self.store.state, self.settings.index)

    def settings_problems(self) -> list[SettingsProblem]:
        """Return everything that is wrong in persona.yaml."""
        return list(self._problems)

    def _transcripts_folder(self) -> Path:
        return self.root / self.store.layout.transcripts_path
