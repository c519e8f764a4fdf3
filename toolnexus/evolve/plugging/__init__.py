"""Plugging: outside knowledge, streamed into a home as notes, a bounded part at a time."""
