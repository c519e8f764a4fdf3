"""Compacting: memory gets smaller and riper, and loses nothing by it.

same       duplicates are folded (`home.drafts.same`)
sources    what is due to be extracted, and how far it was
extract    facts drawn out of old conversations and raw notes, with a model
nearby     clusters of notes that may say the same, behind a guard of values
merging    a cluster becomes one note, on a model's or a person's word
skills     procedures that proved good become drafts of skills, for a person to accept
fading     what has faded goes into the archive
desk       where a model's calls land and are judged
memory     what was looked at, so that twice is once
run        one compaction, from the home as read to the commit
"""
