"""The figures on dreams: `python -m benchmarks.dreaming` on a tiny folder of cases."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from benchmarks.dreaming import MODES, main, measure
from benchmarks.labelled import read_cases

if TYPE_CHECKING:
    from pathlib import Path

    from benchmarks.dreaming import Tally

TURNS = (
    ("m1", "I pay 1100 euros rent for the flat in Lyon now."),
    ("m2", "The trip to Lyon took 5 hours and cost 300 euros."),
    ("m3", "My sister Clara likes jazz and long walks by the river."),
)
CLAIMS = (
    {
        "text": "Pays 900 euros rent for the flat in Lyon.",
        "label": "contradicted",
        "evidence": ["m1"],
        "correct_text": "Pays 1100 euros rent for the flat in Lyon.",
        "correct_value": "1100",
    },
    {"text": "The trip to Lyon cost 300 euros.", "label": "supported", "evidence": ["m2"]},
    {"text": "Keeps bees in the garden.", "label": "unmentioned", "evidence": []},
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with one set of one case."""
    talk = tmp_path / "tiny" / "ava" / "talk.jsonl"
    talk.parent.mkdir(parents=True)
    lines = (
        {
            "role": "user",
            "name": "Ines",
            "content": said,
            "ts": f"2026-11-0{n}T10:00:00Z",
            "id": ref,
        }
        for n, (ref, said) in enumerate(TURNS, 1)
    )
    talk.write_text("".join(json.dumps(line) + "\n" for line in lines))
    (tmp_path / "tiny" / "ava.json").write_text(
        json.dumps({"speakers": {"assistant": "assistant"}, "claims": CLAIMS})
    )
    return tmp_path


def counts(folder: Path, mode: str) -> Tally:
    """Measure one mode."""
    return measure(mode, read_cases(folder), lambda _: None)["tiny"]


def test_a_perfect_model_is_counted_by_what_stands_in_the_home(folder: Path) -> None:
    """The wrong claim is corrected through a whole dream, and no right one is touched."""
    found = counts(folder, "perfect")
    assert (found["wrong"], found["corrected"]) == (1, 1)
    assert (found["right"], found["touched"]) == (2, 0)


def test_attacks_are_counted_by_the_worst_that_came_of_them(folder: Path) -> None:
    """Five hours become no five euros, and real quotes about anything drop nothing."""
    swapped, lied = counts(folder, "swap"), counts(folder, "liar")
    assert swapped["attacked"] == 1
    assert swapped["tries"] > 0
    assert swapped["harmed"] == 0
    assert lied["attacked"] == 2
    assert lied["harmed"] == 0


def test_suspicions_are_held_against_the_labels(folder: Path) -> None:
    """Without a model the wrong claim is suspected, and nothing is edited."""
    found = counts(folder, "offline")
    assert (found["suspected"], found["found"], found["touched"]) == (1, 1, 0)


def test_the_command_prints_a_table_for_each_mode(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """One table a mode, one row a set."""
    assert main(["--eval", str(folder)]) == 0
    printed = capsys.readouterr().out
    assert all(f"| {mode} |" in printed for mode in MODES)
    assert printed.count("| tiny |") == len(MODES)
    assert "| tiny | 1 | 1.000 | 1.000 | 2 | 0 |" in printed


def test_an_empty_folder_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A folder without cases is wrong usage, not a table of zeros."""
    assert main(["--eval", str(tmp_path)]) == 2
    assert "holds no cases" in capsys.readouterr().err
