"""Started personas: beats and dreams go on beside the program until it stops them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from toolnexus.app.beating import last_beat
from toolnexus.app.pacing import DREAM_EVERY, DreamPlan, beat_slots, slots_of
from toolnexus.app.ticker import Ticker
from toolnexus.clock import format_instant, parse_instant
from toolnexus.errors import LockedError, ModelError

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime, timedelta
    from types import TracebackType
    from typing import Self

    from toolnexus.app.acting import Acting
    from toolnexus.app.automation import Automation
    from toolnexus.dream.types import Pass
    from toolnexus.heartbeat.types import Beat

    OnBeat = Callable[[Beat | Pass], object]
    OnError = Callable[[Exception], object]

STOP_SECONDS = 60.0
_LAST_DREAM = "dream-last"


class Started:
    """A persona that acts by itself, until it is stopped or its block ends.

    Args:
        tickers: What calls its beats and dreams.
        automation: The jobs that its turns set off, which a stop waits for.

    Example:
        >>> with ava.start(every="30m", on_beat=print) as started:  # doctest: +SKIP
        ...     started.wake()
    """

    def __init__(self, *tickers: Ticker, automation: Automation | None = None) -> None:
        self._tickers = tickers
        self._automation = automation

    def wake(self) -> None:
        """Make a beat now; while one goes on, once more right after it. A dreamer dreams."""
        self._tickers[0].wake()

    def settle(self, timeout_seconds: float = STOP_SECONDS) -> bool:
        """Wait until what is due by now has been done; tell whether it has.

        Args:
            timeout_seconds: How long to wait for each kind of job, by the machine's clock.
        """
        return all(ticker.settle(timeout_seconds) for ticker in self._tickers)

    def stop(self, timeout_seconds: float = STOP_SECONDS) -> bool:
        """Begin nothing any more, and wait for what goes on to end, dreams and compactions too.

        Args:
            timeout_seconds: How long to wait for each kind of job. What takes longer is left
                behind, and ends with the program.

        Returns:
            Whether all has ended.
        """
        for ticker in self._tickers:
            ticker.stop()
        ended = [ticker.join(timeout_seconds) for ticker in self._tickers]
        if self._automation is not None:
            ended.append(self._automation.wait(timeout_seconds))
        return all(ended)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()


class _Reports:
    """Tells a host what came of beats and dreams; nothing that it does stops the next one."""

    def __init__(self, name: str, on_beat: OnBeat | None, on_error: OnError | None) -> None:
        self._name = name
        self._on_beat = on_beat
        self._on_error = on_error

    def tell(self, done: Beat | Pass) -> None:
        """Hand on what there is to say."""
        if self._on_beat is None:
            return
        try:
            self._on_beat(done)
        except SystemExit as error:  # it would end this thread alone, and without a word
            self.fail(RuntimeError(f"on_beat tried to end the program: {error}"))
        except Exception as error:  # noqa: BLE001 - whatever it is, the next beat has to come
            self.fail(error)

    def fail(self, error: Exception) -> None:
        """Report an error."""
        if self._on_error is not None:
            try:
                self._on_error(error)
            except SystemExit as leaving:
                error = RuntimeError(f"on_error tried to end the program: {leaving}")
            except Exception as worse:  # noqa: BLE001 - as above
                error = worse
            else:
                return
        import logging

        logging.getLogger("toolnexus").error("%s: %s", self._name, error, exc_info=error)


def start(
    home: Acting,
    *,
    every: timedelta | None,
    dream: DreamPlan | None,
    on_beat: OnBeat | None,
    on_error: OnError | None,
) -> Started:
    """Start a persona.

    Args:
        home: Its home.
        every: Time between two beats; None leaves it to the settings, which say half an hour.
        dream: How it dreams; None not at all.
        on_beat: Is given each beat that has something to say, and each pass that did something.
        on_error: Is given what went wrong, also in `on_beat`; None writes it to the log of the
            logger ``toolnexus``.

    Raises:
        ConfigError: when the settings are wrong.
    """
    reports = _Reports(home.name, on_beat, on_error)
    now, last = home.clock.now(), _instant(last_beat(home))
    settings = home.settings.heartbeat
    first, after = slots_of(every, now, last) if every else beat_slots(settings, now, last)
    beats = Ticker(f"{home.name}-beats", lambda: _beat(home, reports), first, after, home.clock)
    dreams = [start_dreams(home, dream, reports)] if dream else []
    return Started(beats, *dreams, automation=home.automation)


def start_dreamer(
    home: Acting, dream: DreamPlan, on_beat: OnBeat | None, on_error: OnError | None
) -> Started:
    """Start a dreamer alone; see `start`."""
    return Started(start_dreams(home, dream, _Reports(home.name, on_beat, on_error)))


def start_dreams(home: Acting, dream: DreamPlan, reports: _Reports) -> Ticker:
    """Start the dreams of a home."""
    every = dream.every or home.settings.dream.every or DREAM_EVERY
    first, after = slots_of(every, home.clock.now(), _last_dream(home))
    if dream.store is not None:
        host = replace(home.host, store=dream.store)
        home = type(home).open_with(host, home.root, home.state_dir, home.clock)
    return Ticker(
        f"{home.name}-dreams", lambda: _dream(home, dream, reports), first, after, home.clock
    )


def _beat(home: Acting, reports: _Reports) -> None:
    try:
        beat = home.beat()
    except Exception as error:  # noqa: BLE001 - whatever it is, the next beat has to come
        reports.fail(error)
        return
    if beat.error is not None:
        reports.fail(beat.error)
    if beat.outcome == "delivered":
        reports.tell(beat)


def _dream(home: Acting, dream: DreamPlan, reports: _Reports) -> None:
    try:
        done = home.dream(instructions=dream.instructions, model=dream.model)
        home.store.write_state(_LAST_DREAM, {"at": format_instant(home.clock.now())})
    except LockedError:
        return  # another dream of this home goes on, and stands for this one
    except Exception as error:  # noqa: BLE001 - as above
        reports.fail(error)
        return
    if done.outcome == "failed":
        reports.fail(ModelError(done.reply))
    elif done.wrote or done.waiting or done.outcome == "held":
        reports.tell(done)


def _last_dream(home: Acting) -> datetime | None:
    noted: Any = home.store.read_state(_LAST_DREAM)
    return _instant(noted.get("at")) if isinstance(noted, dict) else None


def _instant(text: object) -> datetime | None:
    try:
        return parse_instant(text) if isinstance(text, str) else None
    except (ValueError, OverflowError):
        return None
