"""A power loss after any call of any command: what was not synced is gone, torn or out of order."""

from __future__ import annotations

import os
import random
import shutil
from typing import TYPE_CHECKING

import pytest
from interposer import NO_FAULT
from power_loss import Model, read_trace
from verdict import copy_home, judge, state_of
from work_under_fault import WORK, exports, make_home, opened

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
IMAGES = 12 if IS_FULL else 1
STEP = 1 if IS_FULL else 6


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_survives_a_power_loss(
    name: str, server: CommandServer, tmp_path: Path, tally: Tally
) -> None:
    """Whatever the disk kept, the next open gives all of it or nothing, and every claim."""
    folder, work = tmp_path.resolve(), WORK[name]
    home = make_home(folder / "prepared" / "ava")
    exports(home)
    opened(home).dream(dry_run=True)
    if work.before is not None:
        work.before(home)
    before = state_of(home)
    whole = copy_home(home, folder / "whole" / "ava")
    exports(whole)
    trace = folder / "trace"
    assert server.run(name, whole, NO_FAULT, trace=str(trace)).code in {0, 3}
    after = state_of(whole)
    calls = read_trace(trace.read_bytes(), whole)
    wrong = []
    for end in [*range(0, len(calls), STEP), len(calls)]:
        for seed in range(IMAGES):
            model = Model(home)
            model.play(calls[:end])
            image = folder / "image" / "ava"
            shutil.rmtree(image, ignore_errors=True)
            model.write_after_power_loss(image, random.Random(f"{end}-{seed}"))
            verdict = judge(image, before, after)
            if end == len(calls) and work.is_durable and not verdict.is_whole:
                verdict.lost.append("what was done when the command had ended")
            tally.count(HARNESS, name, "power loss", verdict)
            if not verdict.survived:
                last = [(call.what, call.path) for call in calls[max(0, end - 2) : end]]
                wrong.append(f"after {end} calls {last}, image {seed}: {verdict}")
    assert not wrong, "\n".join(wrong[:9])
