"""What a quick command loads, and what it must not."""

from __future__ import annotations

import subprocess
import sys

import pytest

HEAVY = ("chromadb", "litellm", "numpy", "onnxruntime", "httpx", "wordllama")


def loaded_by(*words: str) -> set[str]:
    """Run a command in a fresh process; return the modules that it loaded."""
    script = (
        "import sys; from toolnexus.cli.main import main; main(sys.argv[1:]);"
        " print('\\n' + ' '.join(sys.modules))"
    )
    command = [sys.executable, "-c", script, *words]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return set(done.stdout.splitlines()[-1].split())


def test_the_version_loads_next_to_nothing(shell):
    """--version needs neither argparse nor any package of ours but the command line's."""
    modules = loaded_by("--version")
    assert "argparse" not in modules
    ours = {name for name in modules if name.startswith("toolnexus")}
    assert ours == {"toolnexus", "toolnexus.cli", "toolnexus.cli.main"}


@pytest.mark.parametrize("command", ["check", "overview", "log", "dream", "review"])
def test_quick_commands_load_nothing_heavy(shell, home, command):
    """Commands that search nothing start without a vector store, a model library or numpy."""
    assert not loaded_by(command, home) & set(HEAVY)


def test_a_warm_check_parses_nothing(shell, home):
    """A second check of unchanged files needs no Markdown parser."""
    loaded_by("check", home)
    assert "markdown_it" not in loaded_by("check", home)
