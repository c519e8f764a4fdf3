"""Properties of imagining, over generated homes: lawful, of live notes alone, and never twice."""

from __future__ import annotations

from datetime import timedelta

import pytest
from generated_homes import THINGS, VERBS, homes
from hypothesis import given, settings
from hypothesis import strategies as st
from imagining_homes import NOW

from toolnexus.evolve.imagining.choice import choose_ideas
from toolnexus.evolve.imagining.grounded import Source, find_objection
from toolnexus.evolve.imagining.material import gather, is_live
from toolnexus.evolve.imagining.telling import tell
from toolnexus.evolve.imagining.tried import Past, Try, past_value, read_past, tries_in
from toolnexus.evolve.imagining.writing import write_guess
from toolnexus.home.checks import check
from toolnexus.home.claims import all_claims
from toolnexus.home.drafts.draft import Draft
from toolnexus.home.snapshot import Snapshot

WORDS = ["harbour", "lantern", "Lyon", "tea", "rowing", "Zoë", "knee", "brief", "Mantel", "茶館"]
TAGS = ["travel", "tea", "health/knee", "Músic", "a b"]

claims = st.builds(
    lambda words, verb, thing: f"- {' '.join(words)} {verb} {thing}\n",
    st.lists(st.sampled_from(WORDS), min_size=1, max_size=4),
    st.sampled_from(VERBS),
    st.sampled_from(THINGS),
)
fronts = st.builds(
    lambda tags, extra: f"---\ntags: [{', '.join(tags)}]\n{extra}---\n",
    st.sets(st.sampled_from(TAGS), max_size=3).map(sorted),
    st.sampled_from(["", "", "", "status: proposed\n", "dream: false\n", "title: Tea\n"]),
)


@st.composite
def many_notes(draw) -> Snapshot:
    """Draw a home of up to sixteen notes that share words and tags."""
    files = {"MEMORY.md": "- Tea.\n"}
    for number in range(draw(st.integers(3, 16))):
        folder = draw(st.sampled_from(["", "", "a/", "archive/"]))
        body = "".join(draw(st.lists(claims, min_size=1, max_size=4)))
        files[f"memory/{folder}n{number}.md"] = draw(fronts) + body
    return Snapshot(name="ava").with_texts(files)


def imagine(home: Snapshot, tries: tuple[Try, ...] = ()) -> tuple[Draft, tuple[Try, ...]]:
    """Imagine once, as a run does, without a disk; return what was drafted and what was tried."""
    ideas = choose_ideas(gather(home), (*tries, *tries_in(home)))
    draft = Draft(home)
    for idea in ideas:
        assert draft.take(write_guess(draft.home, idea, tell(home, idea), NOW)[1])
    past = Past(tries).with_tries(ideas, "", NOW)
    return draft, past.tries


either = st.one_of(homes(), many_notes(), many_notes())


@pytest.mark.slow
@given(either)
@settings(max_examples=25)
def test_the_law_is_kept_and_nothing_else_changes(home):
    """Whatever the home: no law is broken, no claim comes or goes, and no other file is another."""
    draft, _ = imagine(home)
    assert (draft.violations(), draft.refused) == ((), [])
    assert set(draft.changed_paths()) == draft.home.notes.keys() - home.notes.keys()
    assert list(all_claims(draft.home)) == list(all_claims(home))
    assert check(draft.home) == check(home)


@given(many_notes())
@settings(max_examples=25)
def test_ideas_are_of_several_live_notes(home):
    """Each idea is of two live notes or more, and the words that it names stand in them all."""
    for idea in choose_ideas(gather(home), ()):
        assert len(idea.paths) == len(idea.sources) >= (3 if idea.phase == "consolidation" else 2)
        assert all(is_live(home.notes[path]) for path in idea.paths)
        for term in idea.terms:
            assert all(term in piece.terms for piece in idea.sources)
        if idea.phase == "divergence":
            one, other = idea.sources
            assert idea.topics[0] in one.tags
            assert idea.topics[1] in other.tags
            assert idea.topics[0] not in other.tags


@pytest.mark.slow
@given(many_notes())
@settings(max_examples=30)
def test_it_comes_to_an_end_and_repeats_nothing(home):
    """Run after run, with guesses kept or thrown away, no idea comes twice, and at last none."""
    tries: tuple[Try, ...] = ()
    seen: set[tuple[str, frozenset[str]]] = set()
    for round_ in range(60):
        draft, tries_now = imagine(home, tries)
        new = {(each.phase, each.paths) for each in tries_now[len(tries) :]}
        assert not new & seen
        if not new:
            return
        seen |= new
        tries = tries_now
        home = draft.home if round_ % 2 else home
    raise AssertionError("it goes on for ever")


@given(many_notes(), st.randoms(use_true_random=False))
@settings(max_examples=20)
def test_the_order_of_files_does_not_count(home, chance):
    """The same notes in another order bring the same ideas."""
    paths = list(home.notes)
    chance.shuffle(paths)
    texts = {path: home.text(path) for path in paths}
    other = Snapshot(name="ava").with_texts(texts)
    assert choose_ideas(gather(other), ()) == choose_ideas(gather(home), ())


WITHIN = "tea", "Lyon", "lantern", "keep", "x", "b1", "a"
MARKS = "`", "[[tea]]", "<!--", "-->", "#x", "- ", "1. ", "> ", "^b1", "|", "$$", "**tea**", "_x_"
texts = st.lists(
    st.sampled_from(WITHIN) | st.sampled_from(WITHIN) | st.sampled_from(MARKS) | st.text(max_size=2)
).map(" ".join)


@pytest.mark.slow
@given(texts)
@settings(max_examples=200)
def test_no_text_that_is_let_through_forges_anything(text):
    """What is let through is one claim with no link, pin, code or heading, in a lawful note."""
    sources = [Source(frozenset(), (f"{word} {' '.join(WITHIN)} {text}",)) for word in ("y", "z")]
    if find_objection(text, sources):
        return
    home = Snapshot(name="ava").with_texts(
        {f"memory/n{number}.md": f"- lantern harbour {number}\n" for number in range(3)}
    )
    (idea,) = choose_ideas(gather(home), ())
    guess, step = write_guess(home, idea, text, NOW)
    draft = Draft(home)
    assert draft.take(step), draft.refused
    found = draft.home.notes[guess.path].document
    assert len(found.claims) == 1
    assert (found.links, found.headings, found.structure) == ((), (), ())
    assert not found.claims[0].pinned


@given(
    st.lists(
        st.builds(
            Try,
            st.sampled_from(["consolidation", "divergence"]),
            st.frozensets(st.sampled_from(["memory/a.md", "memory/é.md"]), min_size=1),
            st.lists(st.text(max_size=5), max_size=3).map(tuple),
        ),
        max_size=5,
    ),
    st.sampled_from(["", "memory/work"]),
)
@settings(max_examples=25)
def test_what_is_kept_is_read_back(tries, scope):
    """Tries, times and what was seen come back as they were kept."""
    past = Past(tuple(tries), {scope: NOW}, {f"rule:{scope}": "abc"})
    assert read_past(past_value(past)) == past
    assert past.due_at(scope, timedelta(hours=6), NOW) == NOW + timedelta(hours=6)


@given(st.recursive(st.none() | st.integers() | st.text(max_size=5), st.lists, max_leaves=8))
@settings(max_examples=25)
def test_whatever_was_kept_is_read(value):
    """State of any shape is read as far as it makes sense, without an error."""
    for kept in (value, {"tries": value, "times": value, "seen": value}, {"times": {"": value}}):
        assert isinstance(read_past(kept), Past)
