"""Findings in each format."""

from __future__ import annotations

import json
import re

from hypothesis import given, settings
from hypothesis import strategies as st

from toolnexus.cli.annotations import annotation
from toolnexus.cli.findings import finding_annotation, finding_lines, sarif, summary
from toolnexus.home.finding import Finding

BROKEN = Finding("MEMORY.md", 2, "broken-link", "error", "[[tee]] leads nowhere", "write [[tea]]")
WHOLE = Finding("memory/a b.md", 0, "empty-note", "warning", "there is nothing in it")


def text(named: str, findings: list[Finding]) -> str:
    parts = [
        "".join(part if isinstance(part, str) else part.text for part in line)
        for line in finding_lines(named, findings)
    ]
    return "\n".join(parts)


def test_a_person_reads_place_severity_rule_and_hint() -> None:
    """Text output names file and line as seen from here, and ends with the counts."""
    assert text("homes/ava", [BROKEN, WHOLE]) == (
        "homes/ava/MEMORY.md:2: error: [[tee]] leads nowhere [broken-link]\n"
        "  hint: write [[tea]]\n"
        "homes/ava/memory/a b.md: warning: there is nothing in it [empty-note]\n"
        "homes/ava: 1 error, 1 warning"
    )
    assert text(".", []) == ".: no findings"


def test_the_summary_counts_every_severity() -> None:
    """All three severities are counted, those without findings as zero."""
    assert summary([BROKEN, WHOLE, WHOLE]) == {"error": 1, "warning": 2, "info": 0}


def test_github_marks_the_line() -> None:
    """An annotation names the file from the repository's root, the line and the rule."""
    assert finding_annotation("homes/ava", BROKEN) == (
        "::error file=homes/ava/MEMORY.md,line=2,title=broken-link::"
        "[[tee]] leads nowhere%0Awrite [[tea]]"
    )
    assert "line=" not in finding_annotation(".", WHOLE)


@settings(max_examples=60)
@given(st.text(max_size=30), st.text(max_size=30), st.text(max_size=60))
def test_no_text_forges_an_annotation(path: str, title: str, message: str) -> None:
    """Whatever a file or a text is called, it stays one command on one line."""
    line = annotation("warning", path, 3, title, message)
    assert len(line.splitlines()) == 1
    properties = line.split("::", 2)[1].removeprefix("warning ")
    names = [item.split("=")[0] for item in properties.split(",")]
    assert set(names) <= {"file", "line", "title"}
    assert len(names) == len(set(names))


def test_sarif_has_what_viewers_need() -> None:
    """A SARIF log has its rules, a level, a message and an encoded place for each result."""
    log = json.loads(json.dumps(sarif([("homes/ava", [BROKEN, WHOLE])], ["homes/no: no home"])))
    (run,) = log["runs"]
    assert log["version"] == "2.1.0"
    assert [rule["id"] for rule in run["tool"]["driver"]["rules"]] == ["broken-link", "empty-note"]
    first, second = run["results"]
    assert (first["ruleId"], first["ruleIndex"], first["level"]) == ("broken-link", 0, "error")
    place = first["locations"][0]["physicalLocation"]
    assert place == {
        "artifactLocation": {"uri": "homes/ava/MEMORY.md"},
        "region": {"startLine": 2},
    }
    place = second["locations"][0]["physicalLocation"]
    assert place == {"artifactLocation": {"uri": "homes/ava/memory/a%20b.md"}}
    (invocation,) = run["invocations"]
    assert invocation["executionSuccessful"] is False
    assert invocation["toolExecutionNotifications"][0]["message"]["text"] == "homes/no: no home"


def test_sarif_of_nothing_is_a_whole_log() -> None:
    """Without findings there is one run without results, and it went well."""
    log = json.loads(json.dumps(sarif([], [])))
    assert log["runs"][0]["results"] == []
    assert log["runs"][0]["invocations"][0]["executionSuccessful"] is True
    assert re.search(r"sarif.*2\.1\.0", log["$schema"])
