"""The dream log's entries: readable, and never to be forged by what they quote."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from toolnexus.change.log import count_words, escape_quoted, render_entry, unescape_quoted
from toolnexus.change.log_reading import read_entries
from toolnexus.change.plan import Change, Evidence, Plan
from toolnexus.clock import parse_instant
from toolnexus.text.document import parse_document

NOW = parse_instant("2026-11-29T03:00:12Z")


def test_an_entry_tells_what_was_done():
    """A pass is one item with counts and id, and a nested item for each change with its quote."""
    quote = Evidence("2026-11-20-move", 14, "we finally moved to Berlin", "user")
    plan = Plan(
        "dream",
        changes=(
            Change(
                "corrected", "MEMORY.md", 3, "Lives in Paris", "Lives in Berlin", evidence=(quote,)
            ),
            Change("demoted", "MEMORY.md", 4, "Prefers window seats", to="memory/travel.md"),
        ),
        summary={"unresolved": 1},
    )
    assert render_entry(plan, "20261129T030012Z-3f2a", NOW) == (
        "- 2026-11-29T03:00:12Z dream: 1 corrected, 1 demoted, 1 unresolved"
        " (20261129T030012Z-3f2a)\n"
        '  - corrected MEMORY.md: "Lives in Paris" → "Lives in Berlin"'
        ' — user, 2026-11-20-move#14: "we finally moved to Berlin"\n'
        '  - demoted MEMORY.md → [[travel]]: "Prefers window seats"\n'
    )


def test_one_link_is_told_in_the_singular():
    """Counts read as a person would write them."""
    one = Change("relinked", "MEMORY.md", 1, "[[a]]", "[[b]]", "memory/b.md")
    assert count_words(Plan("dream", changes=(one,))) == "1 link repaired"
    assert count_words(Plan("dream", changes=(one, one))) == "2 links repaired"


@given(st.text(), st.text(), st.text())
def test_no_text_can_forge_an_entry_or_a_link(before, quote, conversation):
    """Whatever is quoted, an entry with one change stays two lines with no link of its own."""
    change = Change(
        "corrected", "a.md", 1, before, "x", evidence=(Evidence(conversation, 1, quote, "user"),)
    )
    entry = render_entry(Plan("dream", changes=(change,)), "id", NOW)
    assert len(entry.splitlines()) == 2
    assert entry.startswith("- 2026-11-29T03:00:12Z dream: 1 corrected (id)\n  - corrected a.md")
    assert not [link for link in parse_document(entry).links if link.kind != "markdown"]
    assert "<!--" not in entry


def test_long_quotes_are_cut():
    """A quote of a whole page does not flood the log."""
    assert len(escape_quoted("word " * 1000)) <= 300


def test_a_folded_duplicate_is_told_in_its_file():
    """A claim that stood twice in a file is not told as a merge of notes."""
    change = Change("merged", "MEMORY.md", 4, "Likes tea", to="MEMORY.md")
    entry = render_entry(Plan("dream", changes=(change,)), "id", NOW)
    assert '  - merged in MEMORY.md: "Likes tea" stands there twice\n' in entry


WORDS = st.text(
    st.characters(codec="utf-8", exclude_characters='"→—\x85\u2028\u2029'), min_size=1, max_size=30
)
PATHS = st.sampled_from(["MEMORY.md", "memory/tea.md", "memory/a b.md"])
CITED = st.builds(
    Evidence,
    st.sampled_from(["2026-11-20-move", "a talk"]),
    st.integers(1, 99),
    WORDS.map(lambda words: unescape_quoted(escape_quoted(words))),
    st.sampled_from(["user", ""]),
)
CHANGES = st.one_of(
    st.builds(Change, st.sampled_from(["corrected", "relinked"]), PATHS, st.just(0), WORDS, WORDS,
              evidence=st.lists(CITED, max_size=2).map(tuple)),
    st.builds(Change, st.just("dropped"), PATHS, st.just(0), WORDS,
              evidence=st.lists(CITED, max_size=2).map(tuple)),
    st.builds(Change, st.sampled_from(["added", "written"]), PATHS, st.just(0), st.just(""), WORDS),
    st.builds(Change, st.sampled_from(["demoted", "merged", "renamed"]), PATHS, st.just(0), WORDS,
              to=st.just("memory/travel.md")),
)  # fmt: skip


@given(changes=st.lists(CHANGES, max_size=4))
def test_what_was_logged_is_read_again(changes):
    """Ids, times, kinds, places, words and evidence come back from the log as they went in."""
    entry = render_entry(Plan("dream", changes=tuple(changes)), "20261129T030012Z-3f2a", NOW)
    (read,) = read_entries(f"# Log\n\n{entry}")
    assert (read.id, read.time, read.job) == (
        "20261129T030012Z-3f2a",
        "2026-11-29T03:00:12Z",
        "dream",
    )
    for logged, change in zip(read.changes, changes, strict=True):
        assert (logged.kind, logged.path, logged.evidence) == (
            change.kind,
            change.path,
            change.evidence,
        )
        for told, was in ((logged.before, change.before), (logged.after, change.after)):
            assert change.kind == "renamed" or told == unescape_quoted(escape_quoted(was))


@given(text=st.text(st.sampled_from(list('- (a1):"→—#\n \\')) | st.characters(codec="utf-8")))
def test_no_log_is_too_odd_to_be_shown(text):
    """Whatever stands in the file, only top items can be entries, each with an id and a time."""
    entries = read_entries(text)
    assert len(entries) <= sum(line.startswith("- ") for line in text.splitlines())
    assert all(entry.id and entry.time for entry in entries)
