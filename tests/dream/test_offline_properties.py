"""Properties of the offline pass, over generated homes: nothing is lost, and twice is once."""

from __future__ import annotations

from collections import Counter

from hypothesis import given, note, settings
from hypothesis import strategies as st

from toolnexus.dream.demotion import is_over
from toolnexus.dream.passes import draft_pass
from toolnexus.home.claims import all_claims
from toolnexus.home.resolve import resolve
from toolnexus.home.snapshot import IndexCap, Snapshot

SUBJECTS = ["Ines", "Clara", "the flat", "Tea", "LH1234", "Zoë", "the car"]
VERBS = ["likes", "never likes", "lives in", "costs", "needs", "**moved to**"]
THINGS = ["Lyon", "Paris", "3 euros", "4 euros", "green tea.", "tea", "the 3rd of May"]
SLUGS = ["travel", "tea", "ines", "clara-mendes", "flights-2025", "flights-2026", "bills-and-meters"]
LINKS = [*SLUGS, "bills-and-metres", "clara-mends", "flights-2024", "nowhere", "Tea", "travel#Plans"]
HEADINGS = ["Ines", "Clara", "Travel", "Tea", "Plans"]

sentences = st.builds(
    lambda a, b, c, end: f"{a} {b} {c}{end}",
    st.sampled_from(SUBJECTS),
    st.sampled_from(VERBS),
    st.sampled_from(THINGS),
    st.sampled_from(["", ".", ":", " <!-- keep -->", "  "]),
)
linked = st.builds(
    lambda words, link, mark: f"{words}: {mark.format(link)}",
    st.sampled_from(["See", "More", "Details about Ines", "Plans"]),
    st.sampled_from(LINKS),
    st.sampled_from(["[[{}]]", "[[{}|there]]", "`[[{}]]`", "[x]({}.md)"]),
)
words = st.one_of(sentences, sentences, linked)
blocks = st.one_of(
    words.map("- {}".format),
    words.map("- {}".format),
    words.map("* {}".format),
    st.tuples(words, words).map(lambda pair: f"- {pair[0]}\n  - {pair[1]}"),
    st.tuples(words, words).map(lambda pair: f"1. {pair[0]}\n2. {pair[1]}"),
    words.map("\n{}\n".format),
    words.map("> {}\n".format),
    words.map("```\n{}\n```".format),
    words.map("    {}".format),
    st.just("| a | b |\n|---|---|\n| 1 | 2 |\n"),
    st.just("<!-- a note to myself -->"),
    st.just("---\n"),
    st.just(""),
)
sections = st.builds(
    lambda level, title, body: "\n".join([f"{'#' * level} {title}", "", *body, ""]),
    st.integers(2, 3),
    st.sampled_from(HEADINGS),
    st.lists(blocks, max_size=6),
)


@st.composite
def texts(draw, title: str):
    """Draw a Markdown file as people write them."""
    front = draw(st.sampled_from(["", "", "---\ntags: [a, b]\n---\n", f"---\ntitle: {title}\n---\n"]))
    head = draw(st.sampled_from([f"# {title}\n\n", "", f"{title}\n=====\n\n"]))
    body = "\n".join(draw(st.lists(blocks, max_size=6)))
    text = f"{front}{head}{body}\n\n" + "\n".join(draw(st.lists(sections, max_size=3)))
    if draw(st.booleans()):
        text = text.rstrip("\n")
    newline = draw(st.sampled_from(["\n", "\n", "\r\n"]))
    return text.replace("\n", newline)


@st.composite
def homes(draw):
    """Draw a home: an index with a small cap, and notes, some of them twins."""
    files = {"SOUL.md": "You are Ava.\n", "MEMORY.md": draw(texts("Memory"))}
    for slug in draw(st.sets(st.sampled_from(SLUGS), max_size=5)):
        files[f"memory/{slug}.md"] = draw(texts(draw(st.sampled_from([slug.capitalize(), "Tea"]))))
    if draw(st.booleans()) and "memory/tea.md" in files:
        files["memory/sub/tea-notes.md"] = files["memory/tea.md"]
    if draw(st.booleans()):
        files["memory/2026-03-14.md"] = draw(texts("Daily"))
    cap = IndexCap(lines=draw(st.sampled_from([5, 12, 200])), bytes=25_600)
    return Snapshot(name="ava", cap=cap).with_texts(files)


@given(homes())
@settings(max_examples=150)
def test_the_law_is_kept(home):
    """Whatever the home, the pass as a whole keeps the conservation law."""
    draft = draft_pass(home, {})
    for change in draft.changes:
        note(repr(change))
    assert draft.violations() == ()


@given(homes())
@settings(max_examples=150)
def test_every_claim_still_stands(home):
    """Each claim's words stand in the home afterwards, as often as they differ in context."""
    draft = draft_pass(home, {})
    after = Counter(claim.claim.fold for claim in all_claims(draft.home))
    links = {change.before for change in draft.changes if change.kind == "relinked"}
    for claim in all_claims(home):
        if "[" not in claim.claim.text:
            assert after[claim.claim.fold], claim.claim.text
        else:
            assert links or after or draft.moved


@given(homes())
@settings(max_examples=150)
def test_twice_is_once(home):
    """A second pass over what the first one left changes nothing."""
    first = draft_pass(home, {})
    second = draft_pass(first.home, dict(first.moved))
    assert [(c.kind, c.path, c.before) for c in second.changes] == []


@given(homes())
@settings(max_examples=150)
def test_pins_sources_and_soul_are_left_alone(home):
    """Daily notes and SOUL.md keep every byte, and pinned claims their words and their place."""
    draft = draft_pass(home, {})
    for path in ("SOUL.md", "memory/2026-03-14.md"):
        assert home.text(path) == draft.home.text(path)
    for path, before in home.notes.items():
        kept = draft.moved.get(path, path)
        pinned = [claim.fold for claim in before.document.claims if claim.pinned]
        after = [claim.fold for claim in draft.home.notes[kept].document.claims if claim.pinned]
        assert Counter(pinned) <= Counter(after)


@given(homes())
@settings(max_examples=150)
def test_links_lead_where_they_led(home):
    """A link that resolved in a file that stays leads to the same note, or to where it went."""
    draft = draft_pass(home, {})
    for path, before in home.notes.items():
        if path not in draft.home.notes or path == "MEMORY.md" or path in draft.moved.values():
            continue
        old = [resolve(home.names, path, link).path for link in before.document.links]
        new = [
            resolve(draft.home.names, path, link).path
            for link in draft.home.notes[path].document.links
        ]
        for target in (t for t in old if t is not None):
            assert draft.moved.get(target, target) in new


@given(homes())
@settings(max_examples=150)
def test_an_index_over_its_cap_shrinks_or_is_told(home):
    """After a pass MEMORY.md is under its cap, or nothing in it may move."""
    draft = draft_pass(home, {})
    before, after = home.text("MEMORY.md"), draft.home.text("MEMORY.md")
    if any(change.kind == "demoted" for change in draft.changes):
        assert is_over(home)
        assert len(after.splitlines()) < len(before.splitlines())
