"""The command, as a scheduler sees it: what it prints, where, and how it ends."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from select import select

import pytest

from toolnexus.cli.main import main
from toolnexus.testing.openai_server import OpenAiServer, ServerReply

HEAVY = {"chromadb", "litellm", "httpx", "markdown_it", "numpy", "onnxruntime", "yaml", "filelock"}
PAY = "## Tasks\n- [ ] Pay (at 2026-11-30)\n- [ ] Go (at 2999-01-01)\n"


@pytest.fixture
def run(ava, capsys, monkeypatch):
    """Run a command line on the home; return its code, its output and its complaints."""
    monkeypatch.chdir(ava.root.parent)
    monkeypatch.setenv("NO_COLOR", "1")

    def run(*words: str) -> tuple[int, str, str]:
        capsys.readouterr()
        code = main(words)
        return (code, *capsys.readouterr())

    return run


def test_only_the_reply_is_printed(ava, run):
    """What is due is on standard output, alone; the next beat prints nothing at all."""
    ava.write("HEARTBEAT.md", PAY)
    assert run("beat", "ava") == (0, "Pay\n", "")
    assert run("beat", "ava") == (0, "", "")


def test_verbose_tells_why_a_beat_was_skipped(ava, run):
    """The reason is on standard error, and only where it is asked for."""
    ava.write("HEARTBEAT.md", "Look.\n")
    code, out, err = run("beat", "ava", "--verbose")
    assert (code, out) == (0, "")
    assert "ava: skipped: nothing due (no model is set" in err
    assert run("beat", "ava", "--verbose", "--quiet") == (0, "", "")


def test_json_has_all_of_it(ava, run):
    """The document holds what the design promises, with the reply in it and nothing around it."""
    ava.write("HEARTBEAT.md", PAY)
    code, out, err = run("beat", "ava", "--json", "--now", "2026-11-30T09:00:00Z")
    document = json.loads(out)
    assert (code, err, document["schema"]) == (0, "", "toolnexus/beat/1")
    assert (document["outcome"], document["reply"]) == ("delivered", "Pay")
    assert (document["skipped_because"], document["tasks"]) == (None, ["Pay"])
    assert document["next_due"] == "2999-01-01T00:00:00Z"
    assert set(document["usage"]) == {"model_calls", "tokens_in", "tokens_out", "usd", "seconds"}
    document = json.loads(run("beat", "ava", "--json")[1])
    assert (document["outcome"], document["skipped_because"]) == ("skipped", "nothing due")


def test_a_model_is_asked_over_the_network_by_name(ava, run, monkeypatch):
    """The environment names the model; a failure is one line and exit 69, and so is backing off."""
    ava.write("HEARTBEAT.md", "Look.\n")
    monkeypatch.setenv("TOOLNEXUS_MODEL", "openai/scripted")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-abcdef123456")
    replies = (
        ServerReply(text="The build is red."),
        ServerReply(status=401, text="sk-abcdef123456"),
    )
    with OpenAiServer(*replies) as server:
        monkeypatch.setenv("OPENAI_API_BASE", server.base_url)
        assert run("beat", "ava", "--now", "2026-11-30T09:00:00Z") == (0, "The build is red.\n", "")
        code, out, err = run("beat", "ava", "--now", "2026-11-30T09:30:00Z")
        assert (code, out) == (69, "")
        assert err.startswith("toolnexus: the model openai/scripted did not accept the key")
        assert "sk-abcdef" not in err
        code, out, err = run("beat", "ava", "--now", "2026-11-30T09:45:00Z")
        assert (code, out) == (69, "")
        assert err.startswith("ava: skipped: backing off until 2026-11-30 10:00: failed once: ")
        assert len(server.requests) == 2


def test_wrong_settings_end_with_78(ava, run):
    """They are read before any gate, and told with their line."""
    ava.write("persona.yaml", "heartbeat:\n  timezone: Mars/Olympus\n")
    code, out, err = run("beat", "ava")
    assert (code, out) == (78, "")
    assert "persona.yaml:2" in err


def test_an_undelivered_reply_is_on_standard_error(ava, run):
    """What no place took is printed there, so that cron mails it, and the exit code is 69."""
    ava.write(
        "persona.yaml", "heartbeat: {timezone: UTC, deliver: [{command: [no-such-mailer]}]}\n"
    )
    ava.write("HEARTBEAT.md", PAY)
    code, out, err = run("beat", "ava")
    assert (code, out) == (69, "")
    assert "could not be delivered:\nPay\n" in err
    assert "no-such-mailer" in err
    assert "[ ] Pay" in ava.read("HEARTBEAT.md")


def test_several_homes_are_each_done_and_the_worst_code_wins(ava, run):
    """Nothing but replies and errors is printed for many homes either."""
    ava.write("HEARTBEAT.md", PAY)
    run("new", "bo")
    code, out, err = run("beat", "bo", "ava", "nowhere")
    assert (code, out) == (65, "Pay\n")
    assert err.count("\n") == 2
    document = json.loads(run("beat", "bo", "ava", "--json")[1])
    assert [home["outcome"] for home in document["homes"]] == ["skipped", "skipped"]


def test_of_several_homes_an_error_names_its_own(ava, run):
    """Whoever reads standard error sees which persona failed, not only that one did."""
    run("new", "bo")
    for root in (ava.root, ava.root.parent / "bo"):
        (root / "persona.yaml").write_text("heartbeat: {deliver: [{command: [no-such-mailer]}]}\n")
        (root / "HEARTBEAT.md").write_text(PAY)
    code, _, err = run("beat", "ava", "bo", "nowhere")
    assert code == 69
    told = "the command 'no-such-mailer' cannot be started"
    assert f"\nava: {told}" in err
    assert f"\nbo: {told}" in err
    assert "\nnowhere: there is no such folder" in err
    assert "toolnexus: " not in err


def test_control_characters_of_a_reply_do_not_reach_a_terminal(ava, run):
    """They are shown as escapes; line breaks stay."""
    ava.write("HEARTBEAT.md", "## Tasks\n- [ ] Pay \x1b[31mred (at 2026-11-30)\n")
    assert run("beat", "ava")[1] == "Pay \\x1b[31mred\n"


@pytest.mark.slow
def test_a_closed_output_is_no_delivery(ava):
    """A reminder that could not be printed stays due."""
    ava.write("HEARTBEAT.md", PAY)
    code = "from toolnexus.cli.main import run; run()"
    command = [sys.executable, "-c", code, "beat", str(ava.root)]
    with open("/dev/full", "w") as full:  # noqa: PTH123
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode != 0
    assert "[ ] Pay" in ava.read("HEARTBEAT.md")
    assert ava.beat().reply == "Pay"


@pytest.mark.slow
def test_a_killed_beat_leaves_its_tasks_due(ava, tmp_path):
    """The lock goes with the process, and the next beat does what was due."""
    ava.write("HEARTBEAT.md", PAY)
    begun = tmp_path / "begun"
    os.mkfifo(begun)
    hang = f"command: [sh, -c, 'echo > \"{begun}\"; exec sleep 30']"
    ava.write("persona.yaml", f"heartbeat: {{timezone: UTC, deliver: [{{{hang}}}]}}\n")
    code = "from toolnexus.cli.main import run; run()"
    beat = subprocess.Popen([sys.executable, "-c", code, "beat", str(ava.root)])
    pipe = os.open(begun, os.O_RDONLY | os.O_NONBLOCK)
    while not select([pipe], [], [], 1)[0]:
        assert beat.poll() is None
    os.close(pipe)
    assert json.loads(ava.read(".toolnexus/state/beat-last.json"))["outcome"] == "running"
    beat.kill()
    beat.wait()
    ava.write("persona.yaml", "heartbeat: {timezone: UTC}\n")
    after = ava.beat()
    assert (after.reply, after.skipped_because) == ("Pay", "")


@pytest.mark.slow
def test_schedulers_that_fire_at_once_deliver_once(ava):
    """Of several processes one does what is due, and none of them fails."""
    ava.write("HEARTBEAT.md", PAY)
    code = "from toolnexus.cli.main import run; run()"
    command = [sys.executable, "-c", code, "beat", str(ava.root)]
    beats = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(4)]
    printed = [beat.communicate()[0] for beat in beats]
    assert sorted(printed) == ["", "", "", "Pay\n"]
    assert [beat.returncode for beat in beats] == [0] * 4


def loaded(code: str, *words: str) -> set[str]:
    """Run Python; return the modules it loaded."""
    done = subprocess.run(
        [sys.executable, "-c", code, *words], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return set(done.stdout.splitlines()[-1].split())


def test_a_skipped_beat_is_nearly_free(ava, monkeypatch):
    """It loads no vendor, no parser, not even the home: a dozen modules of ours at most."""
    monkeypatch.setattr("toolnexus.heartbeat.quiet._TICK_NS", -10_000_000_000)
    ava.write("HEARTBEAT.md", "## Tasks\n- [ ] Go (at 2999-01-01)\n")
    ava.at("2026-01-01T00:00:00Z").beat()
    modules = "; import sys; print('\\n' + ' '.join(sys.modules))"
    code = f"import sys; from toolnexus.cli.main import main; main(sys.argv[1:]){modules}"
    beat = loaded(code, "beat", str(ava.root))
    assert not beat & (HEAVY | {"toolnexus.app.home", "toolnexus.store.door"})
    ours = {name for name in beat if name.startswith("toolnexus")}
    assert len(ours) <= 25, sorted(ours)
