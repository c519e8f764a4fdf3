"""`Ripening`: the facet of a home in which its memory ripens, and tells what it rests on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolnexus.app.view import View

if TYPE_CHECKING:
    from collections.abc import Callable

    from toolnexus.app.host import ModelLike
    from toolnexus.app.results import Feedback
    from toolnexus.change.plan import Plan
    from toolnexus.evolve.chains.chain import EvidenceChain
    from toolnexus.evolve.compacting.types import Compacted
    from toolnexus.evolve.imagining.types import Imagining
    from toolnexus.evolve.plugging.event import Plug
    from toolnexus.evolve.plugging.summary import Plugged


class Ripening(View):
    """How memory gets better with time, and why it is believed."""

    def feedback(self, slug: str, score: float, reason: str = "", *, scope: str = "") -> Feedback:
        """Tell how well a note served; search minds it, and the note itself stays as it is.

        Args:
            slug: The note's slug, path, title or alias.
            score: How well it served, -1 to 1.
            reason: Why.
            scope: The folder below the notes' own to look for it in; empty for the whole home.

        Raises:
            UsageError: when there is no such note or scope, or several notes, or the score will
                not do.
            DiskError: when the disk is full or failing; nothing was written down.
        """
        from toolnexus.app.feedback import give_feedback

        return give_feedback(self, slug, score, reason, scope)

    def compact(
        self, *, dry_run: bool = False, scope: str = "", model: ModelLike | None = None
    ) -> Compacted:
        """Make the memory smaller and riper: fold, extract, merge, distil, archive; lose nothing.

        All or nothing, in the log and the history as a dream is, and revertible. What is not
        certain waits for `review`. A second run over the same home changes nothing.

        Args:
            dry_run: Decide everything, write and keep nothing.
            scope: The folder below the notes' own to stay within; empty for the whole home.
            model: Who thinks, in place of the model that the settings name.

        Raises:
            LockedError: when it is being done already.
            UsageError: when there is no such scope.
            DiskError: when the disk is full or failing; the home is as it was.
            ConfigError: when the settings are wrong.
        """
        from toolnexus.app.compacting import compact

        return compact(self, dry_run=dry_run, scope=scope, model=model)

    def evidence_chain(self, ref: str, max_depth: int = 10, *, scope: str = "") -> EvidenceChain:
        """Tell what a note, a claim or a turn rests on, and how far that lets it be believed.

        Args:
            ref: A note's slug, path, title or alias; ``self`` or ``user``; a claim's words, or a
                part of them that only one claim holds; a claim's ``path:line``;
                ``transcript:conversation#turn``.
            max_depth: How many links to follow at most, 0 or more.
            scope: The folder below the notes' own to stay within; a link out of it leads nowhere.

        Raises:
            UsageError: when there is nothing of that name, or several things, or no such scope.
        """
        from toolnexus.app.chains import evidence_chain

        return evidence_chain(self, ref, max_depth, scope)

    def chain_confidence(self, ref: str, *, scope: str = "") -> float:
        """Return how far something can be believed, 0 to 1: that number of its chain alone.

        Raises:
            UsageError: when there is nothing of that name, or several things, or no such scope.
        """
        from toolnexus.app.chains import chain_confidence

        return chain_confidence(self, ref, scope)

    def imagine(
        self, *, dry_run: bool = False, scope: str = "", model: ModelLike | None = None
    ) -> Imagining:
        """Write a few guesses made of the notes, as proposed notes; no other note changes.

        A guess counts for nothing until a person takes its ``status: proposed`` away: it is no
        evidence, no claim, and nothing is built on it. What was imagined once is never again.

        Args:
            dry_run: Decide everything, write and keep nothing.
            scope: The folder below the notes' own to stay within; empty for the whole home.
            model: Who thinks, in place of the model that the settings name.

        Raises:
            LockedError: when it is being done already.
            UsageError: when there is no such scope.
            DiskError: when the disk is full or failing; the home is as it was.
            ConfigError: when the settings are wrong.
        """
        from toolnexus.app.imagining import imagine

        return imagine(self, dry_run=dry_run, scope=scope, model=model)

    def plug(
        self,
        plug: Plug,
        *,
        scope: str = "",
        dry_run: bool = False,
        progress: Callable[[int, int], None] = lambda _read, _written: None,
        preview: Callable[[Plan], None] = lambda _plan: None,
    ) -> Plugged:
        """Bring what a source has into the home as notes; what is known already is not again.

        Events are taken one after the other and written 200 at a time, so that a source of any
        size takes bounded memory. A note that a person edited stays as it is.

        Args:
            plug: The source: a `Plug`, such as `evolve.plugs.registry.load_plug` gives.
            scope: The folder below the notes' own for all of it, whatever the events say; empty
                leaves it to them, and to the plug's name where they say nothing.
            dry_run: Read and decide, write nothing.
            progress: Is told after each part how many events were read and notes written so far.
            preview: Is given what a dry run would write, part by part.

        Raises:
            UsageError: when the plug's name or the scope will not do, or the plug fails; what came
                before it is in the home.
            LockedError: when another plug goes on for a minute.
            DiskError: when the disk is full or failing; running it again goes on from there.
        """
        from toolnexus.app.plugging import plug_in

        return plug_in(self, plug, scope=scope, dry_run=dry_run, progress=progress, preview=preview)
