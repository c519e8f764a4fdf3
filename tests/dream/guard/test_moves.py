"""Moves by a model: no heading, note or link says what nobody said."""

from __future__ import annotations

import pytest
from test_merged_subjects import NoTurns, home_of

from toolnexus.agent.memory_actions import MemoryArguments
from toolnexus.dream.desk import Desk
from toolnexus.dream.guard import Facts
from toolnexus.dream.guard.titles import person_named, unsaid_word
from toolnexus.errors import UsageError
from toolnexus.home.drafts.draft import Draft
from toolnexus.home.snapshot import Snapshot

MEMORY = (
    "# Memory\n\n- Lives in Paris.\n- Plays chess in Berlin.\n- Never eats nuts.\n"
    "- Anna hates Tom.\n\n## Ingrid\n\n- Likes trains.\n"
)


def desk_on(memory: str = MEMORY, **notes: str) -> Desk:
    texts = {f"memory/{name.replace('_', '-')}.md": text for name, text in notes.items()}
    home = Snapshot(name="ava", owner="Maria").with_texts({"MEMORY.md": memory, **texts})
    return Desk(Draft(home), Facts(NoTurns(), owner="Maria"))


def demote(desk: Desk, text: str, to: str, title: str = "") -> str:
    arguments = MemoryArguments(texts=(text,), to=to, title=title)
    desk.perform("demote", arguments)
    return desk.draft.home.text(f"memory/{to}.md") or ""


@pytest.mark.parametrize(
    ("claim", "slug", "title"),
    [
        ("Plays chess in Berlin.", "ex-husband-in-prison", ""),
        ("Plays chess in Berlin.", "notes", "Ex husband in prison"),
        ("Plays chess in Berlin.", "plays-in-rome", ""),
        ("Plays chess in Berlin.", "no-chess", ""),
        ("Plays chess in Berlin.", "former-hobbies", ""),
        ("Plays chess in Berlin.", "chess-1999", ""),
        ("Never eats nuts.", "eats-nuts", ""),
        ("Anna hates Tom.", "tom-hates-anna", ""),
        ("Lives in Paris.", "ingrid", ""),
        ("Lives in Paris.", "schwester", ""),
        ("Lives in Paris.", "has-cats", ""),
    ],
)
def test_a_new_note_is_named_by_what_goes_there(claim: str, slug: str, title: str) -> None:
    """A name that says more than the claims is refused, and nothing has moved."""
    desk = desk_on()
    with pytest.raises(UsageError, match="the title says") as refused:
        demote(desk, claim, slug, title)
    assert "Notes" in (refused.value.hint or "")
    assert not desk.draft.steps


@pytest.mark.parametrize(
    ("claim", "slug", "title"),
    [
        ("Plays chess in Berlin.", "chess", ""),
        ("Plays chess in Berlin.", "chess-in-berlin", "Chess in Berlin"),
        ("Plays chess in Berlin.", "hobbies", "Hobbies and more"),
        ("Plays chess in Berlin.", "freizeit", "Freizeit"),
        ("Plays chess in Berlin.", "loisirs-2", "Loisirs"),
        ("Plays chess in Berlin.", "maria", "About Maria"),
        ("Never eats nuts.", "nuts", ""),
        ("Never eats nuts.", "never-eats-nuts", ""),
        ("Anna hates Tom.", "anna-and-tom", ""),
        ("Likes trains.", "ingrid", "Ingrid"),
    ],
)
def test_a_name_of_the_claims_own_words_is_taken(claim: str, slug: str, title: str) -> None:
    """Words of the claims, of the headings over them, and words that only file things away."""
    assert claim in demote(desk_on(), claim, slug, title)


@pytest.mark.parametrize(
    "note",
    [
        "# Ingrid\n\n- Aunt.\n",
        "# My sister\n\n- Tall.\n",
        "---\naliases: [Tante]\n---\n# K\n\n- Tall.\n",
        "# Bebe\n\n- Bebe's cat is old.\n",
        "# Bebe\n\n- Since May Bebe, she is a nurse, is in Rome.\n",
    ],
)
def test_a_claim_is_not_moved_to_somebody_else(note: str) -> None:
    """Of the owner's claim a note about a person would make that person's."""
    desk = desk_on(other=note)
    with pytest.raises(UsageError, match="is about"):
        demote(desk, "Lives in Paris.", "other")


def test_a_claim_moves_to_the_one_it_names() -> None:
    """What stands under a person's heading, or names them, belongs into their note."""
    desk = desk_on(ingrid="# Ingrid\n\n- Aunt.\n", anna="# Anna\n\n- Tall.\n")
    assert "Likes trains." in demote(desk, "Likes trains.", "ingrid")
    assert "Anna hates Tom." in demote(desk, "Anna hates Tom.", "anna")


def test_a_claim_moves_to_a_note_about_things() -> None:
    """A note that is about no person takes claims as before."""
    desk = desk_on(knitting="# Knitting\n\n- Scarves.\n")
    assert "Plays chess" in demote(desk, "Plays chess in Berlin.", "knitting")


@pytest.mark.parametrize("title", ["Lies people tell", "Not so", "Ehemaliges"])
def test_a_title_that_turns_what_stands_under_it_takes_nothing_in(title: str) -> None:
    """A claim is not filed among what is not so."""
    with pytest.raises(UsageError, match="something else"):
        demote(desk_on(k=f"# {title}\n\n- x.\n"), "Lives in Paris.", "k")


def merged(text: str) -> str:
    home = home_of("# Ines\n\n- Has a dog.\n", "# Clara\n\n- Has no dog.\n")
    desk = Desk(Draft(home), Facts(NoTurns()))
    desk.perform("merge", MemoryArguments(from_=("clara",), to="ines", texts=(text,)))
    return desk.draft.home.text("memory/ines.md") or ""


def test_a_merge_makes_no_heading_up() -> None:
    """A body of the model's keeps the claims, and may not put a new word over them."""
    with pytest.raises(UsageError, match="the title says"):
        merged("# Ines\n\n## Once in prison\n\n- Has a dog.\n\n## Clara\n\n- Has no dog.\n")
    body = "# Ines\n\n- Has a dog.\n\n## Clara\n\n- Has no dog.\n"
    assert merged(body).endswith(body)


@pytest.mark.parametrize(
    "text",
    [
        "---\ntags: [prison]\n---\n# Ines\n\n- Has a dog.\n\n## Clara\n\n- Has no dog.\n",
        "---\ntitle: Spy\n---\n# Ines\n\n- Has a dog.\n\n## Clara\n\n- Has no dog.\n",
        "# Ines\n\n- Has a dog. <!-- keep -->\n\n## Clara\n\n- Has no dog.\n",
    ],
)
def test_a_merge_makes_no_front_matter_and_no_pin_up(text: str) -> None:
    """What stands above a note, and what is pinned, is a person's word."""
    with pytest.raises(UsageError, match="neither note says"):
        merged(text)


def relink(desk: Desk, text: str, with_: str) -> None:
    desk.perform("relink", MemoryArguments(texts=(text,), with_=with_))


LINKS = "- Likes knitting: [[k]]\n- Went: [[trip-ghent]], [[flights-2025]], [[wool|yarn shop]].\n"


@pytest.mark.parametrize(("text", "to"), [("k", "other"), ("flights-2025", "flights-2026")])
def test_a_link_is_pointed_at_no_guess(text: str, to: str) -> None:
    """A note whose name has nothing of the link's is refused, other digits as well."""
    desk = desk_on(LINKS, other="# Other\n\n- x.\n", flights_2026="# Flights\n\n- y.\n")
    with pytest.raises(UsageError, match="names"):
        relink(desk, text, to)
    assert not desk.draft.steps
    assert not desk.waiting


@pytest.mark.parametrize(
    ("text", "note"),
    [
        ("trip-ghent", "# Ghent\n\n- x.\n"),
        ("trip-ghent", "---\naliases: [Trip of May]\n---\n# Away\n\n- x.\n"),
        ("trip-ghent", "---\ntags: [ghent]\n---\n# Away\n\n- x.\n"),
        ("wool", "# Yarn\n\n- x.\n"),
    ],
)
def test_a_link_goes_to_a_note_that_it_names(text: str, note: str) -> None:
    """A word of the link's, or of its label, that the note is known by."""
    desk = desk_on(LINKS, there=note)
    relink(desk, text, "there")
    assert desk.draft.steps


def test_a_link_that_may_have_meant_a_note_waits() -> None:
    """Letters alone are no proof: a person decides."""
    desk = desk_on("- See [[kettle-pan]].\n", settle_pans="# Settle pans\n\n- x.\n")
    relink(desk, "kettle-pan", "settle-pans")
    assert desk.draft.steps  # they share a word
    desk = desk_on("- See [[kettles]].\n", settle="# Settle\n\n- x.\n")
    relink(desk, "kettles", "settle")
    assert not desk.draft.steps
    assert [c.kind for step in desk.waiting for c in step.changes] == ["relinked"]


def test_names_are_told_from_words_that_file_away() -> None:
    """In all five languages a relation names somebody, and a topic does not."""
    assert all(map(person_named, ("Bruder", "Sœur", "Hermana", "Irmã", "Mother")))
    assert not any(map(person_named, ("Reisen", "Santé", "Trabajo", "Saúde", "Health")))
    for topic in ("Gesundheit", "Voyages", "Recetas", "Viagens", "Recipes and more"):
        assert unsaid_word(topic, ()) == ""
