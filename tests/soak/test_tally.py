"""The count of faults: nothing that is wrong goes uncounted, and the page gets what was counted."""

from __future__ import annotations

from conftest import BEGIN, END, write_between
from tally import Tally
from verdict import Verdict


def test_what_is_wrong_is_counted():
    """A fault that lost something was not survived; one that was never met is no fault."""
    tally = Tally()
    tally.count("kills", "dream", "kill", Verdict())
    tally.count("kills", "dream", "kill", Verdict(lost=["a", "b"], half=["c"], stale=["d"]))
    tally.count("kills", "rename", "kill", Verdict(hung=True, mistold=["e"]))
    tally.count("kills", "rename", "kill", Verdict(), faults=0)
    assert tally.total() == {
        "runs": 4, "faults": 3, "survived": 1, "lost": 2, "half": 1,
        "deadlocks": 1, "stale": 1, "mistold": 1,
    }  # fmt: skip


def test_counts_travel_and_add_up():
    """What several processes counted is one count, by harness, command and fault."""
    one, other, both = Tally(), Tally(), Tally()
    one.count("kills", "dream", "kill", Verdict())
    other.count("kills", "dream", "kill", Verdict())
    other.count("power", "dream", "power loss", Verdict(half=["x"]))
    both.add(one.to_json())
    both.add(other.to_json())
    assert "| kills | 2 | 2 | 2 | 0 | 0 | 0 | 0 | 0 |" in both.table(0)
    assert "| **all** | 3 | 3 | 2 | 0 | 1 | 0 | 0 | 0 |" in both.table(0)
    assert both.table(1)[-1] == "| dream | 3 | 3 | 2 | 0 | 1 | 0 | 0 | 0 |"


def test_the_page_keeps_what_is_around_the_report(tmp_path):
    """Only what stands between the marks is written anew."""
    page = tmp_path / "faults.md"
    page.write_text(f"# Faults\n{BEGIN}\nold\n{END}\nMore.\n")
    write_between(page, "new\n")
    assert page.read_text() == f"# Faults\n{BEGIN}\nnew\n\n{END}\nMore.\n"
