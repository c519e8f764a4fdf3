"""The page on tool servers: its example is made, and does what the page says."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

import pytest
from servers_of_tests import PATIENCE_SECONDS

from toolnexus.app import Home
from toolnexus.settings import settings_problems
from toolnexus.testing.model import ScriptedModel, call, use

PAGE = Path(__file__).parents[2] / "docs" / "mcp.md"


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE.read_text(), re.MULTILINE | re.DOTALL)


@pytest.mark.slow
def test_the_first_server_of_the_page_works(tmp_path: Path, monkeypatch):
    """The program and the settings of the page, as they stand there, give the persona its tool."""
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    settings = f"{blocks('yaml')[0]}    timeout_seconds: {PATIENCE_SECONDS:g}\n"
    for name, text in {
        "SOUL.md": "You are Ava.\n",
        "garden.py": blocks("py")[0],
        "persona.yaml": settings,
    }.items():
        (tmp_path / name).write_text(text)
    model = ScriptedModel(
        use(call("garden__moisture", bed=3)), lambda request: request.messages[-1].text
    )
    reply = Home.open(tmp_path, model=model).ask("How moist is bed 3?")
    assert (reply.text, reply.notices) == ("bed 3: 41 %", ())


def test_all_settings_of_the_page_are_valid():
    """No example of the page has a problem."""
    assert [problem for text in blocks("yaml") for problem in settings_problems(text)] == []
