"""The threat model: each of its lines names code and a test that are there."""

from __future__ import annotations

import re

from documents import ROOT, read_page

LINE = re.compile(
    r"^\| (?P<what>.+?) \| (?P<code>.+?) \| \[`(?P<test>test_\w+)`\]\((?P<file>.+?)\) \|$"
)


def lines():
    """Return the rows of the page's tables of what holds."""
    section = read_page("docs/security.md").partition("\n## What holds\n")[2].partition("\n## ")[0]
    rows = [row for row in section.splitlines() if row.startswith("| ")]
    return [row for row in rows if not row.startswith("| what must hold")]


def test_every_line_of_the_threat_model_has_its_test():
    """Each line tells what holds, by which code, and names a test that stands where it says."""
    assert len(lines()) > 30
    for row in lines():
        found = LINE.match(row)
        assert found, row
        source = (ROOT / "docs" / found["file"]).read_text()
        assert re.search(rf"^def {found['test']}\(", source, re.MULTILINE), row


def test_the_code_of_the_threat_model_is_there():
    """Each module that a line names exists in the package."""
    for row in lines():
        for path in re.findall(r"`([\w/]+(?:\.py|/))`", row.split(" | ")[1]):
            assert (ROOT / "toolnexus" / path).exists(), path


def test_security_leads_to_the_threat_model():
    """The page that people look for first points at the whole."""
    assert "(docs/security.md)" in read_page("SECURITY.md")
