"""Wiring: what a beat works with, handed in by whoever opens the home."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from toolnexus.agent.tool import Tool
    from toolnexus.clock import Clock
    from toolnexus.models.model import Model
    from toolnexus.settings import HeartbeatSettings
    from toolnexus.store.door import Store


@dataclass(frozen=True, slots=True)
class Wiring:
    """What a beat works with.

    Attributes:
        name: The persona's name.
        store: The home's disk.
        clock: Tells the time.
        settings: The heartbeat's settings.
        model: Makes the model, once it is needed; None to work offline.
        tools: Makes the tools, once they are needed.
        notices: Tells what there is to know of what makes them, once they were needed.
        record: Adds a turn to the conversation of that id.
        say: What ``stdout`` stands for.
        rests: Whether a quiet spell may be noted: not where the caller chose another model.
        monotonic: Tells seconds that only ever grow.
        disk_time_ns: Tells the present in the file system's time, in nanoseconds.
    """

    name: str
    store: Store
    clock: Clock
    settings: HeartbeatSettings
    model: Callable[[], Model] | None
    tools: Callable[[], Iterable[Tool | Callable[..., object]]]
    record: Callable[[str, Mapping[str, object]], object]
    say: Callable[[str], None]
    notices: Callable[[], Iterable[str]] = tuple
    rests: bool = True
    monotonic: Callable[[], float] = field(default=time.monotonic)
    disk_time_ns: Callable[[], int] = field(default=time.time_ns)
