"""Dreams in CI: exit codes in every format, cached state, the action, the pull request."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from toolnexus import safe_yaml
from toolnexus.app import Home
from toolnexus.change.plan import Change, Evidence
from toolnexus.cli.pass_markdown import LONGEST, pass_markdown
from toolnexus.clock import FixedClock, parse_instant
from toolnexus.dream.types import Pass
from toolnexus.testing.model import ScriptedModel, call, use

if TYPE_CHECKING:
    from conftest import Ran, Shell

ROOT = Path(__file__).parents[2]
NOW = "2026-11-29T03:00:00Z"
FORMATS = ("text", "json", "github", "patch", "markdown")
CITED = {"conversation": "m", "turn": 1, "quote": "we finally moved to Berlin"}
MOVE = {"action": "replace", "text": "Lives in Paris.", "evidence": [CITED]}


@pytest.fixture
def contradicted(shell: Shell) -> Path:
    """A home `ava` whose transcript contradicts one of two claims."""
    shell.write("ava/SOUL.md", "You are Ava.\n")
    shell.write("ava/MEMORY.md", "# Memory\n\n- Lives in Paris.\n- Plays the flute.\n")
    turn = {"role": "user", "content": "Big news: we finally moved to Berlin.", "ts": NOW}
    return shell.write("ava/transcripts/m.jsonl", json.dumps(turn) + "\n").parents[1]


def record(home: Path, tape: Path, after: str = "Lives in Berlin.") -> None:
    """Record a pass over a copy of a home, in which a scripted model corrects where they live."""
    copy = tape.with_suffix(".home")
    shutil.copytree(home, copy)
    model = ScriptedModel(use(call("memory", **MOVE, **{"with": after})), default="HEARTBEAT_OK")
    Home.open(copy, clock=FixedClock(parse_instant(NOW))).dream(model=model, record=tape)


def dream(shell: Shell, *options: str) -> Ran:
    return shell.run("dream", "ava", "--replay", "tape", "--state", "state", "--now", NOW, *options)


@pytest.mark.slow
@pytest.mark.parametrize("form", FORMATS)
def test_a_check_changes_nothing_and_exits_with_1(
    shell: Shell, contradicted: Path, form: str
) -> None:
    """In every format it tells the change on standard output, and writes no file of the home."""
    record(contradicted, shell.folder / "tape")
    before = {path: path.read_bytes() for path in contradicted.rglob("*") if path.is_file()}
    ran = dream(shell, "--check", "--strict", "--format", form)
    assert ran.code == 1
    assert "Lives in Berlin." in ran.out
    assert "we finally moved to Berlin" in ran.out
    assert {path: path.read_bytes() for path in contradicted.rglob("*") if path.is_file()} == before


@pytest.mark.slow
@pytest.mark.parametrize("form", FORMATS)
def test_after_the_pass_a_check_is_content(shell: Shell, contradicted: Path, form: str) -> None:
    """The pass exits with 0; with the state kept, the next check exits with 0 and asks no model."""
    record(contradicted, shell.folder / "tape")
    assert dream(shell, "--format", form).code == 0
    assert (contradicted / ".toolnexus").exists() is False
    shell.write("none", "")
    again = ("dream", "ava", "--replay", "none", "--state", "state", "--check", "--strict")
    assert shell.run(*again, "--now", NOW, "--format", form).code == 0


@pytest.mark.slow
@pytest.mark.parametrize(("strict", "code"), [((), 0), (("--strict",), 3)])
@pytest.mark.parametrize("form", FORMATS)
def test_strict_exits_with_3_where_a_change_waits(
    shell: Shell, contradicted: Path, form: str, strict: tuple[str, ...], code: int
) -> None:
    """A change that cannot be proved waits; only with `--strict` that fails the job."""
    record(contradicted, shell.folder / "tape", "Lives in sunny Berlin.")
    assert dream(shell, "--check", "--format", form, *strict).code == code
    assert dream(shell, "--format", form, *strict).code == code


@pytest.mark.slow
def test_a_held_pass_exits_with_3(shell: Shell, contradicted: Path) -> None:
    """What would empty MEMORY.md is held for a person; a check says so, and exits with 1."""
    shell.write("ava/MEMORY.md", "# Memory\n\n- Lives in Paris.\n")
    tape = shell.folder / "tape"
    copy = shell.folder / "copy"
    shutil.copytree(contradicted, copy)
    turn = {"role": "user", "content": "We no longer live in Paris.", "ts": NOW}
    for name in ("ava", "copy"):
        shell.write(f"{name}/transcripts/m.jsonl", json.dumps(turn) + "\n")
    cited = {"conversation": "m", "turn": 1, "quote": "We no longer live in Paris."}
    drop = use(call("memory", action="remove", text="Lives in Paris.", evidence=[cited]))
    model = ScriptedModel(drop, default="HEARTBEAT_OK")
    Home.open(copy, clock=FixedClock(parse_instant(NOW))).dream(model=model, record=tape)
    check = dream(shell, "--check")
    assert (check.code, "would be held" in check.err) == (1, True)
    assert dream(shell).code == 3
    assert "Lives in Paris." in shell.read("ava/MEMORY.md")


@pytest.mark.slow
def test_a_recording_that_does_not_fit_exits_with_2(shell: Shell, contradicted: Path) -> None:
    """The error names the recording's line, and the home is as it was."""
    record(contradicted, shell.folder / "tape")
    shell.write("ava/MEMORY.md", "# Memory\n\n- Lives in Paris, and moved.\n")
    ran = dream(shell)
    assert ran.code == 2
    assert ran.err.startswith("tape:1: ") or "tape:1: " in ran.err
    assert shell.run("dream", "ava", "ava", "--replay", "tape").code == 2
    assert shell.run("dream", "ava", "--replay", "tape", "--record", "other").code == 2
    assert shell.run("dream", "ava", "--budget-usd", "much").code == 2


@pytest.mark.slow
def test_a_patch_of_a_check_applies(shell: Shell, contradicted: Path) -> None:
    """What `--check --format patch` prints is what git applies to come to the pass's bytes."""
    record(contradicted, shell.folder / "tape")
    shell.write("dream.patch", dream(shell, "--check", "--format", "patch").out)
    subprocess.run(["git", "apply", "dream.patch"], cwd=shell.folder, check=True)
    assert "Lives in Berlin." in shell.read("ava/MEMORY.md")


@pytest.mark.slow
def test_markdown_lets_no_word_act() -> None:
    """Text of memory and transcripts stays between fences and shows its hidden characters."""
    evil = "@everyone ```\n# Fixes #1 ![x](http://x) \u202e"
    seen = Evidence("m", 1, evil, "user", NOW)
    change = Change("corrected", "a`b.md", 3, evil, evil, evidence=(seen,), reason=evil)
    text = pass_markdown(Pass("x", "done", wrote=True, reply=evil, changes=(change,)), "ava")
    inside, outside = False, []
    fence = ""
    for line in text.splitlines():
        if not inside and line.startswith("```"):
            fence, inside = line[: len(line) - len(line.lstrip("`"))], True
        elif inside and line == fence:
            inside = False
        elif not inside:
            outside.append(line)
    assert not inside
    assert "everyone" not in "".join(outside)
    assert "Fixes" not in "".join(outside)
    assert "\u202e" not in text


@pytest.mark.slow
def test_markdown_fits_into_a_pull_request() -> None:
    """A very long pass is cut where a change ends, and what is left out is counted."""
    changes = tuple(Change("added", "MEMORY.md", n, "", "word " * 200) for n in range(200))
    text = pass_markdown(Pass("x", "done", reply="200 added", changes=changes), "ava")
    assert len(text) <= LONGEST + 100
    assert "more are too much for this text" in text
    assert text.rstrip().endswith("Pass `x`.")


def load(name: str) -> Any:
    return safe_yaml.load((ROOT / name).read_text("utf-8"))


@pytest.mark.slow
def test_the_action_has_the_shape_of_one() -> None:
    """It is a composite action whose inputs are described, used, and the only ones it reads."""
    action = load("action.yml")
    text = (ROOT / "action.yml").read_text("utf-8")
    assert action["runs"]["using"] == "composite"
    assert all(each["description"] for each in action["inputs"].values())
    assert all(f"inputs.{name}" in text for name in action["inputs"])
    steps = action["runs"]["steps"]
    assert all(("run" in step) != ("uses" in step) for step in steps)
    assert all(step["shell"] == "bash" for step in steps if "run" in step)
    assert [step["uses"].partition("@")[0] for step in steps if "uses" in step] == [
        "actions/setup-python",
        "actions/cache/restore",
        "actions/cache/save",
    ]
    page = (ROOT / "docs" / "ci.md").read_text("utf-8")
    assert all(f"| `{name}` |" in page for name in action["inputs"])
    assert all(f"`{name}`" in page for name in action["outputs"])
    for step in steps:
        subprocess.run(["bash", "-n"], input=step.get("run", ""), text=True, check=True)
    subprocess.run(["bash", "-n", "action/dream.sh"], cwd=ROOT, check=True)


@pytest.mark.slow
def test_the_pre_commit_hook_names_a_command_of_ours() -> None:
    """The hook's entry is `toolnexus check`, which takes no file names."""
    [hook] = load(".pre-commit-hooks.yaml")
    assert {"id", "name", "entry", "language"} <= set(hook)
    assert hook["entry"].split() == ["toolnexus", "check"]
    assert hook["pass_filenames"] is False


class Nightly:
    """A git repository with a remote, and what the action's script finds on its runner."""

    def __init__(self, folder: Path, home: Path) -> None:
        self.folder, self.remote, self.bin = folder / "clone", folder / "remote.git", folder / "bin"
        self.git("init", "--quiet", "--bare", "--initial-branch=main", str(self.remote), at=folder)
        self.git("clone", "--quiet", str(self.remote), str(self.folder), at=folder)
        shutil.copytree(home, self.folder / "ava")
        self.git("add", ".")
        self.git("commit", "--quiet", "-m", "begin")
        self.git("push", "--quiet", "origin", "HEAD:main")
        self.bin.mkdir()
        python = f'"{sys.executable}" -c "from toolnexus.cli.main import run; run()"'
        self._tool("toolnexus", f'exec {python} "$@"')
        self._tool(
            "gh",
            f'printf "%s\\n" "$*" >> "{folder}/gh.log"\n'
            f'case "$*" in *create*) cp "${{!#}}" "{folder}/body.md"; echo https://forge/1;; '
            "esac",
        )
        self.log = folder / "gh.log"
        self.body = folder / "body.md"

    def _tool(self, name: str, script: str) -> None:
        (self.bin / name).write_text(f"#!/usr/bin/env bash\n{script}\n")
        (self.bin / name).chmod(0o755)

    def git(self, *words: str, at: Path | None = None) -> str:
        """Run git in the clone, or elsewhere, as Ann."""
        done = subprocess.run(
            ["git", *words],
            cwd=at or self.folder,
            check=True,
            capture_output=True,
            text=True,
            env={**os.environ, **WHO},
        )
        return done.stdout

    def run(self, *options: str, **variables: str) -> int:
        """Run the action's script as a runner would."""
        environment = {
            **{name: v for name, v in os.environ.items() if not name.startswith("GITHUB_")},
            "PATH": f"{self.bin}{os.pathsep}{os.environ['PATH']}",
            "DREAM_HOMES": "ava\n",
            "DREAM_STATE": ".toolnexus-state",
            "DREAM_OPTIONS": "\n".join(["--now", NOW, *options]),
            "GITHUB_OUTPUT": str(self.folder.parent / "output"),
            **variables,
        }
        script = ["bash", str(ROOT / "action" / "dream.sh")]
        return subprocess.run(script, cwd=self.folder, env=environment, check=False).returncode


WHO = {
    f"GIT_{who}_{what}": value
    for who in ("AUTHOR", "COMMITTER")
    for what, value in (("NAME", "Ann"), ("EMAIL", "ann@example.org"))
}


@pytest.fixture
def nightly(shell: Shell, contradicted: Path, monkeypatch: pytest.MonkeyPatch) -> Nightly:
    """A clone with a home in it, and a machine without git settings of its own."""
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    return Nightly(shell.folder, contradicted)


def test_a_night_in_ci_ends_in_a_pull_request(nightly: Nightly, shell: Shell) -> None:
    """Its diff is the pass, its text the evidence, and the repository's own branch is untouched."""
    tape = shell.folder / "tape"
    record(nightly.folder / "ava", tape)
    assert nightly.run("--replay", str(tape)) == 0
    diff = nightly.git("diff", "--stat=200", "main", "toolnexus/dream", at=nightly.remote)
    assert "ava/MEMORY.md" in diff
    assert "ava/memory/log.md" in diff
    assert "2 files changed" in diff
    shown = nightly.git("show", "toolnexus/dream:ava/MEMORY.md", at=nightly.remote)
    assert "- Lives in Berlin." in shown
    assert "Lives in Paris" in nightly.git("show", "main:ava/MEMORY.md", at=nightly.remote)
    body = nightly.body.read_text()
    assert "- Lives in Paris.\n+ Lives in Berlin." in body
    assert "“we finally moved to Berlin”" in body
    assert "pr create --head toolnexus/dream --base main" in nightly.log.read_text()
    output = (shell.folder / "output").read_text()
    assert output == "changed=true\nexit-code=0\npull-request=https://forge/1\n"


@pytest.mark.slow
def test_a_quiet_night_opens_nothing(nightly: Nightly, shell: Shell) -> None:
    """Where there is nothing to change there is no branch and no pull request."""
    empty = shell.write("empty", "")
    (nightly.folder / "ava" / "transcripts" / "m.jsonl").write_text("")
    assert nightly.run("--replay", str(empty)) == 0
    assert not nightly.log.exists()
    assert nightly.git("branch", "--list", "toolnexus/*", at=nightly.remote) == ""
    assert "changed=false" in (shell.folder / "output").read_text()


@pytest.mark.slow
def test_a_proposing_night_writes_nothing(nightly: Nightly, shell: Shell) -> None:
    """With `propose` the pass waits in the state folder, for `review`."""
    tape = shell.folder / "tape"
    record(nightly.folder / "ava", tape)
    assert nightly.run("--replay", str(tape), DREAM_PROPOSE="true") == 0
    assert not nightly.log.exists()
    home = Home.open(nightly.folder / "ava", state_dir=nightly.folder / ".toolnexus-state")
    assert [change.after for change in home.proposals()[0].changes] == ["Lives in Berlin."]
    assert nightly.git("status", "--porcelain") == ""


@pytest.mark.slow
def test_the_exit_code_comes_behind_the_pull_request(nightly: Nightly, shell: Shell) -> None:
    """With `--strict` a change that waits fails the job, once what was done has its request."""
    shell.write("clone/ava/MEMORY.md", "# Memory\n\n- Lives in Paris.\n- See [[flute-lesons]].\n")
    shell.write("clone/ava/memory/flute-lessons.md", "- A silver one.\n")
    nightly.git("add", ".")
    nightly.git("commit", "--quiet", "-m", "more")
    tape = shell.folder / "tape"
    record(nightly.folder / "ava", tape, "Lives in sunny Berlin.")
    assert nightly.run("--replay", str(tape), "--strict") == 3
    assert "waits for a person: corrected" in nightly.body.read_text()
    assert "exit-code=3" in (shell.folder / "output").read_text()
