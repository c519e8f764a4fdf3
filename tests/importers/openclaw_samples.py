"""OpenClaw's sessions and stores, made up for the tests."""

from __future__ import annotations

import json
import sqlite3

ID = "5a1e0000-0000-4000-8000-00000000c1a3"
HEADER = {
    "type": "session",
    "version": 3,
    "id": ID,
    "timestamp": "2026-11-20T10:00:00.000Z",
    "cwd": "/",
}


def entry(entry_id, parent, role="user", text="", **more):
    content = more.pop("content", [{"type": "text", "text": text}])
    return {
        "type": "message",
        "id": entry_id,
        "parentId": parent,
        "timestamp": "2026-11-20T10:01:00.000Z",
        "message": {"role": role, "content": content, "timestamp": 1_763_632_860_000, **more},
    }


ENTRIES = [
    HEADER,
    {"type": "model_change", "id": "m", "parentId": None, "modelId": "x"},
    entry("a", "m", text="I live in Rome."),
    entry("b", "a", "assistant", "Rome, noted."),
    entry("c", "m", text="I live in Bergen."),
    entry(
        "d",
        "c",
        "assistant",
        content=[
            {"type": "thinking", "thinking": "hm"},
            {"type": "toolCall", "id": "t", "name": "map", "arguments": {"q": "Bergen"}},
        ],
    ),
    entry("e", "d", "toolResult", "60.39 N", toolCallId="t", toolName="map"),
    {
        "type": "compaction",
        "id": "f",
        "parentId": "e",
        "summary": "lives in Rome",
        "tokensBefore": 9,
    },
    entry("g", "f", "assistant", "Bergen, noted."),
]
SAID = [
    ("user", "I live in Bergen."),
    ("assistant", ""),
    ("tool", "60.39 N"),
    ("assistant", "Bergen, noted."),
]


def make_store(path, *, wal=False):
    path.parent.mkdir(parents=True, exist_ok=True)
    connection = sqlite3.connect(path)
    if wal:
        connection.execute("PRAGMA journal_mode = wal")
    connection.execute(
        "CREATE TABLE transcript_events"
        " (session_id TEXT, seq INTEGER, event_json TEXT, created_at INTEGER)"
    )
    return connection


def fill(connection, session, entries, start=0):
    rows = [
        (session, start + seq, value if isinstance(value, str | bytes) else json.dumps(value), 0)
        for seq, value in enumerate(entries)
    ]
    connection.executemany("INSERT INTO transcript_events VALUES (?, ?, ?, ?)", rows)
    connection.commit()
