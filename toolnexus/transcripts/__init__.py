"""Transcripts: conversations kept as JSONL files, and the search over them.

The files are the ground truth; the search index beside them is a cache that can be deleted.

    turn  turn_parse  turn_render     what a turn is, read from a line and written to one
    content  timestamp                the two fields of a line that come in many shapes
    lines                             a file as numbered physical lines, each bounded
    names                             conversation ids and file names
    append  reader  store             `FileConversationStore`
    hit  query  excerpt               what a search is given and gives
    database  schema  scan  refresh   keeping the index true to the files
    search_index                      `TranscriptIndex`
"""
