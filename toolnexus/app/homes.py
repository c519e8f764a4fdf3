"""Homes of many users: each has one of its own, made of a template when it first comes."""

from __future__ import annotations

import contextlib
import os
import secrets
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

from toolnexus.app.create import create_home
from toolnexus.app.home import Home
from toolnexus.app.host import Host
from toolnexus.errors import HomeError, UsageError
from toolnexus.files import TEMP_PREFIX, disk_errors
from toolnexus.home.layout import STATE_FOLDER, detect_layout
from toolnexus.store.scan import home_names
from toolnexus.transcripts.names import SUFFIX, file_name

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from toolnexus.app.host import ModelLike, ToolLike
    from toolnexus.clock import Clock

MARK = "@"
"""Begins the name of every user's folder: no id is encoded with it, so no other folder is one."""
PERSONA = "persona"
"""What personas are called that no template and no settings name."""
_UNCOPIED = frozenset({STATE_FOLDER, ".git"})


class Homes:
    """A folder with one home for each user.

    Any text is an id. Two ids never share a folder, also on disks that fold case or accents, and no
    id can name a path. What one user's persona knows, another's never sees: each home has its own
    memory, transcripts, index and state.

    Args:
        folder: Where the homes are; it is made when the first user comes.
        template: A persona's folder that each home begins as a copy of, its conversations and its
            history left out; None begins with a fresh persona.
        model: Who thinks; see `Home.open`.
        tools: The host's own tools; see `Home.open`.
        clock: Tells the time.

    Example:
        >>> homes = Homes("personas")  # doctest: +SKIP
        >>> homes.for_user("maria@example.org").remember("Likes tea.")  # doctest: +SKIP
    """

    def __init__(
        self,
        folder: str | Path,
        *,
        template: str | Path | None = None,
        model: ModelLike | None = None,
        tools: Iterable[ToolLike] = (),
        clock: Clock | None = None,
    ) -> None:
        self.folder = Path(folder)
        self._template = None if template is None else Path(template)
        self._model = model
        self._tools = tuple(tools)
        self._clock = clock

    def for_user(self, user: str) -> Home:
        """Open a user's home, which is made the first time.

        Args:
            user: The user's id: any text that is not empty.

        Raises:
            UsageError: when the id is empty, or holds half of a surrogate pair.
            HomeError: when the template is no home, or a link stands in the home's place.
            DiskError: when the disk is full or failing.
        """
        root = self.path_of(user)
        if root.is_symlink():
            raise HomeError("a symbolic link is no user's home", path=str(root), hint="remove it")
        host = Host(self._model, self._tools, name=self._name())
        if not root.is_dir():
            self._make(root)
        return Home.open_with(host, root, clock=self._clock)

    def path_of(self, user: str) -> Path:
        """Return where a user's home is, or would be.

        Raises:
            UsageError: when the id is empty, or holds half of a surrogate pair.

        Example:
            >>> Homes("personas").path_of("../Ava").as_posix()
            'personas/@%2E.%2F%41va'
        """
        if not isinstance(user, str) or not user:
            raise UsageError("a user's id is empty", hint="give any text")
        try:
            user.encode()
        except UnicodeEncodeError:
            raise UsageError("a user's id holds half of a surrogate pair") from None
        return self.folder / (MARK + file_name(user).removesuffix(SUFFIX))

    def _name(self) -> str:
        """Return what every user's persona is called."""
        return PERSONA if self._template is None else Home.open(self._template).name

    def _make(self, root: Path) -> None:
        """Make a home beside its place and move it there, so that it is there whole or not."""
        with self._workshop() as draft:
            if self._template is None:
                create_home(draft)
            else:
                shutil.copytree(self._template, draft, ignore=self._left_out(), symlinks=True)
            try:
                draft.rename(root)
            except OSError:
                if not root.is_dir():  # else another process was faster
                    raise

    def _left_out(self) -> Callable[[str, list[str]], set[str]]:
        """Return what tells which entries of the template's folders no user's home gets.

        These are its conversations and its history, and users' homes that lie in the template.
        """
        template = Home.open(self._template or self.folder)
        talk = template.root / template.store.layout.transcripts_path
        places = {os.path.realpath(talk), os.path.realpath(self.folder)}

        def is_left_out(path: Path) -> bool:
            name = path.name
            return (
                name in _UNCOPIED
                or name.startswith(TEMP_PREFIX)
                or os.path.realpath(path) in places
                or (name.startswith(MARK) and _is_home(path))
            )

        return lambda folder, names: {n for n in names if is_left_out(Path(folder, n))}

    @contextlib.contextmanager
    def _workshop(self) -> Iterator[Path]:
        """Give a place for a home that is not ready; what is left there in the end goes."""
        with disk_errors(self.folder):
            self.folder.mkdir(parents=True, exist_ok=True)
            draft = self.folder / f"{TEMP_PREFIX}{os.getpid()}-{secrets.token_hex(4)}"
            try:
                yield draft
            finally:
                shutil.rmtree(draft, ignore_errors=True)


def _is_home(path: Path) -> bool:
    return path.is_dir() and detect_layout(home_names(path)) is not None
