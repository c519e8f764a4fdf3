"""Stores of conversations: ours, by the name that the ports gave it, and any that a host has."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass

import pytest
from small_homes import write_files
from talking_homes import FILES, Listing

from toolnexus import FileConversationStore, Home, transcript_search_tool
from toolnexus.errors import UsageError
from toolnexus.testing.model import ScriptedModel


@pytest.fixture
def ava(tmp_path):
    """A small persona's folder."""
    return write_files(tmp_path / "ava", FILES)


def test_the_store_of_conversations(tmp_path):
    """An unknown id is none, saving replaces the whole, ids with strokes stay apart."""
    store = FileConversationStore(tmp_path / "talks")
    assert store.get("nobody") is None
    assert store.list() == []
    store.append("a/b", {"role": "user", "content": "one"})
    store.append("a%2Fb", {"role": "user", "content": "two"})
    store.append("a", {"role": "user", "content": "three"})
    assert [turn.text for turn in store.get("a/b").turns] == ["one"]
    store.save("a", [{"role": "user", "content": "four"}])
    assert [turn.text for turn in store.get("a").turns] == ["four"]
    assert store.delete("a")
    assert (store.delete("a"), store.get("a")) == (False, None)
    assert {record.id for record in store.list()} == {"a/b", "a%2Fb"}
    assert not (tmp_path / "talks/a").exists()


def test_the_list_is_newest_first_and_ties_go_by_id(tmp_path):
    """Records have an id and when they were updated."""
    store = FileConversationStore(tmp_path)
    for name, seconds in (("b", 50), ("a", 50), ("c", 90)):
        store.save(name, [{"role": "user", "content": "hi"}])
        os.utime(tmp_path / f"{name}.jsonl", (seconds, seconds))
    records = store.list()
    assert [record.id for record in records] == ["c", "a", "b"]
    assert [record.updated_at.timestamp() for record in records] == [90, 50, 50]


@dataclass
class Message:
    """A message of a host's own."""

    role: str
    content: str


@pytest.mark.parametrize(
    "kept",
    [
        [{"role": "user", "content": "The key is under the pot."}],
        [{"role": "user", "text": "The key is under the pot."}, {"role": "odd"}, 7],
        [Message("user", "The key is under the pot.")],
        {"messages": [{"role": "user", "content": "The key is under the pot."}]},
        {"turns": [Message("user", "The key is under the pot.")]},
    ],
)
def test_the_search_reads_any_store(ava, kept):
    """Messages of a host's store are found, in whatever of the usual shapes they come."""
    tool = transcript_search_tool(ava, Listing({"talk": kept}))
    hit = json.loads(str(tool.call({"query": "key"})))
    assert (hit["conversation"], hit["turn"], hit["role"]) == ("talk", 1, "user")


def test_the_search_follows_a_store(ava):
    """What is new, changed or gone in a host's store is so in the search."""
    listing = Listing({"one": [Message("user", "The key is here.")]})
    tool = transcript_search_tool(ava, listing)
    assert "one" in str(tool.call({"query": "key"}))
    listing.said["two"] = [Message("user", "Another key.")]
    del listing.said["one"]
    assert '"two"' in str(tool.call({"query": "key"}))
    assert '"one"' not in str(tool.call({"query": "key"}))
    listing.said["two"] = [Message("user", "No longer.")]
    listing.at = "2026-11-21T14:00:00Z"
    assert "No conversation" in str(tool.call({"query": "key"}))


def test_what_is_said_is_recorded_in_the_hosts_store(ava, tmp_path):
    """A persona asks and goes on over a host's store; one that is read-only says so."""
    elsewhere = FileConversationStore(tmp_path / "talks")
    home = Home.open(ava, store=elsewhere, model=ScriptedModel("Hello.", "Again."))
    home.ask("hi", conversation="talk")
    home.ask("hi again", conversation="talk")
    assert len(elsewhere.get("talk").turns) == 4
    assert not (ava / "transcripts").exists()
    assert [info.id for info in home.conversations()] == ["talk"]
    with pytest.raises(UsageError, match="imported"):
        home.import_transcripts("jsonl", [tmp_path / "talks/talk.jsonl"])
    with pytest.raises(UsageError, match="cannot be written to"):
        Home.open(ava, store=Listing(), model=ScriptedModel("Hello.")).ask("hi")
