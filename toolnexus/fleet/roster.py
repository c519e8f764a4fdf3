"""The roster: which homes lie under some folders, and whether they are as they were."""

from __future__ import annotations

import os
from dataclasses import dataclass, field, replace
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from toolnexus.app.scheduled import Last, asks_for_a_look, stand_of, was_edited
from toolnexus.errors import HomeError
from toolnexus.heartbeat.quiet import fingerprint
from toolnexus.home.layout import HEARTBEAT_FILE, SETTINGS_FILE, detect_layout
from toolnexus.store.scan import home_names

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from toolnexus.app.scheduled import Place, Standing
    from toolnexus.clock import Clock

    Stamp = Mapping[str, object]

DEEPEST = 4
"""How many folders a home may lie below the one that was named."""
LOOKED_AT = frozenset({HEARTBEAT_FILE, SETTINGS_FILE})
"""The files of a home that say when something is due."""
SETTLING = timedelta(seconds=1)
"""How long after an edit of HEARTBEAT.md a beat sees it: a person may save it twice in a row."""


def find_homes(
    folders: Iterable[str | Path], known: Mapping[Path, str] | None = None
) -> dict[Path, str]:
    """Find the homes under some folders; a folder that is a home counts, and hides those in it.

    Hidden folders are left out. A home that is reached by two ways is one.

    Args:
        folders: Where to look; one that cannot be listed holds none.
        known: What was found before: a folder that was a home is not looked into again.

    Returns:
        Each home's real path, with the name that it is shown by: as it was reached.
    """
    search = _Search({name: root for root, name in (known or {}).items()})
    for folder in folders:
        search.look_in(str(Path(folder)), DEEPEST)
    return search.found


def require_folders(folders: Iterable[str | Path]) -> None:
    """Make sure that folders are there.

    Raises:
        HomeError: when one is not.
    """
    for folder in folders:
        if not Path(folder).is_dir():
            hint = "name the folder that your personas lie in"
            raise HomeError("there is no such folder", path=str(folder), hint=hint)


@dataclass(frozen=True, slots=True)
class Survey:
    """What one look at the folders found.

    Attributes:
        homes: The homes, by real path, with the names that they are shown by.
        stamps: What tells whether the files of each that matter have changed.
        changed: Those that are new, or are not as they were, with how they stand.
        gone: Those that are there no more.
    """

    homes: Mapping[Path, str] = field(default_factory=dict)
    stamps: Mapping[Path, Stamp] = field(default_factory=dict)
    changed: Mapping[Path, Standing] = field(default_factory=dict)
    gone: frozenset[Path] = frozenset()

    def news_of(self, root: Path, before: Survey) -> str:
        """Tell what is new of a home: ``added``, ``changed`` settings, or nothing."""
        if root not in before.stamps:
            return "added"
        is_set_anew = before.stamps[root][SETTINGS_FILE] != self.stamps[root][SETTINGS_FILE]
        return "changed" if is_set_anew else ""


class Surveyor:
    """Looks at the homes under some folders.

    Args:
        folders: Where they lie.
        place_of: Tells a home's place by its real path.
        clock: Tells the time.
    """

    def __init__(
        self, folders: Iterable[str | Path], place_of: Callable[[Path], Place], clock: Clock
    ) -> None:
        self._folders = tuple(folders)
        self._place_of = place_of
        self._clock = clock

    def look(self, before: Survey, only: frozenset[Path] | None = None) -> Survey:
        """Look at the homes; what is as it was is not read.

        Args:
            before: What the last look found.
            only: The known homes to look at; None looks at all, and for new ones.
        """
        homes = dict(before.homes) if only is not None else find_homes(self._folders, before.homes)
        stamps = dict(before.stamps)
        changed: dict[Path, Standing] = {}
        for root in homes if only is None else only & homes.keys():
            stamp = _stamp_of(root)
            if stamp is None:
                continue
            if stamp != stamps.get(root):
                changed[root] = self._stand(root, stamp, stamps.get(root))
                stamps[root] = stamp
        gone = frozenset(before.homes.keys() - homes.keys())
        for root in gone:
            stamps.pop(root, None)
        return Survey(homes, stamps, changed, gone)

    def _stand(self, root: Path, stamp: Stamp, before: Stamp | None) -> Standing:
        """Read how a home stands; where its tasks were edited, a beat is to see them soon."""
        place = self._place_of(root)
        standing = stand_of(place, self._clock)
        beat = standing.beat
        if before is None:
            is_edited = was_edited(place, beat)
        else:
            is_edited = before[HEARTBEAT_FILE] != stamp[HEARTBEAT_FILE]
        if beat.at is None or not is_edited or not asks_for_a_look(place):
            return standing
        soon = self._clock.now().replace(microsecond=0) + SETTLING
        wake = min(beat.wake, soon) if beat.wake is not None and beat.wake > beat.at else soon
        return replace(standing, beat=Last(beat.at, wake))


def roots_of(paths: Iterable[Path], homes: Mapping[Path, str]) -> frozenset[Path] | None:
    """Tell which homes a change of some paths may matter to; None when any may, or a new one.

    Args:
        paths: What has changed.
        homes: The homes that there are.
    """
    touched = set()
    for path in paths:
        root = next((one for one in (path, *path.parents) if one in homes), None)
        if root is None or root == path:
            return None
        if path.parent == root and path.name in LOOKED_AT:
            touched.add(root)
    return frozenset(touched)


class _Search:
    """A search for homes: what is known, what was found, and where it has been."""

    def __init__(self, known: Mapping[str, Path]) -> None:
        self.found: dict[Path, str] = {}
        self._known = known
        self._seen: set[str] = set()

    def look_in(self, folder: str, deepest: int) -> None:
        """Look at a folder and, where it is no home, at those in it."""
        root = self._known.get(folder)
        if root is not None and os.path.isdir(folder) and not os.path.islink(folder):  # noqa: PTH112, PTH114
            self.found.setdefault(root, folder)
            return
        real = os.path.realpath(folder)
        if real in self._seen:
            return
        self._seen.add(real)
        try:
            names = list(home_names(Path(folder)))
        except OSError:
            return
        if detect_layout(names) is not None:
            self.found.setdefault(Path(real), folder)
        elif deepest > 0:
            for name in sorted(names):
                if name.endswith("/") and not name.startswith("."):
                    inner = name[:-1] if folder == "." else os.path.join(folder, name[:-1])  # noqa: PTH118
                    self.look_in(inner, deepest - 1)


def _stamp_of(root: Path) -> Stamp | None:
    """Return what tells whether the files of a home that matter have changed; None: it is gone."""
    try:
        return fingerprint(root)
    except OSError:
        return None
