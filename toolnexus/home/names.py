"""Names: the tables that tell which note a link means."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING

from toolnexus.text.slug import fold_name

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from toolnexus.home.note import Note

Table = dict[str, tuple[str, ...]]

folded = lru_cache(maxsize=65_536)(fold_name)
"""`fold_name`, remembered: the same few thousand names are asked for again and again."""


@dataclass(frozen=True, slots=True)
class Names:
    """Everything in a home that a link can name; the tables give paths, sorted.

    Attributes:
        notes: The Markdown files by path, soul files included.
        assets: The paths of all other files, the log among them.
        slugs: Paths by slug, as it is written.
        folded_slugs: Paths by folded slug.
        titles: Paths by folded title; soul files have none, their names are fixed.
        aliases: Paths by folded alias.
        asset_names: Paths of assets by folded file name.
        folders: Every folder that holds a file, folded upwards to the home's own entries.
    """

    notes: Mapping[str, Note]
    assets: frozenset[str]
    slugs: Table
    folded_slugs: Table
    titles: Table
    aliases: Table
    asset_names: Table
    folders: frozenset[str]

    def updated(
        self,
        notes: Mapping[str, Note],
        assets: frozenset[str],
        *,
        gone: Iterable[Note],
        come: Iterable[Note],
    ) -> Names:
        """Return the tables of a home of which a few notes changed.

        Args:
            notes: All notes after the change.
            assets: All assets after the change.
            gone: The notes as they were, where path, title or aliases are others now.
            come: The same notes as they are; a note that only appeared or vanished is in one.
        """
        gone, come = tuple(gone), tuple(come)
        same_assets = assets is self.assets or assets == self.assets
        if not gone and not come:
            fresh = replace(self, notes=notes)
        else:
            fresh = replace(
                self,
                notes=notes,
                slugs=_table_after(self.slugs, gone, come, _slugs),
                folded_slugs=_table_after(self.folded_slugs, gone, come, _folded_slugs),
                titles=_table_after(self.titles, gone, come, _titles),
                aliases=_table_after(self.aliases, gone, come, _aliases),
            )
        paths_changed = {note.path for note in gone} != {note.path for note in come}
        if same_assets and not paths_changed:
            return fresh
        return replace(
            fresh,
            assets=assets,
            asset_names=self.asset_names if same_assets else _asset_names(assets),
            folders=_folders([*notes, *assets]),
        )


def build_names(notes: Mapping[str, Note], assets: frozenset[str]) -> Names:
    """Build the tables of a home.

    Example:
        >>> build_names({}, frozenset({"images/map.png"})).asset_names
        {'map.png': ('images/map.png',)}
    """
    every = tuple(notes.values())
    return Names(
        notes=notes,
        assets=assets,
        slugs=_table_after({}, (), every, _slugs),
        folded_slugs=_table_after({}, (), every, _folded_slugs),
        titles=_table_after({}, (), every, _titles),
        aliases=_table_after({}, (), every, _aliases),
        asset_names=_asset_names(assets),
        folders=_folders([*notes, *assets]),
    )


def identity(note: Note) -> tuple[str, str, tuple[str, ...]]:
    """Return all of a note that the tables depend on."""
    return note.path, note.title, note.aliases


def _slugs(note: Note) -> Iterable[str]:
    return (note.slug,)


def _folded_slugs(note: Note) -> Iterable[str]:
    return (folded(note.slug),)


def _titles(note: Note) -> Iterable[str]:
    return () if note.kind == "soul" else (folded(note.title),)


def _aliases(note: Note) -> Iterable[str]:
    return {folded(alias) for alias in note.aliases}


def _table_after(
    table: Table,
    gone: Iterable[Note],
    come: Iterable[Note],
    keys_of: Callable[[Note], Iterable[str]],
) -> Table:
    """Copy a table, with some notes taken out of it and others put in."""
    after = dict(table)
    for note in gone:
        for key in keys_of(note):
            rest = tuple(path for path in after.get(key, ()) if path != note.path)
            if rest:
                after[key] = rest
            else:
                after.pop(key, None)
    for note in come:
        for key in keys_of(note):
            there = after.get(key)
            after[key] = (note.path,) if there is None else tuple(sorted((*there, note.path)))
    return after


def _asset_names(assets: Iterable[str]) -> Table:
    by_name: defaultdict[str, list[str]] = defaultdict(list)
    for path in sorted(assets):
        by_name[folded(path.rpartition("/")[2])].append(path)
    return {name: tuple(paths) for name, paths in by_name.items()}


def _folders(paths: Iterable[str]) -> frozenset[str]:
    folders: set[str] = set()
    for path in paths:
        folder = path.rpartition("/")[0]
        while folder and folder not in folders:
            folders.add(folder)
            folder = folder.rpartition("/")[0]
    return frozenset(folders)
