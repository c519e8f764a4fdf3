"""Checks of links: the ones that lead nowhere, to several notes, or to no heading."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from toolnexus.home.finding import Finding
from toolnexus.home.repair import link_target_for, suggestions

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolnexus.home.finding import Severity
    from toolnexus.home.resolve import Resolution
    from toolnexus.home.snapshot import Snapshot
    from toolnexus.text.types import Link

# Looking for likenesses takes a millisecond a name: enough for a person, not for a whole vault.
_MAX_SUGGESTED = 100
_FILE_SUFFIX = re.compile(r"\.(?!md$)[A-Za-z][A-Za-z0-9]{0,4}$")


def check_links(snapshot: Snapshot) -> Iterator[Finding]:
    """Yield ``broken-link``, ``ambiguous-link`` and ``broken-anchor``, and ``info`` for aliases."""
    suggested: dict[str, tuple[str, ...]] = {}
    for path, resolutions in snapshot.resolutions.items():
        links = snapshot.notes[path].document.links
        for link, resolution in zip(links, resolutions, strict=True):
            if resolution.candidates:
                yield _ambiguous(snapshot, path, link, resolution)
            elif resolution.step == "escaping":
                yield _escaping(path, link)
            elif resolution.path is None:
                if link.target not in suggested and len(suggested) < _MAX_SUGGESTED:
                    suggested[link.target] = suggestions(snapshot, link)
                yield _broken(snapshot, path, link, suggested.get(link.target, ()))
            elif resolution.anchor == "missing":
                yield _lost_anchor(snapshot, path, link, resolution.path)
            elif resolution.step == "alias":
                yield _alias(snapshot, path, link, resolution.path)


def _broken(snapshot: Snapshot, path: str, link: Link, alike: tuple[str, ...]) -> Finding:
    is_file = link.kind != "wiki" and _FILE_SUFFIX.search(link.target) is not None
    is_planned = snapshot.layout.name == "vault" and not is_file
    what = "file" if is_file else "note"
    if alike:
        hint = f"did you mean {_listed(alike)}?"
    else:
        hint = f"write that {what}, or take the link out"
    severity: Severity = "warning" if is_planned else "error"
    message = f"the link '{link.target}' leads to no {what}"
    return Finding(path, link.line, "broken-link", severity, message, hint)


def _escaping(path: str, link: Link) -> Finding:
    message = f"the link '{link.target}' leads out of the home"
    hint = "copy what it leads to into the home, or take the link out"
    return Finding(path, link.line, "broken-link", "error", message, hint)


def _ambiguous(snapshot: Snapshot, path: str, link: Link, resolution: Resolution) -> Finding:
    ways = [link_target_for(snapshot, each, "wiki", path) for each in resolution.candidates[:5]]
    message = f"the link '{link.target}' could mean {_listed(resolution.candidates)}"
    return Finding(
        path, link.line, "ambiguous-link", "error", message, f"write {_listed(ways)} to tell which"
    )


def _lost_anchor(snapshot: Snapshot, path: str, link: Link, target: str) -> Finding:
    what = "block" if link.anchor.startswith("^") else "heading"
    headings = [
        heading.text for heading in snapshot.notes[target].document.headings if heading.text
    ]
    message = f"{target} has no {what} '{link.anchor}'"
    hint = f"its headings are {_listed(headings)}" if headings else "it has no headings at all"
    return Finding(path, link.line, "broken-anchor", "warning", message, hint)


def _alias(snapshot: Snapshot, path: str, link: Link, target: str) -> Finding:
    slug = link_target_for(snapshot, target, "wiki", path)
    message = f"the link '{link.target}' is an alias of {target}, which Obsidian does not follow"
    hint = f"write [[{slug}|{link.label or link.target}]] if you use Obsidian"
    return Finding(path, link.line, "broken-link", "info", message, hint)


def _listed(names: list[str] | tuple[str, ...], most: int = 5) -> str:
    """List names as prose does: 'a', 'b' or 'c'."""
    shown = [f"'{name}'" for name in names[:most]]
    if len(names) > most:
        shown.append(f"{len(names) - most} more")
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} or {shown[-1]}"
