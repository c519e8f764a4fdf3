"""Resolution: which file a link leads to, by one fixed order of steps."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from toolnexus.home.anchors import has_anchor
from toolnexus.home.names import Names, folded

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from toolnexus.text.types import Link

__all__ = ["Names", "Resolution", "resolve", "resolve_target"]

Anchor = Literal["ok", "missing", "none"]
Step = Literal[
    "self",
    "relative",
    "path",
    "slug",
    "folded",
    "suffix",
    "title",
    "alias",
    "asset",
    "escaping",
    "unresolved",
]


@dataclass(frozen=True, slots=True)
class Resolution:
    """Where a link leads.

    Attributes:
        path: The one file it means; None when there is none or more than one.
        candidates: The files it could mean, when it is ambiguous.
        step: The step that decided: the first with a hit, ``escaping`` for a link out of the
            home, ``unresolved`` when no step had one.
        anchor: Whether the file has the heading or block; ``none`` when the link names none, or
            leads nowhere.
    """

    path: str | None
    candidates: tuple[str, ...] = ()
    step: Step = "unresolved"
    anchor: Anchor = "none"

    @property
    def is_ambiguous(self) -> bool:
        """Whether it could mean several files."""
        return bool(self.candidates)


_UNRESOLVED = Resolution(None)
_ESCAPING = Resolution(None, step="escaping")


def resolve(names: Names, from_path: str, link: Link) -> Resolution:
    """Find the file that a link leads to.

    The first step with a hit decides: the path seen from the linking file's folder (Markdown
    links, and targets that begin with a dot); the exact path from the home; the exact slug in any
    folder; the folded slug; the end of a path; a folded title; a folded alias; another file that
    exists. Several hits at one step are ambiguous.

    Args:
        names: The home's name tables.
        from_path: The file that holds the link, relative to the home.
        link: The link.

    Example:
        >>> resolve(home.names, "MEMORY.md", link).path  # doctest: +SKIP
        'memory/travel.md'
    """
    if link.target.strip():
        found = resolve_target(names, from_path, link.target, relative=link.kind == "markdown")
    else:
        found = Resolution(from_path, step="self")
    if found.path is None or not link.anchor:
        return found
    return Resolution(found.path, (), found.step, _anchor(names, found.path, link))


def resolve_target(
    names: Names, from_path: str, target: str, *, relative: bool = False
) -> Resolution:
    """Find the file that a link's target names, whatever its anchor.

    Args:
        names: The home's name tables.
        from_path: The file that holds the link, relative to the home.
        target: What the link says, without anchor and label.
        relative: Look in the linking file's own folder first, as Markdown links are read.
    """
    target = target.strip()
    dotted = target.startswith(("./", "../")) or target in {".", ".."}
    if relative or dotted:
        joined = target if target.startswith("/") else _join(from_path, target)
        place = _normalised(joined)
        if place is None:
            return _ESCAPING
        if hit := _file_at(names, place) or _folder_at(names, place):
            return Resolution(hit, step="relative")
        if dotted:
            target = place
    place = _normalised(target)
    if place is None:
        return _ESCAPING
    key = place[:-3] if place[-3:].lower() == ".md" else place
    return _by_name(names, key) or _by_asset(names, from_path, place) or _UNRESOLVED


def _join(from_path: str, target: str) -> str:
    folder = from_path.rpartition("/")[0]
    return f"{folder}/{target}" if folder else target


def _normalised(path: str) -> str | None:
    """Take ``.``, ``..`` and empty parts out of a path; None when it leads out of the home."""
    if "/" not in path and path not in {".", ".."}:
        return path
    parts: list[str] = []
    for part in path.split("/"):
        if part == "..":
            if not parts:
                return None
            parts.pop()
        elif part not in {"", "."}:
            parts.append(part)
    return "/".join(parts)


def _file_at(names: Names, place: str) -> str | None:
    """Return the file at exactly this place, with or without its ``.md``."""
    for path in (place, f"{place}.md"):
        if path in names.notes or path in names.assets:
            return path
    return None


def _folder_at(names: Names, place: str) -> str | None:
    """Return the folder at this place: prose likes to point at one, as in ``[notes](memory/)``."""
    return place if place in names.folders or not place else None


def _by_name(names: Names, key: str) -> Resolution | None:
    """Go through the steps that name a Markdown file; None when none has a hit."""
    path = f"{key}.md"
    if path in names.notes:
        return Resolution(path, step="path")
    name = folded(key)
    if "/" in key:
        last = key.rpartition("/")[2]
        hits = _ends_with(names.slugs.get(last, ()), key, str)
        hits = hits or _ends_with(names.folded_slugs.get(folded(last), ()), name, folded)
        found = _decided(hits, "suffix")
    else:
        found = _decided(names.slugs.get(key, ()), "slug")
        found = found or _decided(names.folded_slugs.get(name, ()), "folded")
    return (
        found
        or _decided(names.titles.get(name, ()), "title")
        or _decided(names.aliases.get(name, ()), "alias")
    )


def _decided(hits: tuple[str, ...], step: Step) -> Resolution | None:
    """Return what a step's hits mean: one file, several candidates, or nothing yet."""
    if not hits:
        return None
    return Resolution(hits[0], step=step) if len(hits) == 1 else Resolution(None, hits, step)


def _ends_with(paths: Iterable[str], key: str, fold: Callable[[str], str]) -> tuple[str, ...]:
    """Keep the paths that end with these whole parts."""
    return tuple(path for path in paths if f"/{fold(path[:-3])}".endswith(f"/{key}"))


def _by_asset(names: Names, from_path: str, place: str) -> Resolution | None:
    """Find a file that is no note: by path from the home, beside the link, by name anywhere."""
    for candidate in (place, _normalised(_join(from_path, place))):
        if candidate is not None and (hit := _file_at(names, candidate)):
            return Resolution(hit, step="asset")
    name = folded(place)
    for wanted in (name, f"{name}.md"):
        if hits := names.asset_names.get(wanted.rpartition("/")[2]):
            ends = _ends_with((f"{path}.md" for path in hits), wanted, folded)
            if ends:
                return Resolution(ends[0][:-3], step="asset")
    return None


def _anchor(names: Names, path: str, link: Link) -> Anchor:
    """Whether the file has what the link's anchor names; what we cannot look into has it."""
    note = names.notes.get(path)
    if note is None or note.kind == "left-out":
        return "ok"
    found = has_anchor(note.document, link.anchor, slugs=link.kind == "markdown")
    return "ok" if found else "missing"
