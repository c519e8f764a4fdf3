"""The search's tables.

The text itself stays in the transcripts: of each speech the database holds where it stands in its
file and, in a full-text index without content, which words it has. That keeps it well below the
size of the text. A contentless index can't forget single rows, so keys are never used twice, rows
of speeches that left stay behind unreachable, and when they are many the index is made anew.
"""

from __future__ import annotations

VERSION = 3

TABLES = """
CREATE TABLE files (
  key INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,       -- the file's name in the transcripts folder
  conversation TEXT NOT NULL,
  size INTEGER NOT NULL,           -- size, mtime and inode as of the last look; size is -1
  mtime_ns INTEGER NOT NULL,       --   for a file that is not read to its end yet
  inode INTEGER NOT NULL,
  offset INTEGER NOT NULL,         -- how far it is read: the start of the first line that is
  lines INTEGER NOT NULL,          --   not whole yet, and the number of lines before it
  checksum INTEGER NOT NULL,       -- CRC-32 of all bytes before `offset`
  tail BLOB NOT NULL,              -- digest of the last bytes before `offset`
  last_ts INTEGER                  -- what a turn without an instant takes, in microseconds
);
CREATE INDEX files_by_conversation ON files (conversation);
CREATE TABLE speeches (
  key INTEGER PRIMARY KEY,         -- the row in `words`; never used twice
  file INTEGER NOT NULL,
  number INTEGER NOT NULL,         -- the line's number in the file
  role INTEGER NOT NULL,           -- position in `turn.ROLES`
  own INTEGER NOT NULL,            -- 1 for what the turn's role says, 0 for tool output beside it
  ts INTEGER,                      -- microseconds since 1970; NULL for none
  offset INTEGER NOT NULL,         -- where the line stands in the file, in bytes
  length INTEGER NOT NULL,
  checksum INTEGER NOT NULL,       -- CRC-32 of the file up to the line's end
  id_digest INTEGER                -- digest of the turn's id; NULL for none
);
CREATE INDEX speeches_by_number ON speeches (file, number);
CREATE INDEX speeches_by_id ON speeches (file, id_digest) WHERE id_digest IS NOT NULL;
CREATE TABLE problems (
  file INTEGER NOT NULL,
  line INTEGER NOT NULL,
  rule TEXT NOT NULL,
  message TEXT NOT NULL,
  skipped INTEGER NOT NULL
);
CREATE INDEX problems_by_file ON problems (file, line);
CREATE TABLE counters (
  next_key INTEGER NOT NULL,       -- the next speech's key
  dead INTEGER NOT NULL            -- rows of `words` whose speech left
);
INSERT INTO counters VALUES (1, 0);
CREATE VIRTUAL TABLE words USING fts5 (
  text, content='', tokenize='porter unicode61 remove_diacritics 2'
);
INSERT INTO words (words, rank) VALUES ('hashsize', 8388608);
INSERT INTO words (words, rank) VALUES ('automerge', 8);
"""

TABLE_NAMES = frozenset({"files", "speeches", "problems", "counters", "words", "words_data"})

CLEAR = """
DELETE FROM files;
DELETE FROM speeches;
DELETE FROM problems;
INSERT INTO words (words) VALUES ('delete-all');
UPDATE counters SET next_key = 1, dead = 0;
"""
