"""The picture of the layers and the core types, held against the contracts and the code."""

from __future__ import annotations

import re
import tomllib

from documents import ROOT, read_page

PAGE = "ARCHITECTURE.md"


def test_the_layers_are_those_of_the_contract():
    """The page's table has the packages of import-linter's contract, layer by layer."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    [contract] = [c for c in project["tool"]["importlinter"]["contracts"] if c["type"] == "layers"]
    held = [set(re.split(r"\s*\|\s*", layer)) for layer in contract["layers"]]
    rows = re.findall(r"^\| \d+ \| ([^|]+) \|", read_page(PAGE), re.MULTILINE)
    assert [set(re.findall(r"`(\w+)/?`", row)) for row in rows] == held


def test_the_core_types_are_where_the_page_says():
    """Each type of the page's table is defined in the module that its row links to."""
    section = read_page(PAGE).partition("## Core types")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| (`\w+`.*?) \| \[`.+?`\]\((.+?)\) \|", section, re.MULTILINE)
    assert len(rows) > 8
    for types, path in rows:
        source = (ROOT / path).read_text()
        for name in re.findall(r"`(\w+)`", types):
            assert re.search(rf"^class {name}\b", source, re.MULTILINE), f"{name} in {path}"
