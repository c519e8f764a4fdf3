"""``imagine`` from the shell."""

from __future__ import annotations

import pytest

from toolnexus.testing.openai_server import OpenAiServer, ServerReply

NOW = ("--now", "2026-11-30T08:00:00Z")


@pytest.fixture
def many(shell):
    """A home of ten notes, three of which share words."""
    shell.write("bo/SOUL.md", "I am Bo.\n")
    for number in range(10):
        words = "Slept badly at the harbour" if number < 3 else "Something else"
        tag = "travel" if number < 5 else "music"
        shell.write(f"bo/memory/n{number}.md", f"---\ntags: [{tag}]\n---\n- {words}, {number}.\n")
    return "bo"


def test_a_dry_run_is_a_diff(shell, many):
    """What would be written is shown as a diff from nothing, and nothing is written."""
    ran = shell.run("imagine", many, "--dry-run", *NOW)
    assert ran.code == 0
    assert "--- /dev/null\n+++ b/bo/memory/imagined/imagined-" in ran.out
    assert "+status: proposed\n" in ran.out
    assert "+derived_from: [n0, n1, n2]\n" in ran.out
    assert ran.out.endswith("bo: 3 imagined\n")
    assert not (shell.folder / "bo/memory/imagined").exists()


def test_the_document_tells_each_guess(shell, many):
    """With ``--json`` one document has the guesses, with what they are made of, and the changes."""
    document = shell.run("imagine", many, "--json", *NOW).document
    assert document["schema"] == "toolnexus/imagine/1"
    assert (document["outcome"], document["wrote"], document["notes"]) == ("done", True, 10)
    assert (document["topics"], document["next_due"]) == (2, "2026-11-30T14:00:00Z")
    guess = document["imagined"][0]
    assert guess["derived_from"] == ["n0", "n1", "n2"]
    assert guess["path"] in [change["path"] for change in document["changes"]]
    assert guess["text"] in shell.read(f"bo/{guess['path']}")
    assert document["usage"]["model_calls"] == 0


def test_it_says_how_to_undo_it(shell, many):
    """The last line names the write's id, and `revert` with it takes the guesses away."""
    ran = shell.run("imagine", many, *NOW)
    words = ran.out.splitlines()[-1].partition("toolnexus ")[2].rstrip(")").split()
    assert words[:2] == ["revert", "bo"]
    assert shell.run(*words).code == 0
    assert not list((shell.folder / "bo/memory").rglob("imagined*.md"))


def test_too_few_notes_are_no_error(shell, home):
    """A small home is told that it is too small, with code 0."""
    ran = shell.run("imagine", home)
    assert (ran.code, "it takes 10 live notes, and there are 1" in ran.out) == (0, True)


def test_a_scope_that_is_none_is_wrong_usage(shell, many):
    """A folder that is not there, or lies elsewhere, is exit code 2."""
    assert shell.run("imagine", many, "--scope", "../x").code == 2
    assert shell.run("imagine", many, "--scope", "nowhere").code == 2


def test_a_model_that_refuses_is_code_69(shell, many, monkeypatch):
    """Where the model fails, that is told, and nothing is written."""
    with OpenAiServer(ServerReply(status=401, body=b"{}")) as server:
        monkeypatch.setenv("OPENAI_API_BASE", server.base_url)
        monkeypatch.setenv("OPENAI_API_KEY", "sk-none")
        ran = shell.run("imagine", many, "--model", "openai/gpt-4o-mini", "--json", *NOW)
    assert (ran.code, ran.document["outcome"], ran.document["wrote"]) == (69, "failed", False)
