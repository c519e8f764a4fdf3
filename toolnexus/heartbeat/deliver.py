"""Delivery: how a reply reaches people: the terminal, a command, any service of Apprise's."""

from __future__ import annotations

import os
import signal
import subprocess
import tempfile
from dataclasses import dataclass, field
from importlib.util import find_spec
from typing import TYPE_CHECKING, Protocol

from toolnexus.agent.calls import TimedOutError, call_bounded
from toolnexus.errors import ConfigError, DeliveryError
from toolnexus.models.redact import Redactor

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from pathlib import Path

    from toolnexus.settings import Delivery

PLACE_SECONDS = 60.0
_SHOWN = 300


class Place(Protocol):
    """Somewhere that a reply is delivered to."""

    def deliver(self, text: str) -> None:
        """Deliver a reply.

        Raises:
            DeliveryError: when it was not taken.
        """
        ...


@dataclass(frozen=True, slots=True)
class Spoken:
    """The caller's own output: a terminal, or whatever takes a text."""

    say: Callable[[str], None]

    def deliver(self, text: str) -> None:
        """Say it.

        Raises:
            DeliveryError: when the output is closed or full.
        """
        try:
            self.say(text)
        except OSError as error:
            reason = error.strerror or str(error)
            raise DeliveryError(f"standard output did not take the reply: {reason}") from error


@dataclass(frozen=True, slots=True)
class Command:
    """A program that gets the reply on its standard input. No shell reads its words.

    Attributes:
        words: The program and its arguments.
        folder: Where it runs: the home.
        seconds: How long it may take.
    """

    words: tuple[str, ...]
    folder: Path
    seconds: float = PLACE_SECONDS

    def deliver(self, text: str) -> None:
        """Run it.

        Raises:
            DeliveryError: when it cannot be started, fails or does not end in time.
        """
        data = text.encode("utf-8", "replace") + b"\n"
        with tempfile.TemporaryFile() as complaints:  # a pipe would wait for its children, too
            try:
                process = subprocess.Popen(  # noqa: S603 - the home's own settings name it
                    self.words,
                    cwd=self.folder,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.DEVNULL,
                    stderr=complaints,
                    start_new_session=True,
                )
            except (OSError, ValueError) as error:
                reason = getattr(error, "strerror", None) or str(error)
                raise self._failed(f"cannot be started: {reason}") from error
            try:
                process.communicate(data, self.seconds)
            except subprocess.TimeoutExpired:
                raise self._failed(f"did not end within {self.seconds:g} s") from None
            finally:
                if process.poll() is None:
                    os.killpg(process.pid, signal.SIGKILL)
                    process.wait()
            if process.returncode:
                complaints.seek(0)
                said = " ".join(complaints.read(4096).decode("utf-8", "replace").split())[:_SHOWN]
                told = Redactor.from_environment().text(said)
                code = process.returncode
                raise self._failed(f"ended with code {code}" + (f": {told}" if told else ""))

    def _failed(self, why: str) -> DeliveryError:
        hint = "run it by hand with a text on its standard input"
        return DeliveryError(f"the command '{self.words[0]}' {why}", hint=hint)


@dataclass(frozen=True, slots=True)
class Service:
    """A service that Apprise knows. Its URL holds secrets and is never shown.

    Attributes:
        url: Its address.
        title: What messages are headed with: the persona's name.
        seconds: How long it may take.
    """

    url: str = field(repr=False)
    title: str
    seconds: float = PLACE_SECONDS

    @property
    def shown(self) -> str:
        """What it is called in messages: its scheme alone."""
        return f"the {self.url.partition(':')[0]} service"

    def deliver(self, text: str) -> None:
        """Send it.

        Raises:
            DeliveryError: when the service did not take it in time.
            ConfigError: when Apprise cannot read the URL.
        """
        try:
            taken = call_bounded(lambda: self._notify(text), self.seconds)
        except TimedOutError:
            raise self._failed(f"did not answer within {self.seconds:g} s") from None
        except (ConfigError, DeliveryError):
            raise
        except Exception as error:
            told = Redactor.from_environment(secrets=[self.url]).text(str(error))[:_SHOWN]
            raise self._failed(f"failed: {told}") from error
        if not taken:
            raise self._failed("did not take the message")

    def _notify(self, text: str) -> bool:
        import logging

        import apprise

        log = logging.getLogger("apprise")
        if not log.handlers:  # or Python itself would print what Apprise has to say
            log.addHandler(logging.NullHandler())
        sender = apprise.Apprise()
        if not sender.add(self.url):
            raise ConfigError(
                f"Apprise cannot read the URL of {self.shown}",
                hint="compare it with Apprise's documentation of that service",
            )
        return bool(sender.notify(body=text, title=self.title))

    def _failed(self, why: str) -> DeliveryError:
        hint = "check the service's URL and the network"
        return DeliveryError(f"{self.shown} {why}", hint=hint)


def places_of(
    deliveries: Iterable[Delivery],
    *,
    say: Callable[[str], None],
    folder: Path,
    title: str,
    environ: Mapping[str, str] | None = None,
) -> tuple[Place, ...]:
    """Make the places that settings name; what is missing is found out before a model is asked.

    Args:
        deliveries: The settings.
        say: What stands for ``stdout``.
        folder: Where commands run.
        title: What messages are headed with.
        environ: Where ``env:NAME`` is looked up; None stands for the process's environment.

    Raises:
        ConfigError: when a variable is not set, or Apprise is not installed.
    """
    variables = os.environ if environ is None else environ
    places: list[Place] = []
    for delivery in deliveries:
        match delivery.kind:
            case "stdout":
                places.append(Spoken(say))
            case "command":
                places.append(Command(delivery.value, folder))
            case "url":
                places.append(_service(delivery.value[0], title))
            case "env":
                places.append(_service(_variable(delivery.value[0], variables), title))
    return tuple(places)


def deliver(text: str, places: Iterable[Place]) -> tuple[int, tuple[DeliveryError, ...]]:
    """Deliver a reply everywhere; one place's trouble does not keep it from the others.

    Returns:
        How many places took it, and what went wrong at the others.
    """
    taken, errors = 0, []
    for place in places:
        try:
            place.deliver(text)
        except DeliveryError as error:
            errors.append(error)
        except ConfigError as error:
            errors.append(DeliveryError(error.message, hint=error.hint))
        else:
            taken += 1
    return taken, tuple(errors)


def _service(url: str, title: str) -> Service:
    if find_spec("apprise") is None:
        raise ConfigError(
            "replies are to go to a service, and Apprise is not installed",
            hint="install it: pip install 'toolnexus[apprise]'",
        )
    return Service(url, title)


def _variable(name: str, variables: Mapping[str, str]) -> str:
    url = variables.get(name, "").strip()
    if "://" not in url:
        what = "holds no URL" if url else "is not set"
        raise ConfigError(
            f"replies are to go to env:{name}, and {name} {what}",
            hint=f"set {name} to an Apprise URL where the beat runs",
        )
    return url
