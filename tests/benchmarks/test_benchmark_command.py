from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.__main__ import MEASURES, main
from benchmarks.measure import Cost, least_costs, run_process
from benchmarks.report import document, summary
from benchmarks.sizes import Sizes
from benchmarks.table import HEAD, Row, compare, format_seconds, memory, within

TINY = Sizes(
    notes=20,
    turns=60,
    long_turns=40,
    short_turns=10,
    tries=1,
    searches=5,
    homes=3,
    idle_seconds=0.5,
    saves=2,
)


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(MEASURES))
def test_every_group_measures_at_a_tiny_size(name, tmp_path):
    """Each group of rows runs from its data to its verdicts."""
    rows = list(MEASURES[name](tmp_path, TINY))
    assert rows
    for row in rows:
        assert len(row.cells()) == len(HEAD)
        assert all("|" not in cell and cell for cell in row.cells())


def test_the_command_prints_a_table_and_writes_the_document(tmp_path, capsys):
    """What is printed stands in the written document, which says how to make it again."""
    out = tmp_path / "performance.md"
    assert main(["--quick", "--only", "append", "--out", str(out)]) == 0
    printed = capsys.readouterr().out
    table, machine = printed.strip().split("\n\n")
    assert table.splitlines()[0] == f"| {' | '.join(HEAD)} |"
    assert "append to 10,000 turns" in table
    assert machine.startswith("Measured on: ")
    written = out.read_text("utf-8")
    assert table in written
    assert machine in written
    assert "python -m benchmarks" in written
    assert str(Path.home()) not in written


@pytest.mark.parametrize("words", [["--only", "nothing"], ["--notes", "3"], ["--quick", "--full"]])
def test_a_wrong_call_is_refused(words, capsys):
    """The call is refused with what is wrong in it, and nothing is measured."""
    with pytest.raises(SystemExit) as refused:
        main(words)
    assert refused.value.code == 2
    assert "error:" in capsys.readouterr().err


def test_verdicts_follow_from_the_numbers():
    """A row is met up to its limit and missed beyond it, by the time that decides."""
    assert compare("x", Cost(9, 3), 1.5, Cost(1, 2), "y").met
    assert not compare("x", Cost(9, 3), 1.5, Cost(1, 2), "y", by="wall").met
    assert within("x", Cost(0.15, 9), 0.15).met
    assert not within("x", Cost(0.16, 0), 0.15).met
    assert not memory("x", Cost(0, 0, 501 * 2**20), 500).met
    assert Row("x", "–", "1 s", None).cells()[-1] == "–"


def test_the_least_of_several_tries_counts():
    """Each time is the smallest seen, in whatever try that was; of memory the most counts."""
    costs = iter([Cost(3, 1, 5), Cost(8, 8), Cost(2, 2, 7), Cost(9, 7)])
    assert least_costs(2, lambda: next(costs), lambda: next(costs)) == [Cost(2, 1, 7), Cost(8, 7)]


def test_a_process_that_fails_is_no_measurement():
    """Its error is told; an exit code of 1 is fine where findings are expected."""
    with pytest.raises(RuntimeError, match="oh no"):
        run_process(["sh", "-c", "echo oh no >&2; exit 1"])
    assert run_process(["sh", "-c", "echo found; exit 1"], fails=True).output == "found\n"
    with pytest.raises(RuntimeError):
        run_process(["sh", "-c", "exit 2"], fails=True)


def test_times_are_written_in_a_unit_that_suits_them():
    """From microseconds to seconds, with as many digits as mean something."""
    times = [25e-6, 0.0042, 0.03, 0.15, 2, 15, 1.234]
    written = ["25 µs", "4.2 ms", "30 ms", "150 ms", "2 s", "15 s", "1.23 s"]
    assert [format_seconds(seconds) for seconds in times] == written


def test_the_document_holds_the_summary():
    """Table and machine stand in it unchanged."""
    told = summary([Row("x", "≤ 1 s", "2 s", met=False)])
    written = document(told)
    assert all(line in written for line in told.strip().splitlines())
    assert "**missed**" in written
