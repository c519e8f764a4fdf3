from __future__ import annotations

import json
import sys
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from importlib.util import find_spec

import pytest

from toolnexus.errors import ConfigError, DeliveryError
from toolnexus.heartbeat.deliver import Command, Service, Spoken, deliver, places_of
from toolnexus.settings import Delivery

SAVE = "import sys; open('got.txt', 'wb').write(sys.stdin.buffer.read())"


def python(code: str, *words: str) -> tuple[str, ...]:
    return (sys.executable, "-c", code, *words)


def test_a_command_gets_the_text_and_no_shell_reads_its_words(tmp_path):
    """The reply is on standard input as it is; words that a shell would run are words."""
    code = "import sys; open('got.txt', 'wb').write(sys.stdin.buffer.read() + sys.argv[1].encode())"
    Command(python(code, "$(touch evil); `touch evil`"), tmp_path).deliver("Grüße\n$HOME 🌱")
    assert (tmp_path / "got.txt").read_text() == "Grüße\n$HOME 🌱\n$(touch evil); `touch evil`"
    assert not (tmp_path / "evil").exists()


def test_half_a_character_does_not_keep_a_reply_from_going_out(tmp_path):
    """A lone surrogate, which no encoding has, is replaced."""
    Command(python(SAVE), tmp_path).deliver("a\ud800b")
    assert (tmp_path / "got.txt").read_text() == "a?b\n"


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("no-such-program-here",), "cannot be started: No such file"),
        (("nul\0byte",), "cannot be started"),
        (
            python("import sys; sys.exit('no route to  mail')"),
            "ended with code 1: no route to mail",
        ),
        (python("import sys; sys.stdin.close(); sys.exit(3)"), "ended with code 3"),
    ],
)
def test_a_command_that_fails_says_how(tmp_path, words, told):
    """Its name, its code and what it complained of are told."""
    with pytest.raises(DeliveryError) as caught:
        Command(words, tmp_path).deliver("x" * 100_000)
    assert told in str(caught.value)
    assert caught.value.exit_code == 69


def test_a_command_that_never_ends_is_ended(tmp_path):
    """It is ended with its children when its time is up, and that is told."""
    with pytest.raises(DeliveryError, match=r"did not end within 0\.3 s"):
        Command(python("import time; time.sleep(60)"), tmp_path, seconds=0.3).deliver("hello")


def test_keys_in_a_complaint_are_masked(tmp_path, monkeypatch):
    """What a command prints of the environment's secrets is not shown."""
    monkeypatch.setenv("MAIL_PASSWORD", "hunter2hunter2")
    code = "import os, sys; sys.exit('bad login ' + os.environ['MAIL_PASSWORD'])"
    with pytest.raises(DeliveryError) as caught:
        Command(python(code), tmp_path).deliver("hello")
    assert "hunter2" not in str(caught.value)


def test_one_places_trouble_is_not_the_others(tmp_path):
    """Every place is tried; what went wrong is returned beside how many took it."""
    said: list[str] = []

    def closed(_text: str) -> None:
        raise BrokenPipeError(32, "Broken pipe")

    places = (Spoken(closed), Command(("no-such-program",), tmp_path), Spoken(said.append))
    taken, errors = deliver("hello", places)
    assert (taken, said) == (1, ["hello"])
    assert [str(error).partition(":")[0] for error in errors] == [
        "standard output did not take the reply",
        "the command 'no-such-program' cannot be started",
    ]


def test_a_secret_comes_from_the_environment(tmp_path):
    """A variable that is missing, or holds no URL, is a matter of settings and names no value."""
    wanted = Delivery("env", ("ALERT_URL",))
    for environ, told in (({}, "is not set"), ({"ALERT_URL": "s3cret"}, "holds no URL")):
        with pytest.raises(ConfigError) as caught:
            places_of([wanted], say=print, folder=tmp_path, title="ava", environ=environ)
        assert told in str(caught.value)
        assert "s3cret" not in str(caught.value)
        assert caught.value.exit_code == 78


@pytest.mark.skipif(find_spec("apprise") is not None, reason="Apprise is installed")
def test_a_service_needs_apprise(tmp_path):
    """Without the extra the settings are wrong, and the remedy is named."""
    with pytest.raises(ConfigError) as caught:
        places_of([Delivery("url", ("json://localhost",))], say=print, folder=tmp_path, title="ava")
    assert "toolnexus[apprise]" in caught.value.hint


def test_a_services_address_is_never_shown():
    """Neither its errors nor its text hold more than its scheme."""
    service = Service("slack://t0ken/s3cret", "ava")
    assert service.shown == "the slack service"
    assert "s3cret" not in repr(service)


class Hook(BaseHTTPRequestHandler):
    status = 200
    got: list[dict[str, str]] = []  # noqa: RUF012 - one server a test

    def do_POST(self):
        """Take a message."""
        length = int(self.headers["Content-Length"])
        self.got.append(json.loads(self.rfile.read(length)))
        self.send_response(self.status)
        self.end_headers()

    def log_message(self, *args):
        """Say nothing."""


@pytest.mark.parametrize("status", [200, 500])
def test_a_service_is_reached_by_apprise(tmp_path, status):
    """A JSON hook on loopback gets title and text; when it fails that is told without its URL."""
    pytest.importorskip("apprise")
    hook = type("OneHook", (Hook,), {"status": status, "got": []})
    server = HTTPServer(("127.0.0.1", 0), hook)
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    url = f"json://user:s3cretpass@127.0.0.1:{server.server_port}"
    places = places_of(
        [Delivery("env", ("HOOK",))],
        say=print,
        folder=tmp_path,
        title="ava",
        environ={"HOOK": url},
    )
    taken, errors = deliver("The build is red.", places)
    server.shutdown()
    server.server_close()
    assert (hook.got[0]["title"], hook.got[0]["message"]) == ("ava", "The build is red.")
    assert taken == (status == 200)
    assert [str(error) for error in errors] == (
        [] if taken else ["the json service did not take the message"]
    )


def test_an_address_that_apprise_cannot_read_is_told():
    """A service that Apprise does not know fails with a hint, and without the URL."""
    pytest.importorskip("apprise")
    taken, [error] = deliver("hello", [Service("nonsense://s3cret", "ava")])
    assert taken == 0
    assert "s3cret" not in f"{error}{error.hint}"
    assert "cannot read the URL of the nonsense service" in str(error)
