"""What a quick command loads, and what it must not."""

from __future__ import annotations

import subprocess
import sys

import pytest

HEAVY = ("chromadb", "litellm", "numpy", "onnxruntime", "httpx", "wordllama")


def loaded_by(*lines: str) -> set[str]:
    """Run commands in one fresh process; return the modules that they loaded."""
    script = (
        "import sys; from toolnexus.cli.main import main; [main(l.split()) for l in sys.argv[1:]];"
        " print('\\n' + ' '.join(sys.modules))"
    )
    command = [sys.executable, "-c", script, *lines]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return set(done.stdout.splitlines()[-1].split())


def test_the_version_loads_next_to_nothing(shell):
    """--version needs neither argparse nor any package of ours but the command line's."""
    modules = loaded_by("--version")
    assert "argparse" not in modules
    ours = {name for name in modules if name.startswith("toolnexus")}
    assert ours == {"toolnexus", "toolnexus.cli", "toolnexus.cli.main"}


@pytest.mark.slow
def test_quick_commands_load_nothing_heavy(shell, home):
    """Commands that search nothing start without a vector store, a model library or numpy."""
    quick = ("check", "overview", "log", "dream", "review", "transcripts list")
    assert not loaded_by(*(f"{command} {home}" for command in quick)) & set(HEAVY)


@pytest.mark.slow
def test_a_warm_check_parses_nothing(shell):
    """A second check of an unchanged home, heartbeat and all, needs no Markdown parser."""
    shell.run("new", "bo")
    shell.run("check", "bo")
    modules = loaded_by("check bo")
    assert "toolnexus.app.home" in modules
    assert "markdown_it" not in modules


@pytest.mark.slow
def test_talking_loads_no_vendor_before_there_is_something_to_say(shell, home):
    """Help, and an error for want of a model, come without a model library."""
    assert not loaded_by("ask --help", "chat --help") & {*HEAVY, "toolnexus.app.chat"}
    script = (
        "import sys; from toolnexus.cli.main import main; main(sys.argv[1:]); print(*sys.modules)"
    )
    command = [sys.executable, "-c", script, "ask", home, "hi"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "there is no model to ask" in done.stderr
    assert not set(done.stdout.split()) & set(HEAVY)


def test_a_fresh_home_is_read_without_a_markdown_parser(shell):
    """The comments of the template are no reason to load one: a first beat starts quickly."""
    shell.run("new", "bo")
    modules = loaded_by("beat bo")
    assert "toolnexus.heartbeat.gates" in modules
    spared = {"markdown_it", "filelock", "logging", "subprocess", "toolnexus.agent.tool"}
    assert not modules & {*HEAVY, *spared}


@pytest.mark.slow
def test_a_question_to_an_unchanged_home_needs_no_vector_store(shell, home):
    """Once a home is indexed, a search in a fresh process answers from what is kept of it."""
    shell.run("index", home)
    modules = loaded_by(f"search {home} tea")
    assert "numpy" in modules
    assert not modules & {"chromadb", "onnxruntime", "litellm"}
