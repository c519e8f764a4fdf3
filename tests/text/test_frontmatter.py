"""Front matter: reading it and changing one key."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolnexus.text.frontmatter import (
    append_to_list,
    read_front_matter,
    render_front_matter,
    set_field,
)

FILE = (
    "\ufeff---\r\n# notes\r\ntitle: Trips  # ours\r\nempty:\r\ntags: [a, b] # flow\r\n"
    "aliases:\r\n  - x # first\r\n  - y\r\n\r\nzero:\r\n- p\r\n"
    "long: |\r\n  text\r\n\r\nn: 1\r\n---\r\nBody\r\n"
)
KEYS = st.sampled_from(
    ["title", "empty", "tags", "aliases", "zero", "long", "n", "new", "on", "a b"]
)
VALUES = st.one_of(
    st.text(max_size=12),
    st.lists(st.text(max_size=8), max_size=4),
    st.booleans(),
    st.integers(-1000, 1000),
    st.sampled_from([0.5, -2.25]),
)


def fields(text: str) -> dict[str, object]:
    front, problems = read_front_matter(text)
    assert problems == ()
    return front.fields


@pytest.mark.parametrize(
    ("text", "expected", "body"),
    [
        ("---\ntitle: a\n---\nBody", {"title": "a"}, "Body"),
        ("\ufeff---\r\ntitle: a\r\n...\r\nBody", {"title": "a"}, "Body"),
        ("---\n---\nBody", {}, "Body"),
        ("---\n# only a comment\n---", {}, ""),
        ("---\nno closing line", {}, "---\nno closing line"),
        ("text\n---\na: 1\n---\n", {}, "text\n---\na: 1\n---\n"),
        (" ---\na: 1\n---\n", {}, " ---\na: 1\n---\n"),
        ("--- \na: 1\n---\t\nBody", {"a": 1}, "Body"),
    ],
)
def test_reading(text: str, expected: dict[str, object], body: str) -> None:
    """Front matter stands between dashes on the very first lines, or there is none."""
    front, problems = read_front_matter(text)
    assert (front.fields, text[front.end :], problems) == (expected, body, ())


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("---\na: 1\nb: [\n---\nBody", 4),
        ("---\na: 1\na: 2\n---\nBody", 3),
        ("---\n- x\n---\nBody", 2),
    ],
)
def test_bad_front_matter_is_a_problem_with_its_line(text: str, line: int) -> None:
    """What cannot be read is told with its line in the file; the body still begins behind it."""
    front, (problem,) = read_front_matter(text)
    assert (problem.rule, problem.line) == ("bad-front-matter", line)
    assert (front.fields, text[front.end :]) == ({}, "Body")


@pytest.mark.parametrize(
    ("key", "value", "before", "after"),
    [
        ("title", "Journeys", "title: Trips  # ours", "title: Journeys  # ours"),
        ("title", "a: b", "title: Trips  # ours", 'title: "a: b"  # ours'),
        ("empty", True, "empty:\r\n", "empty: true\r\n"),
        ("tags", ["a", "c d"], "tags: [a, b] # flow", "tags: [a, c d] # flow"),
        ("aliases", ["z", "w"], "  - x # first\r\n  - y\r\n", "  - z\r\n  - w\r\n"),
        ("zero", ["q", "r"], "zero:\r\n- p\r\n", "zero:\r\n- q\r\n- r\r\n"),
        ("long", "short", "long: |\r\n  text\r\n", "long: short\r\n"),
        ("new", 3, "n: 1\r\n", "n: 1\r\nnew: 3\r\n"),
    ],
)
def test_setting_changes_the_lines_of_one_key(
    key: str, value: object, before: str, after: str
) -> None:
    """Comments, order, line endings and list style stay: the file differs in that key alone."""
    assert FILE.count(before) == 1
    assert set_field(FILE, key, value) == FILE.replace(before, after)  # type: ignore[arg-type]


@pytest.mark.parametrize("text", ["Body", "\ufeffBody\r\n", "", "---\nrule, no front matter"])
def test_setting_makes_front_matter_where_there_is_none(text: str) -> None:
    """A new block stands before the untouched body, behind a byte order mark."""
    result = set_field(text, "title", "T")
    assert fields(result) == {"title": "T"}
    assert result[read_front_matter(result)[0].end :] == text.removeprefix("\ufeff")
    assert result.startswith("\ufeff") == text.startswith("\ufeff")


@settings(max_examples=150, deadline=None)
@given(
    KEYS,
    VALUES,
    st.sampled_from([FILE, FILE.replace("\r\n", "\n"), "---\n---\nx", "x", "---\n a: 1\n---\n"]),
)
def test_what_is_set_is_read_back(key: str, value: object, text: str) -> None:
    """After a set, the key reads as the value, all others as before, and the body is the same."""
    result = set_field(text, key, value)  # type: ignore[arg-type]
    assert fields(result) == {**fields(text), key: value}
    front, before = read_front_matter(result)[0], read_front_matter(text)[0]
    assert result[front.end :] == text[before.end :]


@pytest.mark.slow
@settings(max_examples=150, deadline=None)
@given(st.text(max_size=80).map(lambda body: f"---\n{body}\n---\nBody"), VALUES)
def test_setting_never_touches_another_key(text: str, value: object) -> None:
    """Whatever the front matter is, a set either changes that one key or refuses."""
    before = read_front_matter(text)[0].fields
    try:
        result = set_field(text, "key", value)  # type: ignore[arg-type]
    except ValueError:
        return
    assert fields(result) == {**before, "key": value}


@pytest.mark.parametrize(
    ("key", "before", "after"),
    [
        ("tags", "[a, b]", "[a, b, new]"),
        ("aliases", "  - y\r\n", "  - y\r\n  - new\r\n"),
        ("zero", "- p\r\n", "- p\r\n- new\r\n"),
        ("title", "title: Trips ", "title: [Trips, new] "),
        ("empty", "empty:\r\n", "empty: [new]\r\n"),
        ("more", "n: 1\r\n", "n: 1\r\nmore: [new]\r\n"),
    ],
)
def test_appending(key: str, before: str, after: str) -> None:
    """A list grows at its end in its own style; comments on its lines stay."""
    assert append_to_list(FILE, key, ["new", "new"]) == FILE.replace(before, after)


def test_appending_what_is_there_changes_nothing() -> None:
    """Known entries are not doubled, and a text without news is returned as it is."""
    assert append_to_list(FILE, "tags", ["a", "b"]) == FILE


@pytest.mark.parametrize(
    "text", ["---\na: [\n---\n", "---\n{a: 1}\n---\n", "---\nkey: {b: 1}\n---\n"]
)
def test_appending_refuses_what_it_cannot_do(text: str) -> None:
    """Unreadable front matter, a flow mapping and a mapping under the key are refused."""
    with pytest.raises(ValueError, match=r"front matter|find expected"):
        append_to_list(text, "key", ["x"])


@given(
    st.dictionaries(
        st.text(min_size=1, max_size=10),
        st.one_of(st.text(max_size=40), st.booleans(), st.lists(st.text(max_size=10), max_size=3)),
        max_size=6,
    ),
    st.text(max_size=40),
)
def test_what_is_rendered_is_read_back(wanted: dict[str, object], body: str) -> None:
    """Any fields are front matter that reads the same, whatever text follows it."""
    text = render_front_matter(wanted)  # type: ignore[arg-type]
    front, problems = read_front_matter(text + body)
    assert not problems
    assert front.fields == wanted
    assert (text + body)[front.end :] == body
