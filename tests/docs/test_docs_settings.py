"""The page that explains persona.yaml, held against what is read."""

from __future__ import annotations

import re

from documents import read_blocks, read_page

from toolnexus.settings import Settings, parse_settings, settings_problems
from toolnexus.settings.parse import _settings
from toolnexus.settings.reading import Reading

PAGE = "docs/home-format.md"


def table() -> dict[str, str]:
    """Return the settings of the page's table, each with its default as shown."""
    section = read_page(PAGE).partition("## persona.yaml")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| `([\w.]+)` \| (.+?) \|", section, re.MULTILINE)
    return dict(rows)


def known() -> set[str]:
    """Return every setting there is, dotted; a section is none."""
    reading = Reading({})
    _settings(reading.section((), {"mcp_servers": {"NAME": {}}}))
    paths = {path for section in reading._sections for path in section.known_paths()}
    inner = {path[:-1] for path in paths}
    return {".".join(path) for path in paths - inner}


def test_the_table_has_every_setting_and_no_other():
    """The page's table names exactly the settings that are read."""
    assert set(table()) == known()


def test_the_defaults_are_the_defaults():
    """A persona.yaml with all that the table shows as defaults means the same as an empty one."""
    lines = [
        f"{{{': {'.join(key.split('.'))}: {shown.strip('`')}{'}' * len(key.split('.'))}"
        for key, shown in table().items()
        if shown.startswith("`")
    ]
    assert len(lines) > 5
    for line in lines:
        assert parse_settings(line) == Settings(), line


def test_the_example_is_valid():
    """The page's example of a persona.yaml has no problem."""
    examples = [b.text for b in read_blocks(read_page(PAGE)) if b.language == "yaml"]
    assert examples
    assert [problem for text in examples for problem in settings_problems(text)] == []
