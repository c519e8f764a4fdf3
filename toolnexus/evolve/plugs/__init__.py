"""The plugs that come along: a folder of Markdown, JSON lines, documents in chunks."""
