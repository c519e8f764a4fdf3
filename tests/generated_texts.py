"""Texts of a few lines, drawn by Hypothesis: what is compared and merged line by line."""

from __future__ import annotations

from hypothesis import strategies as st

LINES = st.sampled_from(
    [
        "- Lives in Paris.",
        "- Lives in Berlin.",
        "- Drinks tea.",
        "  with milk",
        "  - nested",
        "# Memory",
        "## People",
        "",
        "Some prose.",
        "| a | b |",
        "> quoted",
        "```",
        "---",
        "title: x",
        "\ufeff# Bom",
    ]
)
TEXTS = st.builds(
    lambda lines, newline, last: newline.join(lines) + (newline if last else ""),
    st.lists(LINES, max_size=14),
    st.sampled_from(["\n", "\r\n"]),
    st.booleans(),
)
