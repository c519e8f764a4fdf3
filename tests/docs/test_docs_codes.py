"""The tables of exit codes, rules and layouts in the documents, held against the code."""

from __future__ import annotations

import re
from pathlib import Path

from documents import read_page

import toolnexus
from toolnexus import errors
from toolnexus.home.layout import LAYOUTS

PACKAGE = Path(toolnexus.__file__).parent


def first_cells(text: str) -> list[str]:
    """Return the first cell of each row of the tables in a text, headings left out."""
    rows = re.findall(r"^\| ([^|]+?) \|", text, re.MULTILINE)
    return [row.strip("`") for row in rows if not row.startswith("-")]


def section(name: str, heading: str) -> str:
    return read_page(name).partition(f"\n## {heading}\n")[2].partition("\n## ")[0]


def test_the_ci_page_has_every_exit_code():
    """The codes of the errors, and the few that are no error, stand in the page's table."""
    classes = [cls for cls in vars(errors).values() if isinstance(cls, type)]
    codes = {cls.exit_code for cls in classes if issubclass(cls, errors.ToolnexusError)}
    shown = {int(cell) for cell in first_cells(section("docs/ci.md", "Exit codes"))[1:]}
    assert shown == codes | {0, 1, 130}


def test_the_format_page_has_every_layout():
    """Each layout has its row, with the folder of its notes and its log."""
    rows = section("docs/home-format.md", "Layouts")
    for name, layout in LAYOUTS.items():
        assert re.search(rf"^\| `{name}` .*`{re.escape(layout.log_path)}`", rows, re.MULTILINE)


def test_the_format_page_has_every_rule():
    """Each rule that a finding can have stands in the page's table, and no other does."""
    sources = [path.read_text() for path in PACKAGE.rglob("*.py")]
    used = set(first_cells(section("docs/home-format.md", "What check finds"))[1:])
    pattern = "|".join(re.escape(rule) for rule in used)
    assert used == set(re.findall(rf'"({pattern})"', "\n".join(sources)))
    spoken = re.findall(
        r'"([a-z]+(?:-[a-z0-9]+)+)",\s*"(?:error|warning|info)"', "\n".join(sources)
    )
    assert set(spoken) <= used
