"""The outline: headings, code and HTML wherever they stand."""

from __future__ import annotations

from toolnexus.text.outline import read_outline


def test_headings_are_found_at_any_depth():
    """Quotes and lists hide no heading, and code holds none."""
    body = "# A\n> B\n> ---\n- ## C\n\n```\n# D\n```\n"
    found = [
        (block.level, block.words, block.first, block.end, block.is_setext, block.is_nested)
        for block in read_outline(body)
        if block.kind == "heading"
    ]
    assert found == [
        (1, "A", 0, 1, False, False),
        (2, "B", 1, 3, True, True),
        (2, "C", 3, 4, False, True),
    ]


def test_code_and_html_tell_their_lines_and_marks():
    """A fence that nothing closes reaches to the end, and its mark can close it."""
    found = [(block.kind, block.first, block.end, block.markup) for block in read_outline(
        "<div>\n</div>\n\n    x\n\n~~~~\ny\n"
    )]  # fmt: skip
    assert found == [("html", 0, 2, ""), ("code", 3, 4, ""), ("code", 5, 7, "~~~~")]


def test_a_table_is_a_paragraph_to_plain_commonmark():
    """Readers without tables see an underlined heading, so that the outline shows it."""
    assert [block.level for block in read_outline("|a|\n---\n")] == [2]
