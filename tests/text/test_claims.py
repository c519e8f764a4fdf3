"""Changing claims in a text."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolnexus.text.claims import remove_claim, replace_body
from toolnexus.text.document import parse_document
from toolnexus.text.edits import apply_edits
from toolnexus.text.lines import detect_newline

LINES = st.sampled_from(
    [
        *(
            "- a",
            "- b **c**",
            "  - d [[e]]",
            "    f",
            "* g",
            "1. h",
            "para",
            "> quote",
            "> - in",
            "",
        ),
        *(
            "",
            "# H",
            "## I",
            "```",
            "code",
            "|a|b|",
            "|-|-|",
            "|c|d|",
            "- x <!-- keep -->",
            "<!-- c -->",
        ),
        *(
            "  <!-- keep -->",
            "---",
            "- y ^id",
            "\tz",
            "<div>",
            "- [ ] t",
            "  > q",
            "[r]: n.md",
            "===",
        ),
    ]
)
SOURCES = st.builds(
    lambda lines, newline, last: newline.join(lines) + last,
    st.lists(LINES, max_size=12),
    st.sampled_from(["\n", "\r\n"]),
    st.sampled_from(["", "\n"]),
)
WORDS = st.sampled_from(
    ["new words", "one\ntwo", "now **so**.", "é\r\n- dash\n\nend", "see [[x|y]]"]
)


@settings(max_examples=100, deadline=None)
@given(SOURCES, st.data())
def test_replacing_changes_no_byte_outside_the_body(source: str, data: st.DataObject) -> None:
    """What stands before and behind a claim's words is the same after they are replaced."""
    claims = parse_document(source).claims
    if not claims:
        return
    claim = data.draw(st.sampled_from(claims))
    result = replace_body(source, claim, data.draw(WORDS))
    assert result.startswith(source[: claim.body_start])
    assert result.endswith(source[claim.body_end :])
    assert apply_edits(source, []) == source


@pytest.mark.parametrize(
    ("source", "index", "words", "result"),
    [
        ("- a\n- b\n", 1, "x\ny", "- a\n- x\n  y\n"),
        ("  - a <!-- k -->\r\n", 0, "x\ny", "  - x\r\n    y <!-- k -->\r\n"),
        ("10. a\n", 0, "x\ny", "10. x\n    y\n"),
        ("> a\n> b\n", 0, "x\ny", "> x\n> y\n"),
        ("- a\n  > q\n", 1, "x\ny", "- a\n  > x\n  > y\n"),
        ("|a|b|\n|-|-|\n| c | d |\n", 0, "x | y\nz", "|a|b|\n|-|-|\n| x | y z |\n"),
        ("para\nmore", 0, "x\n\n- y\nz", "x - y\nz"),
        ("- a ^id\n", 0, "x", "- x ^id\n"),
        ("- a ^id\n", 0, "x ^new", "- x ^new\n"),
        ("- a\n  b\n\n  c\n  - d\n", 0, "x", "- x\n  - d\n"),
        ("\ufeff- a", 0, "x", "\ufeff- x"),
    ],
)
def test_replacing(source: str, index: int, words: str, result: str) -> None:
    """New words take the place of the old ones, with the claim's own marks before each line."""
    assert replace_body(source, parse_document(source).claims[index], words) == result


def test_replacing_needs_words() -> None:
    """A claim cannot be emptied by a replacement."""
    with pytest.raises(ValueError, match="words"):
        replace_body("- a\n", parse_document("- a\n").claims[0], " \n ")


@settings(max_examples=100, deadline=None)
@given(SOURCES, st.data())
def test_removing_loses_no_other_claim(source: str, data: st.DataObject) -> None:
    """All claims but the removed ones are there afterwards, in order, and so are the headings."""
    document = parse_document(source)
    if not document.claims:
        return
    claim = data.draw(st.sampled_from(document.claims))
    index = document.claims.index(claim)
    if any(each.parent == index for each in document.claims):
        with pytest.raises(ValueError, match="nested"):
            remove_claim(source, document, claim)
        return
    after = parse_document(remove_claim(source, document, claim))
    kept = [each.text for place, each in enumerate(document.claims) if place != index]
    assert [each.text for each in after.claims] == kept
    assert [each.text for each in after.headings] == [each.text for each in document.headings]


@pytest.mark.parametrize(
    ("source", "index", "result"),
    [
        ("- a\n- b\n- c\n", 1, "- a\n- c\n"),
        ("a\n\nb\n\nc\n", 1, "a\n\n\nc\n"),
        ("a\n> q\nb\n", 0, "> q\nb\n"),
        ("a\n- b\n---\n", 1, "a\n\n---\n"),
        ("- a\r\n  cont\r\n- b", 1, "- a\r\n  cont\r\n"),
        ("|a|\n|-|\n|b|\n|c|\n", 0, "|a|\n|-|\n|c|\n"),
    ],
)
def test_removing(source: str, index: int, result: str) -> None:
    """A claim's own lines go; a blank line stays where its neighbours would become one."""
    document = parse_document(source)
    assert remove_claim(source, document, document.claims[index]) == result


def test_removing_with_children() -> None:
    """Asked to, a claim goes with all that is nested in it."""
    source = "- a\n  - b\n    - c\n- d\n"
    document = parse_document(source)
    assert remove_claim(source, document, document.claims[0], with_children=True) == "- d\n"


def test_detect_newline() -> None:
    """The line ending that most lines have is the text's."""
    assert detect_newline("a\r\nb\r\nc\n") == "\r\n"
    assert detect_newline("a\nb\r\n") == detect_newline("") == "\n"


def test_edits() -> None:
    """Edits go by old offsets; the same one twice counts once; overlaps are refused."""
    assert apply_edits("abcdef", [(4, 6, "X"), (0, 1, "YY"), (4, 6, "X"), (2, 2, "-")]) == "YYb-cdX"
    with pytest.raises(ValueError, match="overlap"):
        apply_edits("abc", [(0, 2, ""), (1, 3, "")])
    with pytest.raises(ValueError, match="characters"):
        apply_edits("abc", [(2, 4, "")])
