"""Links, comments and code spans inside lines."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolnexus.text.document import parse_document
from toolnexus.text.edits import apply_edits
from toolnexus.text.inline import scan_inline
from toolnexus.text.plain import plain_text
from toolnexus.text.wikilinks import encode_target, render_link, retarget

NAMES = st.text(
    alphabet=st.characters(
        exclude_categories=["Cc", "Cs", "Zl", "Zp"], exclude_characters="[]|#\\<>`"
    ),
    min_size=1,
    max_size=12,
).filter(lambda name: name == name.strip())


def links(source: str) -> list[tuple[str, str, str, str]]:
    found = parse_document(source).links
    return [(link.kind, link.target, link.anchor, link.label) for link in found]


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("[[slug]]", [("wiki", "slug", "", "")]),
        ("[[slug|label]]", [("wiki", "slug", "", "label")]),
        ("[[ slug | my label ]]", [("wiki", "slug", "", "my label")]),
        ("[[slug#heading]]", [("wiki", "slug", "heading", "")]),
        ("[[slug#^block|x]]", [("wiki", "slug", "^block", "x")]),
        ("[[#heading]]", [("wiki", "", "heading", "")]),
        ("[[folder/slug.md]]", [("wiki", "folder/slug.md", "", "")]),
        ("![[pic.png|100]]", [("embed", "pic.png", "", "100")]),
        ("[t](my%20note.md#a%20b)", [("markdown", "my note.md", "a b", "t")]),
        ("[t](<my note.md> 'title')", [("markdown", "my note.md", "", "t")]),
        ('[t](a_(b).md "x")', [("markdown", "a_(b).md", "", "t")]),
        ("![alt](pic.png)", [("embed", "pic.png", "", "alt")]),
        (
            "[![i](p.png)](n.md)",
            [("markdown", "n.md", "", "![i](p.png)"), ("embed", "p.png", "", "i")],
        ),
        ("[a [b](c.md)](d.md)", [("markdown", "c.md", "", "b")]),
        ("[t](#here)", [("markdown", "", "here", "t")]),
        ("[t][r]\n\n[r]: note.md 'T'\n", [("markdown", "note.md", "", "r")]),
        ("\\\\[[x]]", [("wiki", "x", "", "")]),
        ("> - [[x]]\n> [[y]]", [("wiki", "x", "", ""), ("wiki", "y", "", "")]),
        ("# [[x]]", [("wiki", "x", "", "")]),
        ("|[[h]]|\n|-|\n|[[x\\|y]]|\n", [("wiki", "h", "", ""), ("wiki", "x", "", "y")]),
        *(
            (text, [])
            for text in (
                *(
                    "\\[[x]]",
                    "`[[x]]`",
                    "`` [[x]] ` ``",
                    "    [[x]]",
                    "```\n[[x]]\n```",
                    "[[a\nb]]",
                ),
                *(
                    "<!-- [[x]] -->",
                    "a <!-- [[x]] --> b",
                    "---\na: '[[x]]'\n---\n",
                    "[[]]",
                    "[[ ]]",
                    "[[|l]]",
                ),
                *(
                    "[t](http://x.org/a.md)",
                    "[t](mailto:a@b)",
                    "[t](/abs.md)",
                    "[t](//x/y)",
                    "[t]()",
                    "[t](a b)",
                ),
                *(
                    "<div>\n[[x]]\n</div>",
                    "> ```\n> [[x]]\n> ```",
                    "[r]: https://x.org",
                    "[//]: # (note)",
                ),
                *("<a title='[[x]]'>", "<http://x/[[y]]>", "|a|\n|-|\n|`[[x|y]]`|"),
            )
        ),
    ],
)
def test_links(source: str, found: list[tuple[str, str, str, str]]) -> None:
    """Links in running text are found as written; in code, comments and the like they are text."""
    assert links(source) == found


def test_spans_are_exact() -> None:
    """The span of a link and of its target are those characters of the source, line by line."""
    source = "a\r\n- é [[ x/y#z|l]] and\r\n  [t](<b c.md#d>)\r\n"
    first, second = parse_document(source).links
    assert source[first.start : first.end] == "[[ x/y#z|l]]"
    assert source[first.target_start : first.target_end] == "x/y"
    assert (first.line, second.line) == (2, 3)
    assert source[second.target_start : second.target_end] == "b c.md"


def test_a_tables_pipe_is_told() -> None:
    """A link that parts its label by an escaped pipe says so, and its target ends before it."""
    source = "|a|\n|-|\n|[[x\\|y]]|\n"
    (link,) = parse_document(source).links
    assert link.escaped_pipe
    assert source[link.target_start : link.target_end] == "x"


def test_comments_and_code_spans() -> None:
    """Whichever of a comment and a code span begins first hides the other."""
    found = scan_inline("`<!-- a` b --> <!-- `c --> d`", 0, 29)
    assert (found.code, found.comments) == ([(0, 8)], [(15, 26)])


@pytest.mark.slow
@settings(max_examples=150, deadline=None)
@given(
    st.sampled_from(["wiki", "embed", "markdown"]), NAMES, NAMES | st.just(""), NAMES | st.just("")
)
def test_a_written_link_is_read_back(kind: str, target: str, anchor: str, label: str) -> None:
    """What `render_link` writes, the parse reads: kind, target, anchor and label."""
    target = target.lstrip("/") or "x"  # a link from a site's root is none between notes
    written = render_link(kind, target, anchor, label)  # type: ignore[arg-type]
    (link,) = scan_inline(written, 0, len(written)).links
    assert (link.start, link.end) == (0, len(written))
    assert (link.kind, link.target, link.anchor) == (kind, target, anchor)
    if label:
        assert link.label == " ".join(label.split())


@settings(max_examples=150, deadline=None)
@given(
    NAMES.filter(lambda name: name[0] != "/"),
    st.sampled_from(["[[{}|l]]", "![[{}#a]]", "[t]({})", "[t](<{}>)", "![t]({}#a 'b')"]),
)
def test_retargeting_leads_elsewhere_and_changes_nothing_else(target: str, form: str) -> None:
    """After the target's span is replaced, the link leads to the new note, all else is the same."""
    source = f"- see {form.format('old.md')} now"
    (link,) = parse_document(source).links
    edit = (link.target_start, link.target_end, retarget(source, link, target))
    (after,) = parse_document(apply_edits(source, [edit])).links
    assert after.target == target
    assert (after.kind, after.anchor, after.label) == (link.kind, link.anchor, link.label)


def test_encoding_keeps_letters() -> None:
    """Only what a destination cannot hold is encoded."""
    assert encode_target("Ünï/a b#c.md") == "Ünï/a%20b%23c.md"


@pytest.mark.parametrize(
    ("source", "plain"),
    [
        ("The **bold** _it_ ~~old~~", "The bold it old"),
        ("`a*b*c` and snake_case_x", "a*b*c and snake_case_x"),
        ("[[a]] [[b#c]] [[d|e]] ![[f|g]]", "a b > c e g"),
        ("[t](x.md) [u](https://x.org)", "t u"),
        ("**[[x|bold link]]**", "bold link"),
        ("a <!-- b --> c", "a c"),
        ("\\*kept\\*", "*kept*"),
    ],
)
def test_plain_text(source: str, plain: str) -> None:
    """Text reads as on the page."""
    assert plain_text(source) == plain
