"""Opening: what persona.yaml and the transcripts say about a home before anything is done to it."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import TYPE_CHECKING

from toolnexus.errors import ConfigError, UsageError
from toolnexus.files import read_regular
from toolnexus.home.finding import Finding
from toolnexus.home.layout import LAYOUTS, SETTINGS_FILE, detect_layout
from toolnexus.home.snapshot import IndexCap
from toolnexus.store.read import HomeFacts, layout_of
from toolnexus.store.scan import home_names
from toolnexus.text.secrets.problems import ROTATE_HINT, SECRET_RULE

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from toolnexus.settings import Settings, SettingsProblem
    from toolnexus.transcripts.turn import TranscriptProblem

SETTINGS_CAP_BYTES = 256 * 1024


def facts_of(settings: Settings, root: Path | None = None) -> HomeFacts:
    """Return what the settings say about a home's files; with its root, the layout as well."""
    layout = LAYOUTS[settings.layout] if settings.layout else None
    facts = HomeFacts(
        name=settings.name or "",
        owner=settings.owner or "",
        layout=layout,
        cap=IndexCap(settings.memory.cap_lines, settings.memory.cap_bytes),
        soul_cap_bytes=settings.memory.soul_bytes,
    )
    if root is not None and settings.transcripts.path:
        placed = replace(
            layout_of(root, facts), transcripts_path=settings.transcripts.path.strip("/")
        )
        facts = replace(facts, layout=placed)
    return facts


def require_same_layout(root: Path, paths: Iterable[str], settings: Settings) -> None:
    """Make sure that files which are to be written leave the home of the kind that it is.

    Raises:
        UsageError: when the folder would be taken for another kind of home, so that its notes
            would no longer be found.
    """
    if settings.layout is not None:
        return
    present = set(home_names(root))
    before = detect_layout(present)
    for path in paths:
        after = detect_layout({*present, path})
        if "/" not in path and before is not None and after != before:
            raise UsageError(
                f"this file would make the folder a '{after.name if after else ''}' home, "
                f"and it is a '{before.name}' one",
                path=path,
                hint=f"write 'layout: {before.name}' into {SETTINGS_FILE} first",
            )


def read_settings_text(root: Path) -> str:
    """Read persona.yaml; empty when there is none.

    Bytes that are no UTF-8 are kept as ``surrogateescape`` does: `read_settings` tells of them.

    Raises:
        ConfigError: when it cannot be read.
    """
    path = root / SETTINGS_FILE
    if not os.path.lexists(path):
        return ""
    try:
        return read_regular(path, SETTINGS_CAP_BYTES).decode("utf-8", "surrogateescape")
    except OSError as error:
        raise ConfigError(
            f"it cannot be read: {error.strerror}", path=str(path), hint="check what it is"
        ) from error


def settings_finding(problem: SettingsProblem) -> Finding:
    """Tell something wrong in persona.yaml as a finding."""
    return Finding(
        SETTINGS_FILE, problem.line, problem.rule, "error", problem.message, problem.hint
    )


def transcript_finding(folder: str, problem: TranscriptProblem) -> Finding:
    """Tell something wrong in a transcript as a finding; a turn that was read all the same warns.

    Args:
        folder: Where the transcripts are, relative to the home.
        problem: What is wrong.
    """
    return Finding(
        f"{folder}/{problem.file}" if problem.file else folder,
        problem.line,
        problem.rule,
        "error" if problem.skipped else "warning",
        problem.message,
        _mending(problem),
    )


def _mending(problem: TranscriptProblem) -> str:
    if problem.rule == SECRET_RULE:
        return ROTATE_HINT
    return "mend or delete the line; the rest is read" if problem.line else ""
