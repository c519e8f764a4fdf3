"""What is kept beside a change that stands already: a disk that fails there is told, no error."""

from __future__ import annotations

import errno

import pytest
from small_homes import FILES, files_of, make_home

from toolnexus.errors import DiskError
from toolnexus.store.proposals import Proposals
from toolnexus.testing.disk import FaultyDisk
from toolnexus.testing.model import ScriptedModel, call, use
from toolnexus.transcripts.importers.importer import Said
from toolnexus.transcripts.importers.landing import Landing
from toolnexus.transcripts.store import FileConversationStore
from toolnexus.transcripts.turn import Turn

HAND, ASKED = "hand", "asked"


def blocked(home, name):
    """Make it impossible to write a value of the state folder."""
    path = home.store.state / "state" / f"{name}.json"
    path.unlink(missing_ok=True)
    path.mkdir(parents=True)


def test_what_is_undone_is_undone(tmp_path):
    """A revert whose memory of itself cannot be written is no error, as the home has changed."""
    home = make_home(tmp_path)
    done = home.dream()
    blocked(home, HAND)
    reverted = home.revert(done.id)
    assert reverted.undone
    assert (tmp_path / "MEMORY.md").read_bytes() == FILES["MEMORY.md"].encode()
    assert any("a pass may do it again" in notice for notice in home.store.notices)


def test_what_is_applied_is_applied(tmp_path):
    """A proposal that cannot be struck off is told; applying it once more changes nothing."""
    home = make_home(tmp_path)
    proposal = home.dream(propose=True).id
    home.store.proposals = Proposals(home.store.state, FaultyDisk(0, errno.EIO))
    assert home.apply(proposal).applied
    assert any("could not be struck off" in notice for notice in home.store.notices)
    after = files_of(tmp_path)
    again = make_home(tmp_path, {})
    assert again.proposals()[0].id == proposal
    again.apply(proposal)
    left = files_of(tmp_path)
    assert {**left, "memory/log.md": b""} == {**after, "memory/log.md": b""}


def moved(home):
    """Say that they moved, and return a model that notices and wants something that must wait."""
    turn = {"role": "user", "content": "Big news: we finally moved to Berlin."}
    FileConversationStore(home.root / "transcripts").append("m", turn)
    evidence = [{"conversation": "m", "turn": 1, "quote": "we finally moved to Berlin"}]
    wishes = [
        {"text": "Lives in Paris.", "with": "Lives in Berlin."},
        {"text": "Has a flat in Paris.", "with": "Has a sunny flat in Berlin."},
    ]
    return ScriptedModel(
        use(*(call("memory", action="replace", evidence=evidence, **wish) for wish in wishes)),
        default="HEARTBEAT_OK",
    )


def paris(root):
    """A home whose owner has moved meanwhile."""
    memory = "# Memory\n\n- Lives in Paris.\n- Has a flat in Paris.\n- Likes tea.\n"
    return make_home(root, {"SOUL.md": "You are Ava.\n", "MEMORY.md": memory})


@pytest.mark.parametrize("name", [HAND, ASKED])
def test_a_pass_that_stands_is_no_failure(tmp_path, name):
    """A pass whose memory of itself cannot be written says so, and is done."""
    home = paris(tmp_path)
    blocked(home, name)
    done = home.dream(model=moved(home))
    assert done.wrote
    assert "Lives in Berlin." in (tmp_path / "MEMORY.md").read_text()
    assert any("asks again" in notice for notice in done.notices)


def test_what_waits_is_kept_before_anything_is_done(tmp_path):
    """Where what waits cannot be kept, the pass ends with the home as it was."""
    home = paris(tmp_path)
    model = moved(home)
    before = files_of(tmp_path)
    home.store.proposals = Proposals(home.store.state, FaultyDisk(0, errno.ENOSPC))
    with pytest.raises(DiskError):
        home.dream(model=model)
    assert files_of(tmp_path) == before
    assert home.store.history() == ()


def test_an_import_is_noted_when_it_is_safe(tmp_path):
    """What was added is synced by its folder before the import may note that it is there."""
    disk = FaultyDisk(0, errno.EIO, calls=frozenset({"sync_folder"}))
    (tmp_path / "transcripts").mkdir()
    landing = Landing(tmp_path / "transcripts", root=tmp_path, disk=disk)
    landing.settle()  # nothing was added: there is nothing to sync
    assert landing.add("talk", [Said(Turn("user", "Hello."))]).created
    with pytest.raises(DiskError):
        landing.settle()
