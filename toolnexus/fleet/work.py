"""The work: one job done through `app`; whatever goes wrong is a part of its report."""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

from toolnexus.app.scheduled import Last, beat_for, dream_for, last_beat, last_dream
from toolnexus.errors import ToolnexusError
from toolnexus.fleet.job import Done, Failure

if TYPE_CHECKING:
    from collections.abc import Callable

    from toolnexus.clock import Clock
    from toolnexus.fleet.job import Job
    from toolnexus.models.model import Model
    from toolnexus.models.redact import Redactor

_BUG = 70


@dataclass(frozen=True)
class Worker:
    """Does jobs. It may be called from several threads at once.

    Attributes:
        clock: Tells the time.
        say: Is given what a beat says where that goes to ``stdout``, with the job.
        model: Makes the model of a job, in place of the one that settings name; None, here or
            from it, leaves it to them.
        monotonic: Tells seconds that only ever grow.
    """

    clock: Clock
    say: Callable[[Job, str], None]
    model: Callable[[Job], Model | None] | None = None
    monotonic: Callable[[], float] = field(default=time.monotonic)

    def do(self, job: Job) -> Done:
        """Do a job to its end."""
        began, started = self.clock.now(), self.monotonic()
        make = self._beat if job.kind == "beat" else self._dream
        try:
            done = make(job)
        except ToolnexusError as error:
            done = self._failed(job, str(error), error.exit_code, error.hint)
        except Exception as error:  # noqa: BLE001 - one home's trouble must not stop the others
            told = f"this is a bug in toolnexus: {type(error).__name__}: {error}"
            done = self._failed(job, told, _BUG)
        last = last_beat(job.place) if job.kind == "beat" else last_dream(job.place)
        if last.at is None or last.at < job.slot:  # the disk may be what failed
            last = Last(began)
        seconds = round(self.monotonic() - started, 3)
        return replace(done, last=last, seconds=seconds)

    def _beat(self, job: Job) -> Done:
        model = None if self.model is None else self.model(job)
        beat = beat_for(
            job.place, job.slot, self.clock, model=model, say=lambda text: self.say(job, text)
        )
        failure = None
        if beat.error is not None:
            failure = self._failure(str(beat.error), beat.exit_code, beat.error.hint)
        return Done(
            job,
            Last(),
            beat.outcome,
            self._clean(beat.reason),
            usd=beat.usage.usd,
            exit_code=beat.exit_code,
            failure=failure,
            notices=tuple(map(self._clean, beat.notices)),
        )

    def _dream(self, job: Job) -> Done:
        model = None if self.model is None else self.model(job)
        done = dream_for(job.place, job.slot, self.clock, model=model)
        if done is None:
            reason = "busy: another dream is under way, or has been made"
            return Done(job, Last(), "skipped", reason)
        reason = "" if done.outcome == "nothing" else self._clean(done.reply)
        notices = tuple(map(self._clean, done.notices))
        return Done(job, Last(), done.outcome, reason, usd=done.stats.usd, notices=notices)

    def _failed(self, job: Job, told: str, code: int, hint: str = "") -> Done:
        failure = self._failure(told, code, hint)
        return Done(job, Last(), "failed", failure.message, exit_code=code, failure=failure)

    def _failure(self, told: str, code: int, hint: str) -> Failure:
        return Failure(self._clean(told), code, self._clean(hint))

    def _clean(self, text: str) -> str:
        """Put a text on one line, without secrets."""
        return self._redactor.text(" ".join(text.split()))

    @cached_property
    def _redactor(self) -> Redactor:
        from toolnexus.models.redact import Redactor

        return Redactor.from_environment()
