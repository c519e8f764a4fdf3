from __future__ import annotations

import pytest

from toolnexus.home.repeats import may_repeat
from toolnexus.text.document import parse_document


@pytest.mark.parametrize(
    ("text", "may"),
    [
        ("", False),
        ("- Tea.\n", False),
        ("- Tea.\n- Coffee.\n", False),
        ("- Tea.\n- **tea**\n", True),
        ("- See [[tea]].\n- See [[Tea|the tea]].\n", True),
        ("- See [[tea]].\n- See [[cups]].\n", True),
        ("- See [tea](tea.md).\n- See [[cups]].\n", True),
        ("- See [[tea]].\n- Drink [[tea]].\n", False),
    ],
)
def test_a_closer_look_is_worth_it_only_where_words_are_the_same(text, may):
    """Claims of the same words may be the same, wherever links lead; other claims cannot be."""
    assert may_repeat(parse_document(text)) is may
