"""`Acting`: the facet of a home in which its persona does something."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolnexus.app.ripening import Ripening

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from pathlib import Path

    from toolnexus.agent.calls import Cancel
    from toolnexus.app.chat import Chat
    from toolnexus.app.host import ModelLike, ToolLike
    from toolnexus.app.pacing import Interval
    from toolnexus.app.results import Reply
    from toolnexus.app.started import OnBeat, OnError, Started
    from toolnexus.dream.types import Pass
    from toolnexus.heartbeat.types import Beat


class Acting(Ripening):
    """What the persona does: it answers, it wakes, it dreams, and it goes on doing so."""

    def ask(
        self,
        prompt: str,
        *,
        conversation: str = "",
        model: ModelLike | None = None,
        tools: Iterable[ToolLike] = (),
        on_text: Callable[[str], None] | None = None,
        cancel: Cancel | None = None,
    ) -> Reply:
        """Ask the persona something; question and answer are recorded in its transcripts.

        Args:
            prompt: The question.
            conversation: The conversation to go on with, or to begin under this id; empty begins
                one under an id of its own.
            model: Who thinks, in place of the model that the settings name.
            tools: The host's own tools, beside memory and search: functions with type hints.
            on_text: Is given the reply's words as they come, perhaps on another thread.
            cancel: Stops the reply when it is set; what was said until then is kept.

        Raises:
            ConfigError: when there is no model, or the settings are wrong; nothing was recorded.
            UsageError: when the prompt is empty.
            ModelError: when no whole reply came; what was said until then is recorded as cut.
            DiskError: when the disk is full or failing.
        """
        with self.chat(conversation=conversation, model=model, tools=tools) as chat:
            return chat.say(prompt, on_text=on_text, cancel=cancel)

    def chat(
        self,
        *,
        conversation: str = "",
        model: ModelLike | None = None,
        tools: Iterable[ToolLike] = (),
    ) -> Chat:
        """Open a conversation of several turns; see `ask`. Its soul stays as it is now."""
        from toolnexus.app.chat import Chat

        return Chat(self, conversation=conversation, model=model, tools=tools)

    def dream(
        self,
        *,
        dry_run: bool = False,
        propose: bool = False,
        check: bool = False,
        full: bool = False,
        instructions: str | None = None,
        model: ModelLike | None = None,
        budget_usd: float | None = None,
        record: str | Path | None = None,
        replay: str | Path | None = None,
        commit: bool | None = None,
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
            commit: Whether it makes a git commit; None leaves it to the settings.

        Raises:
            LockedError: when another dream is under way.
            DiskError: when the disk is full or failing; the home is as it was.
            ConfigError: when the settings are wrong.
            UsageError: when a recording does not fit the pass; nothing has changed then.
        """
        from toolnexus.app.dreaming import DreamOptions, dream

        wanted = DreamOptions(
            dry_run=dry_run or check,
            propose=propose,
            full=full,
            instructions=instructions or "",
            model=model,
            budget_usd=budget_usd,
            record=record,
            replay=replay,
            commit=commit,
        )
        return dream(self, wanted)

    def beat(
        self,
        *,
        force: bool = False,
        model: ModelLike | None = None,
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

    def start(
        self,
        *,
        every: Interval | None = None,
        on_beat: OnBeat | None = None,
        dream: Mapping[str, object] | bool | None = None,
        on_error: OnError | None = None,
    ) -> Started:
        """Let the persona act by itself, on threads beside the program, until it is stopped.

        Args:
            every: Time between two beats: ``"30m"`` or a `timedelta`. None leaves it to the
                settings; without those it is half an hour.
            on_beat: Is given each `Beat` that has something to say, and each `Pass` that did
                something; what it raises is reported, and stops nothing.
            dream: How it dreams: ``{"every": "24h"}``, also with ``store``, ``instructions`` and
                ``model``; True takes the settings' pace, None lets it have no dreams.
            on_error: Is given what went wrong; None writes it to the logger ``toolnexus``.

        Raises:
            UsageError: when a length of time will not do.
            ConfigError: when the settings are wrong.

        Example:
            >>> with ava.start(every="30m", on_beat=print, dream={"every": "24h"}):
            ...     serve()  # doctest: +SKIP
        """
        from toolnexus.app.pacing import dream_plan_of, interval_of
        from toolnexus.app.started import start

        interval = None if every is None else interval_of(every)
        plan = dream_plan_of(dream)
        return start(self, every=interval, dream=plan, on_beat=on_beat, on_error=on_error)
