"""The template of a fresh persona."""

from __future__ import annotations

import re
from pathlib import Path

import toolnexus.app
from toolnexus.settings import settings_problems
from toolnexus.settings.parse import _settings
from toolnexus.settings.reading import Reading

TEMPLATE = Path(toolnexus.app.__file__).parent / "template"


def uncommented() -> str:
    """Return persona.yaml as a person has it who takes away the first mark of every setting."""
    lines = (TEMPLATE / "persona.yaml").read_text().splitlines()[3:]
    return "\n".join(line.removeprefix("# ") for line in lines)


def test_every_setting_of_the_template_is_valid() -> None:
    """With its marks taken away, the template's persona.yaml has no problem."""
    assert re.search(r"^  every: 30m", uncommented(), re.MULTILINE)
    assert settings_problems(uncommented()) == []


def test_the_template_shows_every_key() -> None:
    """Each key that settings know stands in the template, as an example or a default."""
    reading = Reading({})
    _settings(reading.section((), {"mcp_servers": {"files": {}}}))
    known = {path[-1] for section in reading._sections for path in section.known_paths()}
    shown = set(re.findall(r"(\w+):(?: |$)", uncommented(), re.MULTILINE))
    assert known - shown == set()


def test_comments_are_all_that_the_template_says_at_first() -> None:
    """Only headings, comments and the first lines of the soul stand in a fresh home."""
    for path in TEMPLATE.glob("*.md"):
        bare = re.sub(r"<!--.*?-->|(?m:^#[^\n]*$)", "", path.read_text(), flags=re.DOTALL)
        assert bool(bare.strip()) == (path.name == "SOUL.md"), path.name
