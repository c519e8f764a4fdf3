"""``check``: what is wrong in homes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolnexus.cli.arguments import add_format, add_homes, chosen_format
from toolnexus.cli.commands import Call, Command
from toolnexus.cli.console import print_json
from toolnexus.cli.findings import (
    finding_annotation,
    finding_lines,
    sarif,
    summary,
)
from toolnexus.cli.homes import Report, reports_of, run_homes

if TYPE_CHECKING:
    from argparse import ArgumentParser

    from toolnexus.app import Home
    from toolnexus.home.finding import Finding

FOUND = 1


def _arguments(parser: ArgumentParser) -> None:
    add_homes(parser)
    add_format(parser, ("text", "json", "github", "sarif"))


def _check(call: Call) -> int:
    chosen = chosen_format(call.arguments)
    if chosen == "sarif":
        return _check_sarif(call)

    def work(home: Home, named: str) -> Report:
        findings = home.check()
        fields = {"findings": findings, "summary": summary(findings)}
        return Report(named, fields, _code(findings), lambda: _show(call, chosen, named, findings))

    return run_homes(call, work)


def _check_sarif(call: Call) -> int:
    """Check all homes into one log, which tells of those that could not be checked as well."""
    found: list[tuple[str, list[Finding]]] = []

    def work(home: Home, named: str) -> Report:
        findings = home.check()
        found.append((named, findings))
        return Report(named, {}, _code(findings), lambda: None)

    reports = reports_of(call, work)
    print_json(sarif(found, [str(report.error) for report in reports if report.error]))
    return max(report.code for report in reports)


def _show(call: Call, chosen: str, named: str, findings: list[Finding]) -> None:
    if chosen == "github":
        for finding in findings:
            print(finding_annotation(named, finding))
    else:
        call.console.results(finding_lines(named, findings))


def _code(findings: list[Finding]) -> int:
    return FOUND if any(finding.severity == "error" for finding in findings) else 0


COMMANDS = (Command("check", "toolnexus check ava", _arguments, _check),)
