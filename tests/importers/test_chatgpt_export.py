"""ChatGPT's exports: the way that a person sees, read one conversation at a time."""

from __future__ import annotations

import json
import zipfile

import pytest
from importing_desk import reasons


def node(node_id, parent, role="user", text=None, **more):
    content = more.pop("content", {"content_type": "text", "parts": [text or ""]})
    message = {
        "id": node_id,
        "author": {"role": role, "name": more.pop("name", None)},
        "create_time": more.pop("create_time", 1_763_632_800.25),
        "content": content,
        "recipient": more.pop("recipient", "all"),
        "metadata": more.pop("metadata", {}),
    }
    return {"id": node_id, "parent": parent, "children": ["x"], "message": message}


def conversation(*nodes, current, name="c1", **more):
    root = {"id": "root", "parent": None, "message": None, "children": ["x"]}
    return {
        "id": name,
        "conversation_id": name,
        "title": "Trip",
        "create_time": 1_763_632_800.0,
        "current_node": current,
        "mapping": {found["id"]: found for found in (root, *nodes)},
        **more,
    }


def export(desk, *conversations, path="conversations.json"):
    return desk.write(path, json.dumps(list(conversations)))


def test_the_way_from_the_current_node_is_taken_and_edited_branches_are_not(desk):
    """Siblings beside the way are drafts: they are left out and counted."""
    source = export(
        desk,
        conversation(
            node("a", "root", text="I live in Rome."),
            node("b", "root", text="I live in Bergen."),
            node("c", "a", "assistant", "Rome, noted."),
            node("d", "b", "assistant", "Bergen, noted."),
            current="d",
        ),
    )
    done = desk.run("chatgpt", source)
    assert desk.talks() == {
        "2025-11-20-chatgpt-c1": [("user", "I live in Bergen."), ("assistant", "Bergen, noted.")]
    }
    assert reasons(done) == {"on an edited branch": 2}


def test_parts_that_are_no_words_and_messages_that_are_no_speech(desk):
    """Images, thoughts and injected context are skipped; voice is words; calls are calls."""
    image = {"content_type": "image_asset_pointer", "asset_pointer": "file-1"}
    voice = {"content_type": "audio_transcription", "text": "Spoken."}
    source = export(
        desk,
        conversation(
            node("a", "root", "system", ""),
            node(
                "b", "a", content={"content_type": "user_editable_context", "user_profile": "Rome"}
            ),
            node(
                "c",
                "b",
                content={"content_type": "multimodal_text", "parts": [image, voice, "Look.", 7]},
            ),
            node("d", "c", "assistant", content={"content_type": "thoughts", "thoughts": []}),
            node(
                "e",
                "d",
                "assistant",
                content={"content_type": "code", "text": "1+1"},
                recipient="python",
            ),
            node(
                "f",
                "e",
                "tool",
                content={"content_type": "execution_output", "text": "2"},
                name="python",
            ),
            node("g", "f", "assistant", "Two.", create_time=None),
            node(
                "h",
                "g",
                "system",
                "Lives in Rome.",
                metadata={"is_visually_hidden_from_conversation": True},
            ),
            node("i", "h", "critic", "Hm."),
            current="i",
        ),
    )
    done = desk.run("chatgpt", source)
    assert desk.talk() == [
        ("user", "Spoken.\nLook."),
        ("assistant", ""),
        ("tool", "2"),
        ("assistant", "Two."),
    ]
    turns = desk.open().transcripts.get("2025-11-20-chatgpt-c1").turns
    assert turns[1].record["tool_calls"] == [{"id": "", "name": "python", "arguments": "1+1"}]
    assert turns[2].name == "python"
    assert (turns[3].inherited, turns[3].ts) == (True, turns[2].ts)
    assert reasons(done) == {
        "injected context": 2,
        "an image or a file": 1,
        "a part that is no text": 1,
        "thinking": 1,
        "a message of role 'critic'": 1,
    }


def test_a_later_export_adds_what_was_said_since(desk):
    """The next export holds all again: only new messages and conversations are added."""
    first = conversation(node("a", "root", text="Hello."), current="a")
    desk.run("chatgpt", export(desk, first))
    grown = conversation(
        node("a", "root", text="Hello."), node("b", "a", "assistant", "Hi."), current="b"
    )
    other = conversation(node("z", "root", text="Another."), current="z", name="c2")
    done = desk.run("chatgpt", export(desk, other, grown, path="later/conversations.json"))
    assert (done.new, done.grown, done.turns.total, done.turns_known) == (1, 1, 2, 1)


def test_loops_and_lost_nodes_end_the_way(desk):
    """Parents in a circle, a current node that is not there, nodes that are none: no hanging."""
    looped = conversation(node("a", "b", text="One."), node("b", "a", text="Two."), current="b")
    lost = conversation(node("a", "root", text="Three."), current="gone", name="c2")
    lost["mapping"]["a"]["children"] = []
    lost["mapping"]["odd"] = 5
    desk.run("chatgpt", export(desk, looped, lost))
    assert [talk for _, talk in sorted(desk.talks().items())] == [
        [("user", "One."), ("user", "Two.")],
        [("user", "Three.")],
    ]


def test_a_truncated_export_gives_what_is_whole(desk):
    """What was cut off is told; the conversations before it are there."""
    whole = json.dumps(conversation(node("a", "root", text="Hello."), current="a"))
    done = desk.run("chatgpt", desk.write("conversations.json", f'[{whole}, {{"id": "c2", "map'))
    assert desk.talk() == [("user", "Hello.")]
    assert reasons(done) == {"the array ends in the middle: cut short": 1}


@pytest.mark.parametrize(
    ("odd", "reason"),
    [
        ({"title": "x"}, "a conversation without an id"),
        ({"id": "c", "mapping": []}, "a conversation without messages"),
        ([1], "not a JSON object"),
        ("text", "not a JSON object"),
    ],
)
def test_what_is_no_conversation_is_counted(desk, odd, reason):
    """An element of another shape costs only itself."""
    good = conversation(node("a", "root", text="Hello."), current="a")
    done = desk.run("chatgpt", export(desk, odd, good))
    assert reasons(done) == {reason: 1}
    assert desk.talk() == [("user", "Hello.")]


def test_the_archive_is_read_as_it_was_sent(desk):
    """The .zip need not be unpacked; one that is broken is told."""
    archive = desk.folder / "export.zip"
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("user.json", "{}")
        packed.writestr(
            "conversations.json",
            json.dumps([conversation(node("a", "root", text="Hello."), current="a")]),
        )
    desk.run("chatgpt", archive)
    assert desk.talk() == [("user", "Hello.")]
    (desk.folder / "broken.zip").write_bytes(archive.read_bytes()[:100])
    done = desk.run("chatgpt", desk.folder / "broken.zip")
    assert next(iter(reasons(done))).startswith("cannot be read: not a whole archive")
