"""`Acting`: the facet of a home in which its persona does something."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolnexus.app.view import View

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from toolnexus.app.host import ToolLike
    from toolnexus.dream.types import Pass
    from toolnexus.heartbeat.types import Beat
    from toolnexus.models.model import Model


class Acting(View):
    """What the persona does: it wakes, and it dreams."""

    def dream(
        self,
        *,
        dry_run: bool = False,
        propose: bool = False,
        check: bool = False,
        full: bool = False,
        instructions: str | None = None,
        model: Model | None = None,
        budget_usd: float | None = None,
        record: str | Path | None = None,
        replay: str | Path | None = None,
    ) -> Pass:
        """Run one pass: verify, demote, merge, repair links; all or nothing, logged, revertible.

        Args:
            dry_run: Decide everything, write nothing.
            propose: Leave the changes for `review` and write nothing else.
            check: As `dry_run`; the caller asks whether there is anything to do.
            full: Look at every claim, whatever earlier passes have verified.
            instructions: Standing guidance for a model, beyond DREAM.md.
            model: Who thinks, in place of the model that the settings name.
            budget_usd: Money, in US dollars, that it may cost, in place of the settings' bound.
            record: A file to write down what the model is asked and replies; keys are masked.
            replay: Such a file, which replies in the model's place: no key and no network.

        Raises:
            LockedError: when another dream is under way.
            DiskError: when the disk is full or failing; the home is as it was.
            ConfigError: when the settings are wrong.
            UsageError: when a recording does not fit the pass; nothing has changed then.
        """
        from toolnexus.app.dreaming import DreamOptions, dream

        wanted = DreamOptions(
            dry_run or check, propose, full, instructions or "", model, budget_usd, record, replay
        )
        return dream(self, wanted)

    def beat(
        self,
        *,
        force: bool = False,
        model: Model | None = None,
        tools: Iterable[ToolLike] = (),
        say: Callable[[str], None] | None = None,
    ) -> Beat:
        """Make one heartbeat: do what HEARTBEAT.md asks for now, and deliver what there is to say.

        Args:
            force: Pass every gate but busy.
            model: Who thinks, in place of the model that the settings name.
            tools: The host's own tools, beside memory and search: functions with type hints.
            say: Is given the reply where it goes to ``stdout``; None leaves that to the caller.

        Raises:
            ConfigError: when the settings are wrong. Anything else is told in `Beat.error`.
        """
        from toolnexus.app.beating import beat

        return beat(self, force=force, model=model, tools=tools, say=say)
