from __future__ import annotations

import pytest

from benchmarks.peers.figures import Figure, Results
from benchmarks.peers.judge import judge, ratio
from benchmarks.peers.report import document, targets

PEERS = ["basic-memory", "memsearch", "contextseek"]
YARDSTICKS = ["SQLite FTS5"]


def results_of(*figures):
    """Results of figures written as (contender, size, row, seconds) and a mark when over."""
    results = Results("a quiet machine", 60.0)
    for contender, size, row, seconds, *over in figures:
        results.add(Figure(contender, size, row, seconds, seconds, bool(over)))
    return results


def verdicts(*figures):
    """What is judged of figures, by what it is about."""
    found = judge(results_of(*figures), PEERS, YARDSTICKS)
    return {verdict.what: verdict.met for verdict in found}


def test_the_less_favourable_time_makes_the_ratio():
    """Ahead by the clock and behind by processor time is behind."""
    results = results_of()
    results.add(Figure("toolnexus", 100, "cold", wall=1.0, cpu=2.0))
    results.add(Figure("memsearch", 100, "cold", wall=10.0, cpu=3.0))
    assert ratio(results, "memsearch", 100, "cold").times == pytest.approx(1.5)
    assert ratio(results, "contextseek", 100, "cold") is None


def test_what_was_not_done_in_time_counts_as_at_least_that():
    """So does what was measured at a smaller size alone."""
    results = results_of(
        ("toolnexus", 1_000, "cold", 2.0),
        ("toolnexus", 10_000, "cold", 4.0),
        ("memsearch", 1_000, "cold", 60.0, "over"),
    )
    assert str(ratio(results, "memsearch", 1_000, "cold")) == "≥ 30 ×"
    assert str(ratio(results, "memsearch", 10_000, "cold")) == "≥ 15 ×"


def test_far_ahead_at_a_thousand_and_farther_at_ten_thousand():
    """Both are judged, for each of the two peers and each of the three rows."""
    met = verdicts(
        ("toolnexus", 1_000, "cold", 1.0),
        ("toolnexus", 10_000, "cold", 10.0),
        ("memsearch", 1_000, "cold", 20.0),
        ("memsearch", 10_000, "cold", 300.0),
        ("basic-memory", 1_000, "cold", 19.0),
        ("basic-memory", 10_000, "cold", 180.0),
    )
    assert met["cold index, 1,000 notes, memsearch"]
    assert met["cold index, 10,000 notes, memsearch"]
    assert not met["cold index, 1,000 notes, basic-memory"]
    assert not met["cold index, 10,000 notes, basic-memory"]


def test_a_peer_that_ran_out_of_time_may_leave_a_target_open():
    """Nobody can tell whether it is farther behind: that is not shown, and not met."""
    far = [("toolnexus", 1_000, "cold", 1.0), ("memsearch", 1_000, "cold", 100.0)]
    large = [("toolnexus", 10_000, "cold", 10.0), ("memsearch", 10_000, "cold", 900.0, "over")]
    assert verdicts(*far, *large)["cold index, 10,000 notes, memsearch"] is None
    results = results_of(*far, *large)
    assert "not shown" in document(results)


@pytest.mark.parametrize(
    ("peer", "yardstick", "met"),
    [(5.0, 0.1, True), (4.9, 0.1, False), (4.9, 0.5, True), (0.1, 0.49, False)],
)
def test_ahead_of_every_peer_or_near_the_yardstick(peer, yardstick, met):
    """Either will do; neither is a miss."""
    figures = [
        ("toolnexus", 10_000, "search", 1.0),
        ("memsearch", 10_000, "search", 50.0),
        ("contextseek", 10_000, "search", peer),
        ("SQLite FTS5", 10_000, "search", yardstick),
    ]
    assert verdicts(*figures) == {"search, median, 10,000 notes": met}
    assert ("**missed**" in targets(results_of(*figures))) is not met


def test_a_run_that_is_too_small_has_no_verdicts():
    """Its document has figures alone."""
    figures = [("toolnexus", 100, "cold", 1.0), ("memsearch", 100, "cold", 50.0)]
    assert not verdicts(*figures)
    assert "verdict" not in document(results_of(*figures))


def test_the_document_tells_every_figure(tmp_path):
    """Times, what is over, memory, ratios, what is missing; and where it comes from."""
    results = results_of(
        ("toolnexus", 100, "cold", 2.0),
        ("memsearch", 100, "cold", 60.0, "over"),
        ("toolnexus", 100, "memory", 300 * 2**20),
        ("memsearch", 100, "memory", 2**20),
        ("memsearch", 100, "add", 0.5),
    )
    results.remarks.append("memsearch, 100 notes: it ended at 'add': no milk")
    written = document(results)
    assert "| cold index | 2 s | > 60 s · ≥ 30 × |" in written
    assert "| peak memory | 300 MB | 1.0 MB · 0.00 × |" in written
    assert "| add one | – | 500 ms |" in written
    assert "no milk" in written
    assert "a quiet machine" in written
    results.save(tmp_path / "figures.json")
    assert document(Results.load(tmp_path / "figures.json")) == written


def test_a_lower_bound_that_is_too_low_shows_nothing():
    """What was measured at a smaller size alone may be far more at this one."""
    figures = [
        ("toolnexus", 10_000, "search", 1.0),
        ("memsearch", 1_000, "search", 2.0),
        ("contextseek", 10_000, "search", 7.0),
    ]
    assert verdicts(*figures) == {"search, median, 10,000 notes": None}
    worse = ("contextseek", 10_000, "search", 3.0)
    assert verdicts(*figures[:2], worse) == {"search, median, 10,000 notes": False}
