"""`View`: the facet of a home that looks at it and changes nothing."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Literal, get_args

from toolnexus.app.conversations import Conversations
from toolnexus.app.memory import Memory
from toolnexus.app.opening import settings_finding, transcript_finding
from toolnexus.errors import UsageError
from toolnexus.store.notes import paused_collection

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from toolnexus.app.automation import Automation
    from toolnexus.app.overview import Overview
    from toolnexus.app.results import Diagnosis, SearchResult
    from toolnexus.home.finding import Finding
    from toolnexus.home.snapshot import Snapshot
    from toolnexus.index.hit import Refreshed

Where = Literal["notes", "transcripts", "all"]


class View(Memory, Conversations):
    """What there is, what is found in it, and what is wrong with it."""

    def check(self) -> list[Finding]:
        """Return everything in the home that a person may want to mend."""
        from toolnexus.home.checks import check

        outer = self.outer_findings()
        with paused_collection():
            return self.steady(lambda home: check(home, [*outer, *self.remembered_findings(home)]))

    def remembered_findings(self, home: Snapshot) -> Iterator[Finding]:
        """Yield what is wrong in a home as read that only its history and its turns can tell."""
        from toolnexus.app.feedback import feedback_findings

        yield from self.basis_findings(home)
        yield from feedback_findings(self, home)

    def basis_findings(self, home: Snapshot) -> Iterator[Finding]:
        """Yield what is wrong with what notes say that they rest on."""
        from toolnexus.home.ripening import states_basis

        if any(map(states_basis, home.notes.values())):  # most homes do without their imports
            from toolnexus.app.chains import chain_findings

            yield from chain_findings(self, home)

    @property
    def automation(self) -> Automation:
        """The jobs that recorded turns set off, where the settings ask for it."""
        with self._guard:
            return self._automation

    @cached_property
    def _automation(self) -> Automation:
        from toolnexus.app.automation import Automation

        return Automation(self)

    def outer_findings(self) -> list[Finding]:
        """Return what is wrong around the Markdown: in the settings and in the transcripts."""
        self.turns.refresh()
        folder = self.store.layout.transcripts_path
        found = [settings_finding(problem) for problem in self._problems]
        return found + [transcript_finding(folder, each) for each in self.turns.problems()]

    def overview(self, scope: str = "") -> Overview:
        """Count what there is in the home.

        Args:
            scope: Only what lies in this folder below the notes' own; empty for all.

        Raises:
            UsageError: when there is no such scope.
        """
        from toolnexus.app.overview import overview_of

        return overview_of(self, scope)

    def search(
        self,
        query: str,
        k: int = 8,
        where: Where = "notes",
        tags: Sequence[str] | str = (),
        min_score: float = 0.0,
        scope: str = "",
        *,
        archived: bool = False,
    ) -> SearchResult:
        """Search notes, transcripts or both; what changed on the disk is indexed first.

        Args:
            query: Plain words.
            k: How many hits at most.
            where: What to search.
            tags: Only notes that have all of these; a text is one tag.
            min_score: Only hits of at least this score, 0 to 1.
            scope: Only notes in this folder below the notes' own; empty for all.
            archived: Also notes in the archive.

        Raises:
            UsageError: when `where` is none of these, a tag is no text, or there is no such scope.
        """
        from toolnexus.app.feedback import uses_of
        from toolnexus.app.results import SearchResult
        from toolnexus.app.searching import NoteSearch

        if where not in get_args(Where):
            hint = "one of: " + ", ".join(get_args(Where))
            raise UsageError(f"there is nothing called {where!r} to search", hint=hint)
        if scope and where != "notes":
            hint = "search notes alone, or leave the scope out"
            raise UsageError("conversations are the whole home's: they have no scope", hint=hint)
        hits: list[object] = []
        notices: tuple[str, ...] = ()
        if where in {"notes", "all"}:
            look = self.searching.search
            asked = NoteSearch(query, k, _tags_of(tags), min_score, scope, archived)
            found = self.steady(lambda home: look(home, asked, uses_of(self, home)))
            hits += found.hits
            notices = found.notices
        if where in {"transcripts", "all"}:
            hits += self.search_transcripts(query, limit=min(k, 50))
        return SearchResult(tuple(hits), notices)  # type: ignore[arg-type]

    def reindex(self, *, rebuild: bool = False) -> Refreshed:
        """Bring the search index up to date, or make it anew."""
        refresh = self.searching.refresh
        return self.steady(lambda home: refresh(home, rebuild=rebuild, verify=not rebuild))

    def doctor(self) -> list[Diagnosis]:
        """Look at everything that could be wrong around the home, each with its fix."""
        from toolnexus.app.doctor import diagnose

        return diagnose(self)


def _tags_of(tags: Sequence[str] | str) -> tuple[str, ...]:
    """Read the tags that are asked for: a text is one tag, and none where it is empty."""
    asked = ((tags,) if tags else ()) if isinstance(tags, str) else tuple(tags or ())
    if not all(isinstance(tag, str) for tag in asked):
        raise UsageError("a tag is a text", hint="such as search(…, tags=['garden'])")
    return asked
