from __future__ import annotations

import json

import pytest

from benchmarks.peers import __main__ as command
from benchmarks.peers.__main__ import main
from benchmarks.peers.contenders import CONTENDERS, Contender
from benchmarks.peers.environments import NoEnvironmentError, find_python, interpreter_of
from benchmarks.peers.talk import SERVE

YARDSTICKS = tuple(each for each in CONTENDERS if each.kind == "yardstick")


@pytest.fixture
def yardsticks_alone(monkeypatch):
    """Only what is quick is measured."""
    monkeypatch.setattr(command, "CONTENDERS", YARDSTICKS)


@pytest.mark.slow
def test_one_command_writes_the_page_its_figures_and_its_plots(tmp_path, yardsticks_alone):
    """From two small sizes to a document that names the command, and a picture a row."""
    out = tmp_path / "docs" / "peers.md"
    out.parent.mkdir()
    assert main(["--sizes", "10,20", "--budget-seconds", "60", "--out", str(out)]) == 0
    written = out.read_text("utf-8")
    assert "make bench-peers" in written
    assert "## 20 notes" in written
    assert "| cold index |" in written
    kept = json.loads((tmp_path / "docs" / "plots" / "peers.json").read_text("utf-8"))
    assert {figure["contender"] for figure in kept["figures"]} == {"SQLite FTS5", "files"}
    assert (tmp_path / "docs" / "plots" / "search.svg").read_text("utf-8").startswith("<svg")


@pytest.mark.slow
def test_a_page_is_made_again_from_its_figures(tmp_path, yardsticks_alone, capsys):
    """Without measuring anything, it is the same."""
    out = tmp_path / "peers.md"
    main(["--sizes", "10", "--peers", "files", "--budget-seconds", "60", "--out", str(out)])
    assert main(["--from", str(tmp_path / "plots" / "peers.json")]) == 0
    assert capsys.readouterr().out == out.read_text("utf-8")


def test_a_contender_that_cannot_be_had_is_told_and_the_rest_is_measured(
    tmp_path, monkeypatch, capsys
):
    """An environment that cannot be made is a remark in the document."""
    absent = Contender("absent", "peer", "drive_files", python=(3, 99), requirements=("absent==1",))
    monkeypatch.setattr(command, "CONTENDERS", (absent, *YARDSTICKS[-1:]))
    words = ["--sizes", "10", "--budget-seconds", "60", "--environments", str(tmp_path / "envs")]
    assert main(words) == 0
    told = capsys.readouterr().out
    assert "absent, 10 notes: Python 3.99 or later is not on this machine" in told
    assert "| search, median |" in told


def test_over_budget_is_told_and_no_larger_vault_is_tried(tmp_path, monkeypatch, capsys):
    """A budget that nothing can keep ends in a figure that is more than it."""
    monkeypatch.setattr(command, "CONTENDERS", YARDSTICKS[:1])
    figures = tmp_path / "figures.json"
    words = ["--sizes", "10,20", "--budget-seconds", "0.0001", "--figures", str(figures)]
    assert main(words) == 0
    kept = json.loads(figures.read_text("utf-8"))["figures"]
    assert not [figure for figure in kept if figure["size"] == 20 and figure["row"] == "cold"]
    assert capsys.readouterr().out


@pytest.mark.parametrize(
    "words", [["--sizes", "3"], ["--peers", "nobody"], ["--budget-seconds", "soon"]]
)
def test_a_wrong_call_is_refused(words, capsys):
    """The call is refused with what is wrong in it, and nothing is measured."""
    with pytest.raises(SystemExit) as refused:
        main(words)
    assert refused.value.code == 2
    assert "error:" in capsys.readouterr().err


def test_every_contender_is_pinned_and_has_a_driver():
    """What was measured can be measured again."""
    for contender in CONTENDERS:
        assert all("==" in each for each in contender.requirements)
        assert (SERVE.parent / f"{contender.driver}.py").is_file()
        assert contender.remark
        assert bool(contender.requirements) == (contender.kind == "peer")


def test_no_python_is_an_error_that_says_so(tmp_path):
    """Its version is named; ours serves where it is new enough."""
    assert find_python((3, 11)).exists()
    with pytest.raises(NoEnvironmentError, match=r"Python 3\.99"):
        interpreter_of(Contender("x", "peer", "y", ("z==1",), (3, 99)), tmp_path)
