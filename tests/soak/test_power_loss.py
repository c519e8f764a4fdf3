"""A power loss after any call of any command: what was not synced is gone, torn or out of order."""

from __future__ import annotations

import os
import random
import shutil
from typing import TYPE_CHECKING

import pytest
from desk import desk_for
from power_loss import Model, read_trace
from verdict import judge
from work_under_fault import WORK

if TYPE_CHECKING:
    from pathlib import Path

    from fork_server import CommandServer
    from tally import Tally

pytestmark = pytest.mark.soak

IS_FULL = os.environ.get("TOOLNEXUS_SOAK", "sample") == "full"
HARNESS = "power loss"
# The index is a cache that is looked through and made anew; Chroma maps its files into memory,
# which no trace shows.
COMMANDS = [name for name in WORK if name not in {"search", "index --rebuild"}]
IMAGES = 3 if IS_FULL else 1
STEP = 1 if IS_FULL else 6


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_survives_a_power_loss(
    name: str, server: CommandServer, tmp_path: Path, tally: Tally
) -> None:
    """Whatever the disk kept, the next open gives all of it or nothing, and every claim."""
    folder = tmp_path.resolve()
    trace = folder / "trace"
    desk = desk_for(name, server, folder, trace=str(trace))
    calls = read_trace(trace.read_bytes(), folder / "whole" / "ava")
    wrong = []
    for end in [*range(0, len(calls), STEP), len(calls)]:
        for seed in range(IMAGES):
            model = Model(desk.home)
            model.play(calls[:end])
            image = folder / "image" / "ava"
            shutil.rmtree(image, ignore_errors=True)
            model.write_after_power_loss(image, random.Random(f"{end}-{seed}"))
            verdict = judge(image, desk.before, desk.after)
            if end == len(calls) and desk.work.is_durable and not verdict.is_whole:
                verdict.lost.append("what was done when the command had ended")
            tally.count(HARNESS, name, "power loss", verdict)
            if not verdict.survived:
                last = [(call.what, call.path) for call in calls[max(0, end - 2) : end]]
                wrong.append(f"after {end} calls {last}, image {seed}: {verdict}")
    assert not wrong, "\n".join(wrong[:9])
