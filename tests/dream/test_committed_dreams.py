"""Git commits of passes (`dream.commit`): exactly their files; git's failures are told."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

import pytest

from toolnexus.app import Home
from toolnexus.clock import FixedClock, parse_instant
from toolnexus.store.git import commit_files

if TYPE_CHECKING:
    from pathlib import Path

    from toolnexus.dream.types import Pass


@pytest.fixture(autouse=True)
def _plain_git(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Keep the machine's own git settings out, and say who commits."""
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(tmp_path / "gitconfig"))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    (tmp_path / "gitconfig").write_text("[user]\nname = Ann\nemail = ann@example.org\n")


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A repository with a home in a folder of it, whose link a pass repairs."""
    root = tmp_path / "repository"
    home = root / "homes" / "bo"
    (home / "memory").mkdir(parents=True)
    (home / "SOUL.md").write_text("You are Bo.\n")
    (home / "persona.yaml").write_text("dream: {commit: true}\n")
    (home / "MEMORY.md").write_text("# Memory\n\n- Keeps bees: [[beekeping]]\n")
    (home / "memory" / "beekeeping.md").write_text("- Two hives, on the roof.\n")
    (home / ".gitignore").write_text(".toolnexus/\n")
    (root / "other.txt").write_text("one\n")
    git(root, "init", "--quiet", "--initial-branch=main")
    git(root, "add", ".")
    git(root, "commit", "--quiet", "-m", "begin")
    return root


def git(root: Path, *words: str) -> str:
    done = subprocess.run(["git", *words], cwd=root, check=True, capture_output=True, text=True)
    return done.stdout


def dream(repository: Path, folder: str = "homes/bo") -> Pass:
    clock = FixedClock(parse_instant("2026-11-29T03:00:00Z"))
    return Home.open(repository / folder, clock=clock).dream()


def hook(repository: Path, script: str) -> None:
    path = repository / ".git" / "hooks" / "pre-commit"
    path.parent.mkdir(exist_ok=True)
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)


def test_exactly_the_files_of_the_pass_are_committed(repository: Path) -> None:
    """What else was staged, changed or new stays staged, changed or new."""
    (repository / "other.txt").write_text("two\n")
    git(repository, "add", "other.txt")
    (repository / "homes/bo/SOUL.md").write_text("You are Bo, a gardener.\n")
    (repository / "new.txt").write_text("new\n")
    done = dream(repository)
    assert git(repository, "rev-parse", "HEAD").strip() == done.commit
    assert git(repository, "show", "--name-only", "--format=", "HEAD").split() == [
        "homes/bo/MEMORY.md",
        "homes/bo/memory/log.md",
    ]
    assert git(repository, "status", "--porcelain").splitlines() == [
        " M homes/bo/SOUL.md",
        "M  other.txt",
        "?? new.txt",
    ]


def test_its_message_is_the_entry_of_the_log(repository: Path) -> None:
    """The subject is the entry's top line with the pass's id, the body its changes."""
    done = dream(repository)
    subject, _, body = git(repository, "log", "-1", "--format=%B").strip().partition("\n\n")
    log = (repository / "homes/bo/memory/log.md").read_text()
    assert f"- {subject}\n  {body}\n" == log
    assert done.id in subject
    assert body.startswith("- relinked MEMORY.md:")


def test_a_note_that_is_gone_is_committed_as_gone(repository: Path) -> None:
    """Merging notes removes one, in git too."""
    memory = repository / "homes/bo/memory"
    for name in ("hives", "hive-list"):
        (memory / f"{name}.md").write_text("---\ntitle: Hives\n---\n- Two, on the roof.\n")
    git(repository, "add", ".")
    git(repository, "commit", "--quiet", "-m", "notes")
    done = dream(repository)
    assert any(change.kind == "merged" for change in done.changes)
    assert "D\thomes/bo/memory/" in git(repository, "show", "--name-status", "--format=", "HEAD")
    assert git(repository, "status", "--porcelain") == ""


@pytest.mark.parametrize("kind", ["hook", "lock", "detached", "identity", "ignored", "none"])
def test_what_keeps_git_from_it_is_told(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    """The pass is done all the same, its files written, and git's index is as it was."""
    told = {
        "hook": "notes are not in order",
        "lock": "index.lock",
        "detached": "no branch is checked out",
        "identity": "git knows no identity",
        "ignored": "git ignores the files",
        "none": "in no git repository",
    }
    match kind:
        case "hook":
            hook(repository, "echo 'notes are not in order' >&2; exit 1")
        case "lock":
            (repository / ".git" / "index.lock").write_text("")
        case "detached":
            git(repository, "checkout", "--quiet", "--detach")
        case "identity":
            (tmp_path / "gitconfig").write_text("[user]\nuseConfigOnly = true\n")
            for name in ("NAME", "EMAIL"):
                monkeypatch.delenv(f"GIT_AUTHOR_{name}", raising=False)
                monkeypatch.delenv(f"GIT_COMMITTER_{name}", raising=False)
            monkeypatch.delenv("EMAIL", raising=False)
        case "ignored":
            git(repository, "rm", "-r", "--quiet", "--cached", "homes")
            (repository / ".gitignore").write_text("homes/\n")
        case "none":
            (repository / ".git").rename(tmp_path / "elsewhere")
    before = git(repository, "ls-files", "-s") if kind != "none" else ""
    done = dream(repository)
    assert (done.outcome, done.commit) == ("done", "")
    assert told[kind] in done.notices[-1]
    assert "[[beekeeping]]" in (repository / "homes/bo/MEMORY.md").read_text()
    if kind != "none":
        assert git(repository, "ls-files", "-s") == before


def test_a_hook_that_waits_is_ended(repository: Path) -> None:
    """Git and its hooks have so much time, and no more."""
    hook(repository, "exec tail -f /dev/null")
    (repository / "other.txt").write_text("two\n")
    made = commit_files(repository, ["other.txt"], "two\n", seconds=0.5)
    assert (made.id, "more than 0.5 s" in made.notice) == ("", True)


def test_odd_names_are_names(repository: Path) -> None:
    """No file's name is taken for an option, a pattern or words of a shell."""
    names = ["--amend", ":(top)x", "*.md", "a b; touch c"]
    for name in names:
        (repository / name).write_text("x\n")
    made = commit_files(repository, names, "odd\n")
    shown = git(repository, "show", "-z", "--name-only", "--format=", "HEAD").split("\0")
    assert sorted(filter(None, shown)) == sorted(names)
    assert "4 files" in made.notice


def test_a_git_of_somewhere_else_is_not_used(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Called from another repository's hook, the home's own repository counts."""
    git(tmp_path, "init", "--quiet", "elsewhere")
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "elsewhere" / ".git"))
    monkeypatch.setenv("GIT_INDEX_FILE", str(tmp_path / "elsewhere" / "index"))
    done = dream(repository)
    assert done.commit
    monkeypatch.delenv("GIT_DIR")
    monkeypatch.delenv("GIT_INDEX_FILE")
    assert git(repository, "rev-parse", "HEAD").strip() == done.commit


def test_nothing_is_committed_where_nothing_is_written(repository: Path) -> None:
    """A dry run, and a pass with nothing to do, ask nothing of git."""
    head = git(repository, "rev-parse", "HEAD")
    clock = FixedClock(parse_instant("2026-11-29T03:00:00Z"))
    home = Home.open(repository / "homes/bo", clock=clock)
    assert home.dream(dry_run=True).notices == ()
    assert git(repository, "rev-parse", "HEAD") == head
