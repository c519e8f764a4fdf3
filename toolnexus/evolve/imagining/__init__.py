"""Imagining: guesses made of notes, which wait for a person and count for nothing until then.

Two kinds. *Consolidation* sees a pattern that recurs over several notes; *divergence* puts two
notes of unlike topics beside each other and guesses what they have to do with each other.
"""
