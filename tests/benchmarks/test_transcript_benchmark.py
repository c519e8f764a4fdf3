"""The benchmark of the search over turns, at a tiny size."""

from __future__ import annotations

import json
import re

import pytest

from benchmarks.measure import run_process, task
from benchmarks.transcripts import main


def labelled(folder):
    """Write a set of one claim with one turn of evidence among others."""
    talk = folder / "tiny" / "one"
    talk.mkdir(parents=True)
    said = ["Nice weather.", "We sold the red boat in May.", "Rain tomorrow, they say."]
    lines = [
        json.dumps({"role": "user", "content": text, "id": f"t{number}"})
        for number, text in enumerate(said)
    ]
    (talk / "talk.jsonl").write_text("\n".join(lines) + "\n")
    claim = {"text": "Sold the red boat", "kind": "right", "evidence": ["t1"]}
    (folder / "tiny" / "one.json").write_text(json.dumps({"claims": [claim]}))
    return folder


@pytest.mark.slow
def test_recall_and_cost_are_printed_and_written(tmp_path, capsys):
    """The evidence is found by each way, and the page holds what was printed."""
    page = tmp_path / "page.md"
    sets = labelled(tmp_path / "sets")
    assert main(["--eval", str(sets), "--turns", "200", "--out", str(page)]) == 0
    printed = capsys.readouterr().out
    for way in ("words", "vectors", "fused"):
        assert f"| tiny, others | {way} | 1 | 1.000 | 1.000 | 1.000 | 1 of 1 |" in printed
    assert "| tiny, others | candidates | 1 | – | – | 1.000 | 1 of 1 |" in printed
    assert "| first index of 200 turns |" in printed
    assert all(line in page.read_text() for line in printed.splitlines())


def test_a_process_tells_its_own_peak(tmp_path):
    """What a measured process held is its own, however much the one that measures holds."""
    held = bytearray(300 * 2**20)
    sets = labelled(tmp_path / "sets")
    ran = run_process(task("index_turns", str(sets / "tiny/one"), str(tmp_path / "x.sqlite")))
    assert re.fullmatch(r"\{\"turns\": 3\}", ran.output.strip())
    assert 2**22 < ran.cost.peak_bytes < len(held)
