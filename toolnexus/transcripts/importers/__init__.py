"""Importers: the transcripts of other tools, read into conversations of a home.

An importer is a small reader: it finds a tool's files and tells what was said in them. What is new
to the home, under which id, and how it gets there whole, is the same for all of them.

    importer   the protocol, and what a reader hands back: `Session`, `Said`, `Skip`
    registry   the importers there are, the users' own among them (`toolnexus.importers`)
    source     files, lines and objects of others, bounded in memory, never written
    json_array a JSON array, one element at a time
    content  injected  speech      what a message says, what was slipped into it, and its turns
    claude_code  codex  chatgpt  openclaw  openclaw_store  messages      the formats
    identity   which turn is which, and what a conversation is called
    landing    the home's side: new turns to a conversation's end, under its lock
    memory     which files were read before, so that they need not be read again
    run  summary                   one import from beginning to end, and what came of it
"""
