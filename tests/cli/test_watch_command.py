"""``watch``, run as people run it: another process saves, and a line comes."""

from __future__ import annotations

import json
import signal
import subprocess
import sys

import pytest

CODE = "from toolnexus.cli.main import run; run()"


@pytest.fixture
def ava(tmp_path):
    """A small home in order."""
    (tmp_path / "memory").mkdir()
    (tmp_path / "MEMORY.md").write_text("- See [[tea]].\n")
    (tmp_path / "memory/tea.md").write_text("- Green.\n")
    return tmp_path


@pytest.mark.slow
@pytest.mark.parametrize("end", [signal.SIGTERM, signal.SIGINT])
def test_a_save_brings_a_line_and_a_signal_an_end(ava, end):
    """Findings are printed when a file is saved, deleted or moved; it ends with 0 when told to."""
    command = [sys.executable, "-c", CODE, "watch", str(ava), "--json"]
    watch = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert watch.stdout is not None

    def told():
        """Read what is told of one change, and that it was indexed."""
        findings, index = (json.loads(watch.stdout.readline()) for _ in range(2))
        assert findings["schema"] == index["schema"] == "toolnexus/watch/1"
        return findings, index["indexed"]

    first, indexed = told()
    assert (first["new"], indexed) == ([], 2)
    (ava / "memory/tea.md").rename(ava / "memory/green.md")
    moved, _ = told()
    assert moved["moved"] == [{"old": "memory/tea.md", "new": "memory/green.md", "links": 1}]
    assert [finding["rule"] for finding in moved["new"]] == ["broken-link", "orphan-note"]
    (ava / "MEMORY.md").write_text("- See [[green]].\n")
    mended, _ = told()
    assert [finding["rule"] for finding in mended["gone"]] == ["broken-link", "orphan-note"]
    watch.send_signal(end)
    assert watch.wait() == 0
    watch.stdout.close()


def test_once_is_for_people_too(shell, ava):
    """``--once`` prints what there is to mend, with the command that mends a rename, and stops."""
    (ava / "MEMORY.md").write_text("- See [[nowhere]].\n")
    shown = shell.run("watch", str(ava), "--once")
    assert shown.code == 0
    assert "the link 'nowhere' leads to no note" in shown.out
    assert "1 error, 1 warning" in shown.out
