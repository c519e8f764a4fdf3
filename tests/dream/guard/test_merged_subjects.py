"""Merges by a model: what is said of one is not said of another because their notes became one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from toolnexus.agent.memory_actions import MemoryArguments
from toolnexus.dream.desk import Desk
from toolnexus.dream.guard import Facts
from toolnexus.errors import UsageError
from toolnexus.home.drafts.draft import Draft
from toolnexus.home.operations.merge import merge_notes
from toolnexus.home.snapshot import Snapshot

if TYPE_CHECKING:
    from collections.abc import Sequence

    from toolnexus.transcripts.turn import Turn

INES, CLARA = "memory/ines.md", "memory/clara.md"


class NoTurns:
    """Transcripts in which nothing was said."""

    def find_turn(self, _conversation: str, _ref: int | str) -> Turn | None:
        """No turn."""
        return None

    def turns_around(self, _conversation: str, _number: int, _count: int) -> Sequence[Turn]:
        """No turns."""
        return ()

    def turns_about(self, _words: str) -> Sequence[Turn]:
        """No turns."""
        return ()


def home_of(ines: str, clara: str) -> Snapshot:
    return Snapshot(name="ava").with_texts({INES: ines, CLARA: clara})


def merge(home: Snapshot, text: str = "") -> Draft:
    """Merge Clara's note into that of Ines as a dreaming model does."""
    draft = Draft(home)
    desk = Desk(draft, Facts(NoTurns()))
    texts = (text,) if text else ()
    desk.perform("merge", MemoryArguments(from_=("clara",), to="ines", texts=texts))
    return draft


TWO = home_of("# Ines\n\n- Has a dog.\n", "# Clara\n\n- Has no dog.\n")


def test_what_moves_keeps_the_title_it_was_said_under() -> None:
    """Clara's claim does not become one of Ines's."""
    draft = merge(TWO)
    assert draft.home.text(INES).endswith("# Ines\n\n- Has a dog.\n\n## Clara\n\n- Has no dog.\n")
    assert draft.violations() == ()


def test_sections_and_notes_without_a_heading_move_as_well() -> None:
    """Headings go along below the title, also where the title is only the file's name."""
    home = home_of("- Has a dog.\n", "- Rents.\n\n## Pets\n\n- Has no dog.\n")
    draft = merge(home)
    assert "## clara\n\n- Rents.\n\n### Pets\n\n- Has no dog.\n" in draft.home.text(INES)
    assert draft.violations() == ()


def test_what_both_say_is_still_folded() -> None:
    """A note whose every claim the other one makes goes without a heading of its own."""
    draft = merge(home_of("# Ines\n\n- Has a dog.\n- Rents.\n", "# Clara\n\n- Has a dog.\n"))
    assert draft.home.text(INES).endswith("# Ines\n\n- Has a dog.\n- Rents.\n")


def test_a_body_that_mixes_two_subjects_is_refused() -> None:
    """A body of the model's that puts the claim under the other title changes nothing."""
    with pytest.raises(UsageError) as refused:
        merge(TWO, "# Ines\n\n- Has a dog.\n- Has no dog.\n")
    assert "heading with the title" in refused.value.hint


def test_a_body_that_tells_them_apart_is_taken() -> None:
    """The body that the refusal asks for is accepted."""
    body = "# Ines\n\n- Has a dog.\n\n## Clara\n\n- Has no dog.\n"
    assert merge(TWO, body).home.text(INES).endswith(body)


def test_the_law_itself_keeps_two_subjects_apart() -> None:
    """A step that mixes them is never taken, whoever asks for it."""
    draft = Draft(TWO)
    assert not draft.take(merge_notes(TWO, "clara", "ines"))
    assert draft.home is TWO
