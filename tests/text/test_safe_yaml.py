"""YAML without its traps."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolnexus import safe_yaml

# JSON writes what lies beyond as two halves, which YAML does not read.
TEXT = st.text(alphabet=st.characters(max_codepoint=0xFFFF, exclude_categories=["Cs"]), max_size=8)
PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**12), 10**12) | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=12,
)


@pytest.mark.parametrize(
    ("source", "value"),
    [
        *(
            ("true", True),
            ("False", False),
            ("TRUE", True),
            ("null", None),
            ("~", None),
            ("", None),
        ),
        *(("on", "on"), ("off", "off"), ("yes", "yes"), ("No", "No"), ("y", "y"), ("n", "n")),
        *(("12:30:00", "12:30:00"), ("0123", "0123"), ("1_000", "1_000"), ("0x1f", "0x1f")),
        *(("2026-03-01", "2026-03-01"), ("2026-03-01T10:00:00Z", "2026-03-01T10:00:00Z")),
        *(("42", 42), ("-7", -7), ("0", 0), ("0.3", 0.3), ("1e3", 1000.0), ("-1.5", -1.5)),
        *((".5", ".5"), ("+1", "+1"), (".inf", ".inf"), ("1e999", "1e999"), ("'1'", "1")),
        *(('"true"', "true"), ("!!str 5", "5"), ("!!int '5'", 5), ("=", "="), ("<<", "<<")),
    ],
)
def test_scalars(source: str, value: object) -> None:
    """A scalar means what it looks like, and none of YAML 1.1's surprises."""
    loaded = safe_yaml.load(f"key: {source}")
    assert loaded == {"key": value}
    assert isinstance(loaded, dict)
    assert type(loaded["key"]) is type(value)


@pytest.mark.parametrize(
    ("source", "line"),
    [
        ("a: 1\nb: 2\na: 3", 3),
        ("a: !python/object:os.system x", 1),
        ("a: 1\nb: !own {}", 2),
        ("a: [1, 2", 1),
        ("\n\na: *gone", 3),
        ("a: &a [*a]", 1),
        ("a: 1\n---\nb: 2", 2),
        ("? [x]\n: 1", 1),
        ("a: " + "[" * 60 + "]" * 60, 1),
        ("a: " + "[" * 50_000, 1),
        ("a: 1\nb: \ud800", 2),
        ("a: \x00", 1),
        ("a: !!int x", 1),
        ("x" * (safe_yaml.MAX_CHARS + 1), 1),
        ("[" + "1," * 10_001 + "]", 1),
    ],
)
def test_refusals(source: str, line: int) -> None:
    """What is refused is refused with its line, before it can cost anything."""
    with pytest.raises(safe_yaml.YamlProblem) as caught:
        safe_yaml.load(source)
    assert caught.value.line == line
    assert caught.value.message


def test_an_alias_bomb_is_refused_but_plain_aliases_are_read() -> None:
    """Aliases count with all they stand for, so that nine lines cannot become a billion values."""
    rows = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    rows += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 9)]
    with pytest.raises(safe_yaml.YamlProblem, match="aliases"):
        safe_yaml.load("\n".join(rows))
    assert safe_yaml.load("a: &a [x]\nb: *a") == {"a": ["x"], "b": ["x"]}


def test_key_lines() -> None:
    """Each key path and list entry has the line it stands on."""
    source = "# c\na:\n  b:\n    - x\n    - c: 1\nd: 2\n"
    assert safe_yaml.key_lines(source) == {
        ("a",): 2,
        ("a", "b"): 3,
        ("a", "b", "0"): 4,
        ("a", "b", "1"): 5,
        ("a", "b", "1", "c"): 5,
        ("d",): 6,
    }


@pytest.mark.slow
@settings(max_examples=150, deadline=None)
@given(PLAIN)
def test_json_is_read_as_json(value: object) -> None:
    """JSON is YAML: what `json` writes comes back as it was."""
    assert safe_yaml.load(json.dumps(value)) == value


@settings(max_examples=150, deadline=None)
@given(st.text(max_size=60) | st.text(alphabet="ab:-[]{}&*!#|>'\"\n ?,%@`~", max_size=40))
def test_any_text_is_a_value_or_a_problem(source: str) -> None:
    """Nothing but a `YamlProblem` ever comes out of bad YAML, and its line is in the text."""
    line = 1
    try:
        safe_yaml.load(source)
    except safe_yaml.YamlProblem as problem:
        line = problem.line
    assert 1 <= line <= source.count("\n") + 1
