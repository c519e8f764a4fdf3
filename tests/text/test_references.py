"""References: which labels a text uses, where they are defined, and what they come to."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from toolnexus.text.references import definitions_in, inlined, labels_used

TEXT = """\
See [tea][t], [Tea Shop][] and [tea  shop]; not `[code]`, [[note]], [inline](a.md) or [gone].

[T]: memory/tea.md "Tea"
[tea
shop]: <https://example.org/a b>
"""


def test_definitions_are_found_where_they_stand():
    """Labels fold as Markdown compares them; a definition over two lines is one."""
    found = definitions_in(TEXT)
    assert {label: each.target for label, each in found.items()} == {
        "T": "memory/tea.md",
        "TEA SHOP": "https://example.org/a%20b",
    }
    assert [TEXT[each.start : each.end] for each in found.values()] == [
        '[T]: memory/tea.md "Tea"\n',
        "[tea\nshop]: <https://example.org/a b>\n",
    ]


def test_uses_are_written_out():
    """Each of the three ways to use a label becomes a link of its own; all else stays."""
    said = TEXT.partition("\n")[0]
    assert inlined(said, definitions_in(TEXT)) == (
        "See [tea](<memory/tea.md>), [Tea Shop](<https://example.org/a%20b>) and"
        " [tea  shop](<https://example.org/a%20b>);"
        " not `[code]`, [[note]], [inline](a.md) or [gone]."
    )


@given(st.text(st.sampled_from(list("[]ab: `\\()\n<>")), max_size=40))
def test_a_text_without_definitions_stays(text):
    """Whatever is in brackets, only what is defined is rewritten, and only it counts as used."""
    defined = definitions_in(text)
    if not labels_used(text, [(0, len(text))]) & defined.keys():
        assert inlined(text, defined) == text
    assert inlined(text, {}) == text
