"""What a Markdown text is read into."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolnexus.text.blocks import parse_all_blocks
from toolnexus.text.document import parse_document
from toolnexus.text.lines import Lines
from toolnexus.text.plainblocks import read_plain_blocks
from toolnexus.text.reader import BodyReader
from toolnexus.text.types import Document, FrontMatter

PIECES = st.sampled_from(
    [
        *(
            "- ",
            "* ",
            "+ ",
            "1. ",
            "2) ",
            "> ",
            "  ",
            "    ",
            "\t",
            "# ",
            "### ",
            "---",
            "===",
            "```",
        ),
        *(
            "~~~",
            "|",
            "|-|-|",
            "a|b",
            "<!-- keep -->",
            "<!--",
            "-->",
            "<div>",
            "</div>",
            "[r]: n.md",
        ),
        *(
            "[[a]]",
            "[[b|c]]",
            "![[d.png]]",
            "[t](u.md#v)",
            "![i](p.png)",
            "`code`",
            "`",
            "\\",
            "**",
        ),
        *("word", "Ünï", "7", "^id", "[ ] ", "[^1]: note", "\u00a0", "\0", "\ufeff", "😀", "..."),
        *(" ", "\n", "\n", "\n\n", "\r\n", "\r"),
    ]
)
MARKDOWN = st.lists(PIECES, max_size=40).map("".join)
ANY_TEXT = st.one_of(MARKDOWN, st.text(max_size=120))


def texts(source: str) -> list[str]:
    return [claim.text for claim in parse_document(source).claims]


def owners(source: str) -> list[int]:
    """Count the owners of each line of the body that is not blank."""
    document = parse_document(source)
    body = document.front.end
    lines = Lines(source)
    counts = [0] * len(lines)
    for owned in (*document.headings, *document.claims, *document.structure):
        first, last = lines.number_at(owned.start) - 1, lines.number_at(owned.end - 1)
        assert owned.start == max(lines.start(first), body)
        assert owned.end == lines.start(last)
        for index in range(first, last):
            counts[index] += 1
    return [
        count
        for index, count in enumerate(counts)
        if lines.end(index) > body
        and source[max(lines.start(index), body) : lines.end(index)].strip()
    ]


@pytest.mark.slow
@settings(max_examples=250, deadline=None)
@given(ANY_TEXT)
def test_every_line_has_one_owner(source: str) -> None:
    """Each line of a body that is not blank is a heading's, a claim's or a structure's, once."""
    assert set(owners(source)) <= {1}


@settings(max_examples=150, deadline=None)
@given(ANY_TEXT)
def test_claims_are_well_formed(source: str) -> None:
    """Spans nest as promised, lines fit offsets, parents come first, and no claim is empty."""
    document = parse_document(source)
    lines = Lines(source)
    previous = 0
    for index, claim in enumerate(document.claims):
        assert previous <= claim.start <= claim.body_start < claim.body_end <= claim.end
        assert claim.line == lines.number_at(claim.start)
        assert claim.end_line == lines.number_at(claim.end - 1)
        assert claim.text == " ".join(claim.text.split())
        assert claim.text
        assert -1 <= claim.parent < index
        previous = claim.end
    for link in document.links:
        assert link.start < link.end
        assert link.start <= link.target_start <= link.target_end <= link.end
        assert link.line == lines.number_at(link.start)
        assert link.target or link.anchor


PLAIN_LINES = st.lists(
    st.sampled_from(
        [
            *("", " ", "# Head", "## The **b** `c`", "- item", "- [ ] box", "* star", "+ plus"),
            *(
                "words here",
                "  indented words",
                "2026 was good",
                "1.5 km",
                "- `c` [[x|y]]",
                "[[a]] b",
            ),
            *(
                "**bold** start",
                "- 7 days <!-- keep -->",
                "word | cell",
                "- (so) it goes",
                "_it_ is",
            ),
            *("trailing  ", "- \u00a0nbsp", "@me", "- ^id", "x <!-- open", "a --> b", "`` x `` y"),
            *("<!-- keep -->", "<!-- a", "b -->", "<!--> x", "<!-- c --> and", "-->"),
            *("1. one", "- - nested", "  - nested", "---", "> quote", "|-|-|", "====", "\u00a0"),
        ]
    ),
    max_size=9,
)


def parse_slowly(source: str) -> Document:
    reader = BodyReader(Lines(source), 0, 0)
    reader.read(parse_all_blocks(source))
    return reader.document(FrontMatter(), ())


@pytest.mark.slow
@settings(max_examples=400, deadline=None)
@given(PLAIN_LINES, st.sampled_from(["\n", "\r\n", "\r"]))
def test_plain_texts_are_read_as_markdown_it_reads_them(lines: list[str], newline: str) -> None:
    """The short way for plain notes yields the very document that markdown-it's blocks yield."""
    source = newline.join(lines)
    if read_plain_blocks(source) is not None:
        assert parse_document(source) == parse_slowly(source)


@pytest.mark.slow
@settings(max_examples=150, deadline=None)
@given(ANY_TEXT)
def test_any_text_that_counts_as_plain_is_read_alike(source: str) -> None:
    """No text at all is taken for plain when markdown-it would read it otherwise."""
    if not source.startswith(("---", "\ufeff")) and read_plain_blocks(source) is not None:
        assert parse_document(source) == parse_slowly(source)


def test_items_paragraphs_rows_and_quotes_are_claims() -> None:
    """Each kind of claim is found, with its words on one line and its marks gone."""
    source = (
        "- Lives in\n  *Lyon*\n  - with Clara\n\n    and Max\n\nA paragraph\nof two lines.\n\n"
        "| who | age |\n|---|---|\n| Ines | 7 |\n\n> quoted\n> > words\nlazily\n"
    )
    claims = parse_document(source).claims
    assert [(claim.kind, claim.text, claim.parent) for claim in claims] == [
        ("item", "Lives in *Lyon*", -1),
        ("item", "with Clara and Max", 0),
        ("paragraph", "A paragraph of two lines.", -1),
        ("row", "Ines | 7", -1),
        ("quote", "quoted words lazily", -1),
    ]


def test_a_paragraph_behind_nested_items_is_a_claim_of_its_own() -> None:
    """An item's own lines end where something nested begins; what follows is its child."""
    claims = parse_document("- a\n  - b\n\n  c\n").claims
    assert [(claim.kind, claim.text, claim.parent) for claim in claims] == [
        ("item", "a", -1),
        ("item", "b", 0),
        ("paragraph", "c", 0),
    ]


def test_an_empty_item_is_no_claim_but_its_nested_items_are() -> None:
    """A lone marker is structure, and what is nested under it has no parent."""
    document = parse_document("-\n  - inner\n- \n")
    assert [(claim.text, claim.parent) for claim in document.claims] == [("inner", -1)]
    assert [each.kind for each in document.structure] == ["rule", "rule"]


def test_structure_is_told_apart() -> None:
    """Code, comments, HTML, rules, table heads and definitions are structure of their kind."""
    source = (
        "```\n- no claim\n```\n\n    indented\n\n<!-- a\nb -->\n\n<div>\nx\n</div>\n\n---\n\n"
        "|a|\n|-|\n\n[r]: n.md\n"
    )
    document = parse_document(source)
    kinds = ["code", "code", "comment", "html", "rule", "table-head", "html"]
    assert [each.kind for each in document.structure] == kinds
    assert document.claims == ()


def test_headings_give_the_path_and_read_plain() -> None:
    """ATX and setext headings nest by level, and their text is free of marks."""
    source = "Top\n===\n## The **b** `c` [[x|y]] [z](w.md) ##\n- in\n# Next\n- out\n"
    document = parse_document(source)
    assert [(each.level, each.text) for each in document.headings] == [
        (1, "Top"),
        (2, "The b c y z"),
        (1, "Next"),
    ]
    assert [claim.headings for claim in document.claims] == [("Top", "The b c y z"), ("Next",)]
    assert source[document.headings[0].start : document.headings[0].end] == "Top\n===\n"


@pytest.mark.parametrize(
    ("source", "pinned"),
    [
        ("- a <!-- keep -->\n- b\n", ["a"]),
        ("- a <!--keep--> <!-- seen -->\n", ["a"]),
        ("- a\n  <!-- keep -->\n- b\n", ["a"]),
        ("- a <!-- keep -->\n  - b\n- c\n", ["a", "b"]),
        ("# H\n<!-- keep -->\n- a\n## S\n- b\n# T\n- c\n", ["a", "b"]),
        ("# H\n\n<!-- x -->\n<!-- keep -->\n\ntext\n", ["text"]),
        ("H\n=\n<!-- keep -->\na\n", ["a"]),
        ("# H\ntext\n\n<!-- keep -->\n\nmore\n", []),
        ("|a|\n|-|\n|b <!-- keep -->|\n|c|\n", ["b"]),
        ("> a\n> <!-- keep -->\n", ["a"]),
        ("`<!-- keep -->`\n", []),
        ("a <!-- keep -->", ["a"]),
        ("a <!-- keeper -->", []),
    ],
)
def test_pins(source: str, pinned: list[str]) -> None:
    """A keep mark pins the claim it ends, or the whole section whose heading it stands under."""
    claims = parse_document(source).claims
    assert [claim.text for claim in claims if claim.pinned] == pinned


def test_a_pin_reaches_sub_sections_headings() -> None:
    """The headings of a pinned section are pinned too, the next section's is not."""
    headings = parse_document("# A\n<!-- keep -->\n## B\n# C\n").headings
    assert [heading.pinned for heading in headings] == [True, True, False]


def test_trailing_comments_are_no_words() -> None:
    """The body ends before comments at a claim's end; a comment within stays."""
    source = "a <!-- b --> c <!-- d -->  <!-- e\nf -->\n"
    claim = parse_document(source).claims[0]
    assert claim.text == "a <!-- b --> c"
    assert source[claim.body_end :] == " <!-- d -->  <!-- e\nf -->\n"


def test_block_ids() -> None:
    """A caret mark at a claim's end is an anchor; one in the middle or in code is not."""
    assert parse_document("- a ^one\n\nb ^two <!-- x -->\n\nc ^no d\n\n`^x`\n").block_ids == (
        "one",
        "two",
    )


def test_front_matter_is_no_body_and_lines_count_through() -> None:
    """Claims behind front matter have lines of the file, whatever the line ending and mark."""
    source = "\ufeff---\r\ntitle: x\r\n---\r\n- a\r\n"
    document = parse_document(source)
    assert document.front.fields == {"title": "x"}
    assert (document.claims[0].line, document.claims[0].text) == (4, "a")
    assert source[document.claims[0].start : document.claims[0].end] == "- a\r\n"


def test_a_byte_order_mark_is_no_word() -> None:
    """Without front matter the first claim begins behind the mark."""
    claim = parse_document("\ufeff- a").claims[0]
    assert (claim.start, claim.body_start, claim.text) == (1, 3, "a")


def test_footnotes_are_claims() -> None:
    """A footnote of one word looks like a link definition, and must not be lost as one."""
    assert texts("[^1]: Paris.\n[r]: x.md\n") == ["[^1]: Paris."]


def test_ordered_items_know_it() -> None:
    """Items of numbered lists are marked, because their position has meaning."""
    claims = parse_document("1. a\n   - b\n2. c\n").claims
    assert [claim.ordered for claim in claims] == [True, False, True]


def test_what_is_nested_too_deep_is_kept() -> None:
    """Words below the parser's nesting limit are claims all the same."""
    assert texts("- " * 5000 + "deep") == ["deep"]
    assert texts("".join("  " * depth + "- a\n" for depth in range(200))) == ["a"] * 200


@pytest.mark.slow
@pytest.mark.parametrize(
    "source",
    [
        *(
            "> " * 10_000,
            "[" * 50_000,
            "*" * 50_000,
            "- " * 5_000,
            "`a " * 10_000,
            "<!-- " * 20_000,
        ),
        *("![ " * 5_000 + "[a](b)" * 5_000, "[a](" * 10_000, "[[a]] " * 10_000, "*_" * 30_000),
        *(
            "a " + "<!-- b -->" * 20_000,
            "> a\n" + ">\n" * 8_000,
            "[a]: b\n" * 3_000,
            "<a " * 20_000,
        ),
        *(
            "\\" * 50_000,
            "|a" * 5_000 + "\n" + "|-" * 5_000,
            "_a_ " * 20_000,
            "a" + " " * 90_000 + "b",
        ),
    ],
)
def test_hostile_texts_are_read_in_linear_time(source: str) -> None:
    """Texts made to be slow are read: a quadratic step would run this test out of all patience."""
    assert set(owners(source)) <= {1}
