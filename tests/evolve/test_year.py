"""The first weeks of the simulated year: nothing is lost, and the memory stays in bounds."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2]))

from benchmarks.year import Year, claims_of, main, page
from benchmarks.year_story import weeks

pytestmark = pytest.mark.slow
WEEKS = 3


@pytest.fixture(scope="module")
def year(tmp_path_factory):
    """Three weeks of the sample persona, in the last of which a price changes."""
    return Year(tmp_path_factory.mktemp("year") / "ava", asks=False).live(WEEKS)


def test_nothing_is_lost(year):
    """Each claim that is gone is explained by a change; all else that was said is there."""
    assert year.lost == []
    kept = claims_of(year.open().read())
    told = [fact for week in weeks(year.begin, WEEKS) for fact in week.facts]
    before = {each.before for week in weeks(year.begin, WEEKS) for each in week.overtaken}
    assert len(told) > 8
    assert {fact for fact in told if fact not in before and not _stands(fact, kept)} == set()


def test_what_was_overtaken_is_corrected(year):
    """The price that changed is the new one, and stands there once."""
    (overtaken,) = [each for week in weeks(year.begin, WEEKS) for each in week.overtaken]
    kept = claims_of(year.open().read())
    assert (_stands(overtaken.after, kept), _stands(overtaken.before, kept)) == (True, False)
    assert year.corrected == 1


def test_the_index_stays_under_its_cap(year):
    """At the end of each month MEMORY.md is within its cap, though it grows each week."""
    assert year.months
    for month in year.months:
        assert month.index_lines <= year.cap[0]
        assert month.index_bytes <= year.cap[1]


def test_guesses_come_and_none_comes_twice(year):
    """Each week brings guesses, none of them of the same notes as one before."""
    assert len(year.guesses) > WEEKS
    assert len(set(year.guesses)) == len(year.guesses)
    assert year.months[-1].guesses + year.months[-1].faded == len(year.guesses)


def test_a_week_without_anything_new_changes_nothing(year):
    """Dreaming, compacting and imagining once more, a week later, write nothing."""
    year.time.sleep(7 * 86_400)
    home = year.open()
    before = {path: home.read().text(path) for path in home.read().notes}
    assert not year.open().dream().wrote
    assert not year.open().imagine().wrote
    after = year.open().read()
    assert {path: after.text(path) for path in after.notes} == before


def test_the_page_tells_each_month(year):
    """The page has a row for each month, in the table's columns."""
    rows = [line for line in page(year, WEEKS).splitlines() if line.startswith("| 20")]
    assert len(rows) == len(year.months)
    assert all(row.endswith("| 0 |") for row in rows)


def test_the_committed_page_lost_nothing():
    """The page in docs/ tells of a whole year, month by month, with nothing lost."""
    told = (Path(__file__).parents[2] / "docs/ripening-year.md").read_text("utf-8")
    rows = [line for line in told.splitlines() if line.startswith("| 20")]
    assert len(rows) >= 12
    assert all(row.endswith("| 0 |") for row in rows)


def test_a_wrong_call_is_told():
    """The command wants a number of weeks."""
    with pytest.raises(SystemExit):
        main(["--weeks", "many"])


def _stands(text, kept):
    from benchmarks.year import _keys

    return bool(set(_keys(text)) & kept)
