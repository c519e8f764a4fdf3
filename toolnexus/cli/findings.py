"""Findings in each of the formats that ``check`` speaks."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from toolnexus import __version__
from toolnexus.cli.annotations import Level, annotation
from toolnexus.cli.console import Styled
from toolnexus.cli.homes import shown_path

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from toolnexus.cli.console import Line
    from toolnexus.home.finding import Finding, Severity

SARIF_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_COLOURS: dict[Severity, str] = {"error": "red", "warning": "yellow", "info": "cyan"}
_LEVELS: dict[Severity, Level] = {"error": "error", "warning": "warning", "info": "notice"}
_SARIF_LEVELS: dict[Severity, str] = {"error": "error", "warning": "warning", "info": "note"}


def summary(findings: Iterable[Finding]) -> dict[str, int]:
    """Count findings by severity."""
    counts = Counter(finding.severity for finding in findings)
    return {severity: counts[severity] for severity in _LEVELS}


def counted(counts: Mapping[str, int]) -> str:
    """Say how many findings there are of each severity.

    Example:
        >>> counted({"error": 2, "warning": 1, "info": 0})
        '2 errors, 1 warning'
    """
    told = [f"{n} {severity}{'s' * (n != 1)}" for severity, n in counts.items() if n]
    return ", ".join(told) or "no findings"


def finding_lines(named: str, findings: Sequence[Finding]) -> Iterator[Line]:
    """Write findings for a person, with the counts at the end."""
    for finding in findings:
        where = shown_path(named, finding.path)
        place = f"{where}:{finding.line}: " if finding.line else f"{where}: "
        severity = Styled(finding.severity, _COLOURS[finding.severity])
        yield place, severity, f": {finding.message} ", Styled(f"[{finding.rule}]", "dim")
        if finding.hint:
            yield (f"  hint: {finding.hint}",)
    yield (f"{shown_path(named, '')}: {counted(summary(findings))}",)


def finding_annotation(named: str, finding: Finding) -> str:
    """Write a finding as an annotation of GitHub Actions."""
    path = shown_path(named, finding.path)
    return annotation(
        _LEVELS[finding.severity], path, finding.line, finding.rule, _message(finding)
    )


def sarif(homes: Sequence[tuple[str, Sequence[Finding]]], failures: Sequence[str]) -> object:
    """Write the findings of homes as one SARIF 2.1.0 log.

    Args:
        homes: Each home as it was named, with its findings.
        failures: Why homes could not be checked, a sentence each.
    """
    rules = sorted({finding.rule for _, findings in homes for finding in findings})
    results = [
        _sarif_result(named, finding, rules) for named, findings in homes for finding in findings
    ]
    driver = {
        "name": "toolnexus",
        "version": __version__,
        "rules": [{"id": rule, "shortDescription": {"text": _spoken(rule)}} for rule in rules],
    }
    notes = [{"level": "error", "message": {"text": failure}} for failure in failures]
    invocation = {"executionSuccessful": not failures, "toolExecutionNotifications": notes}
    run = {
        "tool": {"driver": driver},
        "invocations": [invocation],
        "columnKind": "unicodeCodePoints",
        "results": results,
    }
    return {"$schema": SARIF_SCHEMA, "version": "2.1.0", "runs": [run]}


def _sarif_result(named: str, finding: Finding, rules: list[str]) -> object:
    location: dict[str, object] = {
        "artifactLocation": {"uri": _uri(shown_path(named, finding.path))}
    }
    if finding.line:
        location["region"] = {"startLine": finding.line}
    return {
        "ruleId": finding.rule,
        "ruleIndex": rules.index(finding.rule),
        "level": _SARIF_LEVELS[finding.severity],
        "message": {"text": _message(finding)},
        "locations": [{"physicalLocation": location}],
    }


def _message(finding: Finding) -> str:
    return f"{finding.message}\n{finding.hint}" if finding.hint else finding.message


def _uri(path: str) -> str:
    from urllib.parse import quote

    encoded = quote(path.encode("utf-8", "surrogateescape"))
    return f"file://{encoded}" if path.startswith("/") else encoded


def _spoken(rule: str) -> str:
    return rule.replace("-", " ").capitalize()
