"""`Home`: a persona's home, opened, with everything that can be done to it.

Its methods come in facets, each a class of its own over what an opened home is made of:

    parts                    the store, the settings, the searches: wired when they are needed
    memory  conversations    what is remembered, what was said
    view                     looking at both
    ripening                 how memory gets better with time, and why it is believed
    acting  acting_async     the persona answers, wakes, dreams, and goes on doing so
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolnexus.app.acting_async import AsyncActing
from toolnexus.app.host import Host

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path
    from typing import Self

    from toolnexus.app.host import ModelLike, ToolLike
    from toolnexus.clock import Clock


class Home(AsyncActing):
    """A persona's home. `Home.open` opens one; nothing is written until something is changed.

    It may be used from several threads at once.

    Args:
        root: The home's folder.
        state: Its state folder; None for ``.toolnexus`` in it.
        clock: Tells the time.
        settings_text: What persona.yaml says; empty when there is none.
        host: What the program around it brings along.

    Example:
        >>> ava = Home.open("personas/ava")  # doctest: +SKIP
        >>> ava.remember("The spare key is under the blue pot.").path  # doctest: +SKIP
        'MEMORY.md'
    """

    @classmethod
    def open(
        cls,
        path: str | Path,
        *,
        state_dir: str | Path | None = None,
        clock: Clock | None = None,
        model: ModelLike | None = None,
        store: object | None = None,
        tools: Iterable[ToolLike] = (),
    ) -> Self:
        """Open a home; a change that a crash cut short is finished first.

        Args:
            path: Its folder.
            state_dir: Where our own state is kept instead of ``.toolnexus`` in it.
            clock: Tells the time; the machine's own by default.
            model: Who thinks, instead of the settings' model: a litellm name, ``none`` to work
                offline, or a `Model` object.
            store: Where conversations are, instead of the home's transcripts: anything with
                ``get`` and ``list``.
            tools: The host's own tools for the persona: functions with type hints.

        Raises:
            HomeError: when the folder is no home.
            UsageError: when `store` is no store.
            DiskError: when a change that was cut short cannot be finished.
        """
        return cls.open_with(Host(model, tuple(tools), store), path, state_dir, clock)
