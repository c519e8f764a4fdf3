"""Markdown as memory reads it: slugs, front matter, wikilinks, claims, quotes. All pure."""
