"""Documents as plain lists."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolnexus.text.cache import document_from_json, document_to_json
from toolnexus.text.document import parse_document

LINES = st.sampled_from(
    [
        "---",
        "a: [1, x, 0.5]",
        "b: {c: null}",
        "# H",
        "- a [[b|c]] ^id",
        "  - d",
        "|a|",
        "|-|",
        "|b|",
        "> q",
        "é",
        "```",
    ]
)


@settings(max_examples=100, deadline=None)
@given(st.lists(LINES, max_size=14).map("\n".join))
def test_a_document_survives_json(source: str) -> None:
    """What goes through JSON comes back equal, and reading it leaves the lists alone."""
    document = parse_document(source)
    rows = json.loads(json.dumps(document_to_json(document)))
    before = json.dumps(rows)
    assert document_from_json(rows) == document
    assert json.dumps(rows) == before


@pytest.mark.parametrize(
    "rows",
    [
        [],
        [1],
        [[0, 0, {}], [], [], [["item"]], [], [], [], []],
        [[0, 0, {}], [], [], [1], [], [], [], []],
        [[0]] * 8,
    ],
)
def test_other_lists_are_refused(rows: list[object]) -> None:
    """A cache that was cut or written otherwise is a `ValueError`, and nothing else."""
    with pytest.raises(ValueError, match="no document"):
        document_from_json(rows)
