"""Checking anew after a change: cheaper than a whole check, and never another answer."""

from __future__ import annotations

import pytest
from counted_calls import calls_of
from generated_homes import homes
from hypothesis import given, settings
from hypothesis import strategies as st

from toolnexus.home.checks import check
from toolnexus.home.finding import Finding
from toolnexus.home.rechecks import recheck
from toolnexus.home.snapshot import Snapshot

OTHERS = Finding("transcripts/a.jsonl", 3, "torn-transcript", "error", "it is torn", "")


@pytest.mark.slow
@given(data=st.data())
@settings(max_examples=20)
def test_a_recheck_says_what_a_whole_check_would_say(data):
    """After any few edits, new files, deletions and renames both give the same findings."""
    home, other = data.draw(homes()), data.draw(homes())
    findings = check(home, [OTHERS])
    for _ in range(3):
        paths = [*home.notes, *other.notes, "images/map.png"]
        changed = data.draw(st.lists(st.sampled_from(paths), min_size=1, max_size=3, unique=True))
        texts = [*map(other.text, other.notes), *map(home.text, home.notes), "", None, None]
        changes = {path: data.draw(st.sampled_from(texts)) for path in changed}
        after = home.with_texts(changes)
        findings = recheck(home, findings, after, changes)
        whole = Snapshot(name=home.name, owner=home.owner, layout=home.layout, cap=home.cap)
        fresh = whole.with_texts(
            {path: after.text(path) for path in after.notes} | dict.fromkeys(after.assets, "")
        )
        assert findings == check(fresh, [OTHERS])
        home = after


def test_an_edit_costs_no_walk_through_every_note():
    """Rechecking one of many notes makes few calls, where a whole check makes some for each."""
    texts = {f"memory/n{n}.md": f"# N {n}\n- One claim, see [[n{n // 2}]].\n" for n in range(800)}
    home = Snapshot(name="ava").with_texts(texts)
    findings = check(home)
    after = home.with_texts({"memory/n7.md": "# N 7\n- Another claim, see [[nowhere]].\n"})
    whole = calls_of(lambda: check(home))
    assert calls_of(lambda: recheck(home, findings, after, ["memory/n7.md"])) < whole / 4
