# ruff: noqa: DTZ001 - what a clock on the wall shows has no zone
from __future__ import annotations

from datetime import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolnexus.heartbeat.agenda import Agenda, key_of, read_agenda
from toolnexus.text.document import parse_document

TEXT = """\
# Heartbeat

Look at the garden.

## Tasks

- [ ] Water the plants (every 3d at 09:00)
  - the ferns, too
    - twice
- [ ] Renew the passport (at 2027-01-15)

  ```
  form 17
  ```
- [ ] Call at noon (at 12:00)
- Post the cards (at 2026-12-01)
- [x] Book the dentist (at 2026-11-20)
- [ ] Keep an eye on the build
"""


def agenda_of(text: str) -> Agenda:
    return read_agenda(text, parse_document(text))


def test_prose_and_tasks_are_told_apart():
    """Tasks, their details and those that cannot be read are no prose; the rest is."""
    agenda = agenda_of(TEXT)
    assert [entry.task.text for entry in agenda.open] == [
        "Water the plants",
        "Renew the passport",
        "Post the cards",
        "Keep an eye on the build",
    ]
    assert agenda.entries[0].details == ("  - the ferns, too", "    - twice")
    assert [problem.line for problem in agenda.problems] == [15]
    assert agenda.has_prose
    assert not agenda_of(TEXT.replace("Look at the garden.\n", "")).has_prose


@pytest.mark.parametrize(
    ("text", "is_empty", "has_prose"),
    [
        ("", True, False),
        ("# Heartbeat\n\n<!-- nothing yet -->\n\n## Tasks\n- [ ]\n", True, False),
        ("## Tasks\n- [x] done (at 2026-01-01)\n", False, False),
        ("## Tasks\n- [ ] Pay (at noon)\n", False, False),
        ("## Tasks\nAlways be kind.\n", False, True),
        ("- [ ] outside of Tasks\n", False, True),
        ("```\nrun this\n```\n", False, True),
    ],
)
def test_emptiness_and_prose_are_judged_by_structure(text, is_empty, has_prose):
    """Headings, comments and empty items ask for nothing; words outside of tasks are prose."""
    agenda = agenda_of(text)
    assert (agenda.is_empty, agenda.has_prose) == (is_empty, has_prose)


def test_only_due_tasks_are_shown():
    """Tasks that are not due, are ticked or cannot be read go, with all that is nested in them."""
    shown = agenda_of(TEXT).shown({"post the cards"})
    assert shown == (
        "# Heartbeat\n\nLook at the garden.\n\n## Tasks\n\n- Post the cards (at 2026-12-01)\n"
    )
    assert agenda_of(TEXT).shown(set()).rstrip().endswith("Look at the garden.\n\n## Tasks")
    assert "form 17" in agenda_of(TEXT).shown({"renew the passport"})


def test_a_box_is_ticked_and_every_other_byte_stays():
    """The task of that text and moment is ticked, with a box where it has none."""
    text = "\ufeff" + TEXT.replace("\n", "\r\n") + "- [ ] Post the cards (at 2026-12-24)"
    ticks = {("post the cards", datetime(2026, 12, 1)), ("renew the passport", datetime(1, 1, 1))}
    ticked = agenda_of(text).ticked(ticks)
    assert ticked == text.replace(
        "- Post the cards (at 2026-12-01)", "- [x] Post the cards (at 2026-12-01)"
    )
    assert [task.line for task in agenda_of(text).matching(ticks)] == [16]


def test_equal_texts_are_one():
    """White space and case do not make another task of a text."""
    assert key_of("Water  the\nplants") == key_of("water the Plants")


LINES = st.sampled_from(
    ["- [ ] A (every 1d)", "- [ ] A (at 2026-01-01)", "  - B", "    - [ ] C (cron 0 9 * * *)",
     "- [x] D", "- E (at noon)", "text", "## Tasks", "# Other", "", "<!-- c -->", "```", "---",
     "> q", "1. [ ] F (at 2027-01-01)", "\tcode", "| a | b |", "|---|---|",
     "- - G (at 2026-01-02)"],
)  # fmt: skip


@given(st.lists(LINES, max_size=14).map("\n".join), st.sets(st.sampled_from("abcdfg"), max_size=3))
def test_any_file_can_be_read_shown_and_ticked(text, due):
    """What is shown is made of the file's own lines, and a tick adds three characters at most."""
    agenda = agenda_of(f"## Tasks\n{text}\n")
    lines = agenda.text.split("\n")
    assert all(line in lines for line in agenda.shown(due).split("\n"))
    ticks = {(entry.key, datetime(2026, 1, day)) for entry in agenda.open for day in (1, 2)}
    again = agenda_of(agenda.ticked(ticks))
    assert not again.matching(ticks)
    assert len(again.entries) == len(agenda.entries)
