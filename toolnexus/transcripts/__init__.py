"""Transcripts: conversations kept as JSONL files, and the search over them.

The files are the ground truth; the search's database beside them is a cache that can be deleted.

    turn  turn_parse  turn_render      what a turn is, read from a line and written to one
    plain_turn                         most lines, read the quick way
    content  timestamp                 the two fields of a line that come in many shapes
    lines  reader  turn_fetch          a file as bounded lines, as a conversation, as single turns
    names  append  store               ids and file names, `FileConversationStore`
    query  stop_words  words           a person's words as a full-text query
    hit  search  excerpt  show         what a search finds, and what it shows of it
    schema  database                   the search's tables, shared, made anew when damaged
    scan  progress  batch  refresh     what changed, how far it is read, reading on
    cursor  search_index               `TranscriptIndex`
    fused                              words first, and a second opinion on what they mean
    injected                           what a turn has from the persona's own memory
    candidates                         the turns that may say whether a claim still holds
"""
