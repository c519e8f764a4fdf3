"""The soul: sections that no text can forge, and their caps."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from toolnexus.home.layout import SOUL_CAP_BYTES
from toolnexus.home.section import clean_body
from toolnexus.home.snapshot import IndexCap, Snapshot
from toolnexus.home.soul import compose_sections, compose_soul


def top_headings(markdown: str) -> list[str]:
    """Return the headings of level 1 and 2, wherever they stand, as another parser sees them."""
    tokens = MarkdownIt("commonmark").parse(markdown)
    return [
        inline.content
        for opening, inline in pairwise(tokens)
        if opening.type == "heading_open" and opening.tag in {"h1", "h2"}
    ]


def soul_of(**texts: str) -> str:
    """Compose the soul of a home of soul files, given by stem."""
    return compose_soul(
        Snapshot(name="ava").with_texts({f"{name}.md": text for name, text in texts.items()})
    )


def test_sections_come_in_the_layouts_order():
    """Present soul files become sections in the fixed order; DREAM.md and notes are none."""
    home = Snapshot(name="ava").with_texts(
        {
            "MEMORY.md": "- m\n",
            "AGENTS.md": "a\n",
            "DREAM.md": "d\n",
            "SOUL.md": "s\r\nt\n",
            "memory/x.md": "x\n",
        }
    )
    assert compose_soul(home) == "## AGENTS.md\n\na\n\n## SOUL.md\n\ns\nt\n\n## MEMORY.md\n\n- m"


def test_an_empty_file_is_a_section_all_the_same():
    """A file of comments alone shows as its heading, so that the persona knows of it."""
    assert soul_of(TOOLS="<!-- nothing yet -->\n") == "## TOOLS.md"
    assert compose_soul(Snapshot(name="ava")) == ""


@pytest.mark.parametrize(
    ("text", "body"),
    [
        ("# One\n## Two\n### Three\n###### Six\n", "### One\n#### Two\n##### Three\n###### Six"),
        ("### Low\n", "### Low"),
        ("One\n===\ntwo\n---\n", "### One\n#### two"),
        ("One\nmore\n---\n", "#### One more"),
        ("> ## Q\n", "> #### Q"),
        ("- ## L\n", "- #### L"),
        ("1. > # N\n", "1. > ### N"),
        ("> Q\n> ---\n", "> #### Q"),
        ("   ## Indented\n", "   #### Indented"),
        ("##\tTab\n", "####\tTab"),
        ("    ## code\n", "    ## code"),
        ("```\n## code\n```\n", "```\n## code\n```"),
        ("~~~md\n## code\n", "~~~md\n## code\n~~~"),
        ("- ```\n  ## code\n\n## not\n", "- ```\n  ## code\n\n#### not"),
        ("##nospace #tag\n", "##nospace #tag"),
        ("a <!-- b --> c\n", "a  c"),
        ("<!-- a\n\n## b -->\nc\n", "c"),
        ("<!-- a --># B\n", "### B"),
        ("<!<!-- a -->-- b -->c", "c"),
        ("`<!-- keep -->` stays\n", "`<!-- keep -->` stays"),
        ("```\n<!-- stays -->\n```\n", "```\n<!-- stays -->\n```"),
        ("a\n<!-- never ends\n", "a\n&lt;!-- never ends"),
        ("---\ntitle: x\n---\n# T\n", "### T"),
        ("\ufeff# T\n", "### T"),
        ("<h2>MEMORY.md</h2>\n<H1 id=a>b</H1>\n", "<h4>MEMORY.md</h4>\n<h3 id=a>b</h3>"),
        ("<script>\n## x\n", "\\<script>\n#### x"),
        ("<rules>\n## x\n</rules>\n", "<rules>\n## x\n</rules>"),
        ("a\0b\n", "a\ufffdb"),
    ],
)
def test_a_body_is_made_safe(text, body):
    """Headings sink, comments and front matter go, code stays, and what is open is closed."""
    assert clean_body(text) == body


PIECES = st.sampled_from(
    [
        "# ", "## ", "##", "#", "=", "==", "-", "---", "- ", "1. ", "> ", ">", "    ", "\t", " ",
        "\n", "\n", "\n", "\n\n", "\r\n", "```", "~~~", "````", "`", "<!--", "-->", "<!-->", "<",
        "<script>", "</script>", "<pre>", "<div>", "<?", "?>", "<![CDATA[", "<h2>", "</h2>", "|a|",
        "|-|", "\\", "MEMORY.md", "x", "word ", "[a]: b", "\0", "\ufeff", "\u2028", "***",
    ]
)  # fmt: skip
BODIES = st.lists(PIECES, max_size=25).map("".join)


@pytest.mark.slow
@settings(max_examples=400, deadline=None)
@given(BODIES, BODIES, BODIES)
def test_no_body_passes_for_a_section(one, two, three):
    """Whatever the files say, the only headings of level 1 and 2 are the sections' own."""
    soul = soul_of(AGENTS=one, SOUL=two, USER=three)
    assert top_headings(soul) == ["AGENTS.md", "SOUL.md", "USER.md"]


@settings(max_examples=100, deadline=None)
@given(st.lists(st.sampled_from(["word", "- item", "[[link]]", "*a*", "", "1. x", "> q"])))
def test_plain_prose_stays_as_it_is(lines):
    """What has no headings, comments or open blocks is injected word for word."""
    body = "\n".join(lines).strip()
    assert clean_body(body) == body


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=200), st.text(max_size=200))
def test_any_text_at_all_is_contained(one, two):
    """Sections stay apart for arbitrary Unicode too."""
    assert top_headings(soul_of(AGENTS=one, SOUL=two)) == ["AGENTS.md", "SOUL.md"]


@settings(max_examples=150, deadline=None)
@given(BODIES, BODIES, st.integers(0, 400))
def test_the_cap_bounds_the_soul(one, two, cap):
    """The composed soul never passes its cap, and a cut opens no way to forge a section."""
    soul = compose_sections([("SOUL.md", one), ("USER.md", two)], cap_bytes=cap)
    assert len(soul.encode()) <= cap
    assert top_headings(soul) in ([], ["SOUL.md"], ["SOUL.md", "USER.md"])


@pytest.mark.parametrize(
    "text",
    [
        "- " * 3000 + "## MEMORY.md",
        "> " * 3000 + "## MEMORY.md",
        "`\n" * 5000,
        "<!--" * 5000,
        "<script>\n<style>\n<pre>\n<textarea>\n" * 20,
        "```\n~~~\n" * 500,
        "[" * 20_000,
    ],
)
def test_hostile_texts_are_contained_too(text):
    """Deep nesting and repeated openers neither forge a section nor hide the next one."""
    assert top_headings(soul_of(SOUL=text, MEMORY="- m\n")) == ["SOUL.md", "MEMORY.md"]


def test_memory_over_its_cap_is_cut_with_a_notice():
    """As many whole lines of MEMORY.md ride along as the cap allows; the notice names the cure."""
    home = Snapshot(name="ava", cap=IndexCap(lines=2)).with_texts({"MEMORY.md": "- a\n- b\n- c\n"})
    head, body, notice = compose_soul(home).split("\n\n")
    assert (head, body) == ("## MEMORY.md", "- a\n- b")
    assert "toolnexus dream" in notice


def test_memory_within_its_cap_has_no_notice():
    """A MEMORY.md of exactly its cap rides whole."""
    home = Snapshot(name="ava", cap=IndexCap(lines=2)).with_texts({"MEMORY.md": "- a\n- b\n"})
    assert compose_soul(home) == "## MEMORY.md\n\n- a\n- b"


def test_a_file_over_two_mebibytes_is_cut_with_a_notice():
    """The read cap cuts between characters, and the copy ends with a notice."""
    text = "é" * (SOUL_CAP_BYTES // 2 + 10)
    home = Snapshot(name="ava", soul_cap_bytes=SOUL_CAP_BYTES * 2).with_texts({"SOUL.md": text})
    soul = compose_soul(home)
    assert soul.endswith(
        "(SOUL.md is longer than 2 MiB and is cut here; the file itself is whole.)"
    )
    assert soul.count("é") == SOUL_CAP_BYTES // 2


def test_the_whole_soul_is_cut_with_a_notice():
    """What no longer fits is cut at a line's end, and the soul says so."""
    home = Snapshot(name="ava", soul_cap_bytes=300).with_texts(
        {"SOUL.md": "- short\n" * 5, "USER.md": "- line\n" * 100, "MEMORY.md": "- m\n"}
    )
    soul = compose_soul(home)
    assert len(soul.encode()) <= 300
    assert top_headings(soul) == ["SOUL.md", "USER.md"]
    assert "- line\n\n(The soul is over its cap" in soul


def test_a_section_can_be_replaced():
    """A beat's due tasks stand in for HEARTBEAT.md, in its place and under the same rules."""
    home = Snapshot(name="ava").with_texts({"SOUL.md": "s", "HEARTBEAT.md": "h", "MEMORY.md": "m"})
    soul = compose_soul(home, {"HEARTBEAT.md": "# Due\n"})
    assert soul == "## SOUL.md\n\ns\n\n## HEARTBEAT.md\n\n### Due\n\n## MEMORY.md\n\nm"
