"""What the soaks share: the server of commands, and the count of faults over all processes.

TOOLNEXUS_FAULTS_REPORT names a Markdown file whose measured part is written anew.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from fork_server import CommandServer
from interposer import build, can_build
from tally import PROPERTY, Tally

if TYPE_CHECKING:
    from collections.abc import Iterator

BEGIN, END = "<!-- measured: begin -->\n", "<!-- measured: end -->\n"
_ALL = Tally()


@pytest.fixture
def tally(record_property: pytest.RecordProperty) -> Iterator[Tally]:
    """A count that finds its way into the report, whichever process the test runs in."""
    counted = Tally()
    yield counted
    record_property(PROPERTY, counted.to_json())


@pytest.fixture(scope="session")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The compiled interposer."""
    if not can_build():
        pytest.skip("bringing faults about needs Linux and a C compiler")
    return build(tmp_path_factory.mktemp("interposer"))


@pytest.fixture(scope="session")
def server(library: Path) -> Iterator[CommandServer]:
    """A server that runs each command in a process of its own."""
    with CommandServer(library) as running:
        yield running


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Collect what a test counted, in the process that reports."""
    if report.when == "teardown" and "PYTEST_XDIST_WORKER" not in os.environ:
        for name, value in report.user_properties:
            if name == PROPERTY:
                _ALL.add(value)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Show the count, and write it where a file is named."""
    if not _ALL.rows:
        return
    scope = os.environ.get("TOOLNEXUS_SOAK", "sample")
    report = _ALL.report(_scope(terminalreporter, scope))
    terminalreporter.section(f"faults ({scope})")
    terminalreporter.write(report)
    target = os.environ.get("TOOLNEXUS_FAULTS_REPORT")
    if target:
        write_between(Path(target), report)


def _scope(reporter: pytest.TerminalReporter, scope: str) -> str:
    """Name the counts; a run in which tests failed or never came to their turn says so."""
    passed, failed = (len(reporter.stats.get(name, ())) for name in ("passed", "failed"))
    assert reporter._session is not None
    wanted = reporter._session.testscollected - len(reporter.stats.get("skipped", ()))
    if passed == wanted:
        return scope
    return f"{scope}, {passed} of {wanted} tests passed, {failed} failed"


def write_between(page: Path, report: str) -> None:
    """Put the report between the marks of a page."""
    head, _, rest = page.read_text("utf-8").partition(BEGIN)
    _, _, tail = rest.partition(END)
    page.write_text(f"{head}{BEGIN}\n{report}\n{END}{tail}", "utf-8")
