"""Making homes: a fresh one from the template, or a copy of a sample persona."""

from __future__ import annotations

import shutil
from pathlib import Path

from toolnexus.errors import UsageError
from toolnexus.files import REAL_DISK, disk_errors

PACKAGE = Path(__file__).resolve().parent.parent
TEMPLATE = PACKAGE / "app" / "template"


def create_home(path: str | Path) -> list[str]:
    """Write a fresh persona, every file commented.

    Args:
        path: The folder; it is made when absent, and must be empty.

    Returns:
        The files written, relative to it.

    Raises:
        UsageError: when there is something in the folder already.
        DiskError: when it cannot be written.
    """
    root = Path(path)
    _require_empty(root)
    written = []
    with disk_errors(root):
        for source in sorted(TEMPLATE.rglob("*")):
            relative = source.relative_to(TEMPLATE)
            target = root / _target_name(relative)
            if source.is_dir():
                REAL_DISK.make_folder(target)
            elif source.name != ".keep":
                REAL_DISK.make_folder(target.parent)
                data = source.read_bytes().replace(b"{{name}}", root.resolve().name.encode())
                REAL_DISK.write_new(target, data)
                written.append(target.relative_to(root).as_posix())
    return written


def copy_sample(name: str, target: str | Path) -> Path:
    """Copy a sample persona into a fresh folder.

    Args:
        name: ``ava`` or ``otto``.
        target: The folder; it is made when absent, and must be empty.

    Raises:
        UsageError: when there is no such persona, or something is in the folder already.
        DiskError: when it cannot be written.
    """
    root = Path(target)
    source = next((p / name for p in _sample_folders() if (p / name).is_dir()), None)
    if source is None or Path(name).name != name:
        raise UsageError(f"there is no sample persona '{name}'", hint="there are 'ava' and 'otto'")
    _require_empty(root)
    with disk_errors(root):
        shutil.copytree(
            source, root, dirs_exist_ok=True, ignore=shutil.ignore_patterns(".toolnexus")
        )
    return root


def _sample_folders() -> tuple[Path, ...]:
    """Where the samples are: in an installed package, or beside it in a checkout."""
    return PACKAGE / "personas", PACKAGE.parent / "personas"


def _target_name(relative: Path) -> Path:
    """Give a template's file its name: ``dot-`` stands for the dot that packaging tools skip."""
    return relative.with_name(
        "." + relative.name.removeprefix("dot-")
        if relative.name.startswith("dot-")
        else relative.name
    )


def _require_empty(root: Path) -> None:
    if root.exists() and not root.is_dir():
        raise UsageError("there is a file of that name", path=str(root))
    if root.is_dir() and any(root.iterdir()):
        raise UsageError(
            "the folder is not empty", path=str(root), hint="name a new folder, or empty it first"
        )
