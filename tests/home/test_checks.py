"""Checks: every rule on the smallest home that breaks it, and on one that does not."""

from __future__ import annotations

import pytest
from counted_calls import calls_of

from toolnexus.home.checks import RULES, check
from toolnexus.home.finding import Finding
from toolnexus.home.layout import LAYOUTS, SOUL_CAP_BYTES
from toolnexus.home.note import Note
from toolnexus.home.snapshot import IndexCap, Snapshot
from toolnexus.text.document import parse_document
from toolnexus.text.types import Document

CLEAN = {"MEMORY.md": "- [[tea]]\n", "memory/tea.md": "# Tea\n- Green, no sugar.\n"}


def findings(texts: dict[str, str], layout: str = "persona", **settings) -> list[Finding]:
    """Check a home of these texts."""
    return check(Snapshot(name="ava", layout=LAYOUTS[layout], **settings).with_texts(texts))


def told(found: list[Finding]) -> list[tuple[str, int, str, str]]:
    """Reduce findings to what a rule promises."""
    return [(each.path, each.line, each.rule, each.severity) for each in found]


def test_a_clean_home_has_no_findings():
    """Nothing is made up where nothing is wrong."""
    assert findings(CLEAN) == []
    assert check(Snapshot(name="ava")) == []


DAY = "memory/2026-01-01.md"
BREAKAGES = [
    ({"SOUL.md": "a\n\n[[lost]]\n"}, ("SOUL.md", 3, "broken-link", "error")),
    ({"SOUL.md": "![[lost.png]]\n"}, ("SOUL.md", 1, "broken-link", "error")),
    ({"SOUL.md": "[x](../secret.md)\n"}, ("SOUL.md", 1, "broken-link", "error")),
    ({"SOUL.md": "[[tea#Milk]]\n"}, ("SOUL.md", 1, "broken-anchor", "warning")),
    ({"SOUL.md": "[[#Milk]]\n"}, ("SOUL.md", 1, "broken-anchor", "warning")),
    ({"SOUL.md": "## MEMORY.md\n- x\n"}, ("SOUL.md", 1, "forged-heading", "warning")),
    ({"SOUL.md": "**`user.md`:**\n---\n"}, ("SOUL.md", 1, "forged-heading", "warning")),
    ({"SOUL.md": "---\na: b: c\n---\n"}, ("SOUL.md", 2, "bad-front-matter", "error")),
    ({"HEARTBEAT.md": "# Tasks\n- a (at 15:00)\n"}, ("HEARTBEAT.md", 2, "bad-task", "error")),
    ({"memory/log/user.md": "- x [[user]]\n"}, ("memory/log/user.md", 0, "reserved-slug", "error")),
    ({"memory/x/LOG.md": "- x\n"}, ("memory/x/LOG.md", 0, "reserved-slug", "error")),
    ({"memory/b.md": "- x\n"}, ("memory/b.md", 0, "orphan-note", "warning")),
    ({DAY: "# A\n<!-- b -->\n"}, (DAY, 0, "empty-note", "warning")),
    ({DAY: "---\ntitle: [a]\n---\n- x\n"}, (DAY, 2, "bad-front-matter", "warning")),
    ({DAY: "---\na: b\ndream: maybe\n---\n- x\n"}, (DAY, 3, "bad-front-matter", "warning")),
    ({DAY: "---\naliases: {a: b}\n---\n- x\n"}, (DAY, 2, "bad-front-matter", "warning")),
    ({"USER.md": "- A [[tea]].\n\n- a [[Tea]]\n"}, ("USER.md", 3, "duplicate-claim", "warning")),
]  # fmt: skip


@pytest.mark.parametrize(("texts", "wanted"), BREAKAGES)
def test_each_rule_finds_its_breakage(texts, wanted):
    """One thing wrong in an otherwise clean home is one finding, in its place."""
    found = [each for each in findings(CLEAN | texts) if each.path in texts]
    assert wanted in told(found)
    assert all(each.message and each.hint for each in found)


def test_ambiguous_links_and_duplicate_slugs_are_told_with_all_candidates():
    """Both notes are named, and the link's hint gives texts that tell them apart."""
    found = findings(
        {"MEMORY.md": "- [[tea]]\n", "memory/a/tea.md": "- x\n", "memory/b/tea.md": "- y\n"}
    )
    by_rule = {each.rule: each for each in found}
    assert by_rule["ambiguous-link"].severity == by_rule["duplicate-slug"].severity == "error"
    assert "memory/a/tea.md" in by_rule["ambiguous-link"].message
    assert "'a/tea' or 'b/tea'" in by_rule["ambiguous-link"].hint
    assert [each.path for each in found if each.rule == "duplicate-slug"] == [
        "memory/a/tea.md",
        "memory/b/tea.md",
    ]


def test_twins_in_case_or_accents_are_warned_of():
    """Names that another system takes for one file are a warning: here they are two."""
    for one, two in [("Tea", "tea"), ("café", "cafe\u0301")]:
        texts = {f"memory/{name}.md": f"- [[{name}]]\n" for name in (one, two)}
        found = [each for each in findings(texts) if each.rule == "duplicate-slug"]
        assert [each.severity for each in found] == ["warning"]
    found = findings({"memory/a b.md": "- x\n", "memory/a-b.md": "- y\n"})
    assert not [each for each in found if each.rule == "duplicate-slug"]


def test_a_broken_link_suggests_what_was_meant():
    """The hint names notes with a like slug, title or alias; where none is, it says what to do."""
    texts = CLEAN | {"memory/portuguese.md": "- [[portugese]] [[zzzz]] [[tea]]\n"}
    hints = {each.message: each.hint for each in findings(texts) if each.rule == "broken-link"}
    assert hints["the link 'portugese' leads to no note"] == "did you mean 'portuguese'?"
    assert hints["the link 'zzzz' leads to no note"] == "write that note, or take the link out"


def test_planned_notes_of_a_vault_are_warnings():
    """In a vault people link what they will write; a missing picture is an error there too."""
    found = findings({"a.md": "- [[planned]] [x](plan.md) ![[lost.png]] [[../out]]\n"}, "vault")
    links = [each.severity for each in found if each.rule == "broken-link"]
    assert sorted(links) == ["error", "error", "warning", "warning"]


def test_a_bare_alias_is_information():
    """A link that works by alias alone works here, but not in Obsidian."""
    texts = {"MEMORY.md": "- [[brew]]\n", "memory/tea.md": "---\naliases: [brew]\n---\n- x\n"}
    (found,) = findings(texts)
    assert (found.severity, found.path, found.line) == ("info", "MEMORY.md", 1)
    assert "[[tea|brew]]" in found.hint


def test_links_in_code_and_comments_are_text():
    """Nothing is found in what is not a link."""
    assert findings(CLEAN | {"SOUL.md": "`[[x]]`\n\n```\n[[y]]\n```\n<!-- [[z]] -->\n"}) == []


def test_the_same_words_in_another_context_are_no_duplicate():
    """Under another heading, or in a note that is a source, a repeated claim stands."""
    texts = {
        "USER.md": "## Ines\n- Lives in Lyon.\n## Clara\n- Lives in Lyon.\n",
        DAY: "- a\n- a\n",
    }
    assert findings(texts) == []


def test_an_index_over_its_cap_is_an_error():
    """The finding says by how much, and the cure."""
    (found,) = findings({"MEMORY.md": "- a\n- b\n"}, cap=IndexCap(lines=1))
    assert (found.rule, found.severity) == ("over-cap", "error")
    assert "2 of 1 lines" in found.message
    assert "toolnexus dream" in found.hint


def test_a_soul_is_warned_of_before_its_cap_bites():
    """At nine tenths of the cap there is a finding, below there is none."""
    assert told(findings({"SOUL.md": "x" * 950}, soul_cap_bytes=1000)) == [
        ("", 0, "soul-too-large", "warning")
    ]
    assert findings({"SOUL.md": "x" * 850}, soul_cap_bytes=1000) == []
    assert findings({"SOUL.md": f"<!-- {'x' * 950} -->"}, soul_cap_bytes=1000) == []


def test_a_file_over_two_mebibytes_is_told_once():
    """Whether reading told it already or not, there is one finding for the file."""
    note = Note("SOUL.md", "soul", "0", SOUL_CAP_BYTES + 1, 0.0, Document(), read_only=True)
    home = Snapshot(name="ava", notes={"SOUL.md": note})
    assert told(check(home)) == [("SOUL.md", 0, "soul-too-large", "warning")]
    known = Finding("SOUL.md", 0, "soul-too-large", "warning", "read in part", "split it")
    assert check(Snapshot(name="ava", notes={"SOUL.md": note}, problems=(known,))) == [known]


def test_what_others_found_is_sorted_in():
    """Problems on reading and findings of other layers stand among ours by path and line."""
    problem = Finding("memory/z.md", 0, "not-utf8", "error", "byte 3 is no UTF-8", "save it anew")
    extra = Finding("persona.yaml", 2, "bad-settings", "error", "no such key", "remove it")
    home = Snapshot(name="ava", problems=(problem,)).with_texts({"SOUL.md": "[[b]]\n\n[[a]]\n"})
    found = check(home, [extra])
    assert [(each.path, each.line) for each in found] == [
        ("SOUL.md", 1), ("SOUL.md", 3), ("memory/z.md", 0), ("persona.yaml", 2),
    ]  # fmt: skip


def test_a_note_left_out_is_told_of_once():
    """A note that cannot be read is neither empty nor an orphan: reading told what is wrong."""
    note = Note("memory/bad.md", "left-out", "", 3, 0.0, Document())
    assert check(Snapshot(name="ava", notes={note.path: note})) == []


def linked_notes(count):
    """A home of notes that each link five, unread and unresolved as yet."""
    text = "# Note\n\n- claim one\n- claim two\n- [[n-1]] [[n-2]] [[n-3]] [[n-4]] [[n-5]]\n"
    document = parse_document(text)
    paths = [f"memory/n-{number}.md" for number in range(count)]
    notes = {path: Note(path, "note", path, 90, 0.0, document) for path in paths}
    return Snapshot(name="ava", notes=notes, texts=dict.fromkeys(paths, text))


@pytest.mark.slow
def test_checking_grows_no_faster_than_the_home():
    """Twice the notes, links and all rules included, take at most a little over twice the work."""
    once, twice = linked_notes(1_000), linked_notes(2_000)
    assert calls_of(lambda: check(twice)) < 2.2 * calls_of(lambda: check(once))
    assert {each.rule for each in check(twice)} == {"orphan-note"}


def test_rules_are_pure_functions_of_a_home():
    """Running a rule twice on one home gives the same findings."""
    home = Snapshot(name="ava").with_texts({"MEMORY.md": "[[x]]", "memory/a.md": ""})
    assert all(list(rule(home)) == list(rule(home)) for rule in RULES)


@pytest.mark.parametrize(
    ("layout", "path", "link"),
    [
        ("persona", "memory/tea.md", "[[tea]]"),
        ("claude", "tea.md", "[Green tea](tea.md)"),
    ],
)
def test_an_orphan_is_to_be_linked_as_its_home_writes_links(layout, path, link):
    """The hint shows the link in the style of the home's layout."""
    (found,) = findings({"MEMORY.md": "- Tea\n", path: "# Green tea\n- No sugar.\n"}, layout)
    assert found.rule == "orphan-note"
    assert link in found.hint
