"""Plugging, wired to a home: a source's events into notes, part by part, through the one door."""

from __future__ import annotations

import re
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from toolnexus.app.opening import require_same_layout
from toolnexus.errors import UsageError
from toolnexus.evolve.plugging.known import Known
from toolnexus.evolve.plugging.landing import Ground
from toolnexus.evolve.plugging.paper import digest_of_source, folded_slug
from toolnexus.evolve.plugging.run import PlugRun
from toolnexus.home.ripening import is_archived
from toolnexus.home.scope import FLAT_HINT, scope_folder
from toolnexus.home.snapshot import classify
from toolnexus.store.texts import read_capped
from toolnexus.text.slug import is_safe_slug

if TYPE_CHECKING:
    from collections.abc import Callable

    from toolnexus.app.parts import Parts
    from toolnexus.change.plan import Plan
    from toolnexus.evolve.plugging.event import Plug, PlugEvent
    from toolnexus.evolve.plugging.summary import Plugged
    from toolnexus.home.layout import Layout

JOB = "plug"
WAIT_SECONDS = 60.0
"""How long a plug waits for another one into the same home."""
_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,30}")


def plug_in(
    home: Parts,
    plug: Plug,
    *,
    scope: str = "",
    dry_run: bool = False,
    progress: Callable[[int, int], None] = lambda _read, _written: None,
    preview: Callable[[Plan], None] = lambda _plan: None,
) -> Plugged:
    """Bring what a plug has into a home.

    Events are taken one after the other, and written 200 at a time, each part all or nothing.

    Args:
        home: The home.
        plug: The source.
        scope: The folder below the notes' own for all of it, whatever the events say.
        dry_run: Read and decide, write nothing.
        progress: Is told after each part how many events were read and notes written so far.
        preview: Is given what a dry run would write, part by part.

    Raises:
        UsageError: when the plug's name, its folder or the scope will not do, or the plug fails;
            what came before it is in the home.
        LockedError: when another plug goes on for a minute.
        DiskError: when the disk is full or failing; running it again goes on from there.
    """
    name = _name_of(plug)
    _require_outside(home, plug)
    folders = _Folders(home.store.layout, scope, name)
    if dry_run:
        return _run(home, plug, folders, progress, preview, commit=None)
    home.settings  # noqa: B018 - wrong settings stop the work before it begins
    with home.store.hold(JOB, timeout_seconds=WAIT_SECONDS):
        commit = partial(_commit, home)
        return _run(home, plug, folders, progress, preview, commit=commit)


def _run(
    home: Parts,
    plug: Plug,
    folders: _Folders,
    progress: Callable[[int, int], None],
    preview: Callable[[Plan], None],
    commit: Callable[[Callable[[], Plan]], str] | None,
) -> Plugged:
    """Run a plug, and keep what it made known, also where it is stopped half-way."""
    state = f"plug-{plug.name}"
    source = digest_of_source(_source_of(plug), folders.asked)
    known = Known(home.store.read_state(state))
    snapshot = home.read()
    ground = Ground(
        plug.name,
        f"{home.clock.now():%Y-%m-%d}",
        lambda path: _read(home, path),
        known,
        {folded_slug(path) for path in snapshot.notes},
        snapshot.moved,
    )
    del snapshot  # a home as read is large, and what lands in it is decided without
    try:
        return PlugRun(plug, ground, source, folders.of, commit, progress, preview).run()
    finally:
        if known.changed and commit is not None:
            home.store.write_state(state, known.value)


def _commit(home: Parts, make: Callable[[], Plan]) -> str:
    plan = make()
    require_same_layout(home.root, (write.path for write in plan.writes), home.settings)
    return home.store.commit(plan, replan=lambda _: make()).id


def _read(home: Parts, path: str) -> bytes | None:
    try:
        return read_capped(home.root, path)
    except FileNotFoundError:
        return None


def _name_of(plug: Plug) -> str:
    if not hasattr(plug, "name"):
        hint = "load_plug(name, source) in toolnexus.evolve.plugs.registry makes one"
        raise UsageError(f"{plug!r} is no plug: it has no name and no events()", hint=hint)
    name = plug.name
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        hint = "use up to 31 letters a to z, digits and '-'"
        raise UsageError(f"{name!r} cannot be a plug's name", hint=hint)
    if not callable(getattr(plug, "events", None)):
        raise UsageError(f"the plug '{name}' has no events()", hint="see docs/plugs.md")
    return name


def _source_of(plug: Plug) -> str:
    """Return what a plug reads, as one text; a plug of a program's own need not tell it."""
    source = getattr(plug, "source", "")
    return str(source.resolve()) if isinstance(source, Path) else str(source)


def _require_outside(home: Parts, plug: Plug) -> None:
    """Make sure that a folder which is plugged in holds no notes of the home.

    Each run would find what the last one wrote, and write it once more.
    """
    source = getattr(plug, "source", None)
    if not isinstance(source, Path) or not source.is_dir():
        return
    place, root = source.resolve(), home.root.resolve()
    if place.is_relative_to(root) or root.is_relative_to(place):
        hint = "name a folder beside the home"
        raise UsageError("the home would be plugged into itself", path=str(source), hint=hint)


class _Folders:
    """Which folder each event belongs into; a name that will do is looked at once.

    Args:
        layout: Where notes are.
        scope: The scope that the caller gave; empty for none.
        plug: The plug's name.

    Attributes:
        asked: The folder that the caller's scope stands for; empty for none.

    Raises:
        UsageError: when the caller's scope will not do.
    """

    def __init__(self, layout: Layout, scope: str, plug: str) -> None:
        scope_folder(scope, layout)  # what is no text, or leads elsewhere, is none of either
        self._layout = layout
        self._default = scope.strip() or ("" if layout.nested else ".")
        self._plug = plug
        self._folders: dict[str, str] = {}
        self.asked = self._folder(self._default) if scope.strip() else ""

    def of(self, event: PlugEvent) -> str:
        """Return the folder of an event, from the home.

        Raises:
            UsageError: when its scope will not do.
        """
        return self._folder(self._default or event.scope.strip() or self._plug)

    def _folder(self, scope: str) -> str:
        if scope not in self._folders:
            self._folders[scope] = self._checked(scope)
        return self._folders[scope]

    def _checked(self, scope: str) -> str:
        own = self._layout.notes_folder
        folder = scope_folder(scope, self._layout) or own
        below = folder.removeprefix(own).strip("/")
        is_safe = all(is_safe_slug(part) for part in below.split("/")) if below else True
        probe = f"{folder}/note.md" if folder else "note.md"
        if not is_safe or classify(self._layout, probe) != "note" or is_archived(probe):
            hint = "name a folder for notes, such as 'projects/garden'"
            if not self._layout.nested:
                hint = FLAT_HINT
            raise UsageError("its scope is no folder that notes are plugged into", hint=hint)
        return folder
