"""Asking: a model is shown the notes of an idea, and what it makes of them is judged."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from toolnexus.agent.bounds import Bounds
from toolnexus.agent.loop import Agent
from toolnexus.errors import Malformed, ModelError
from toolnexus.evolve.imagining.grounded import Source, find_objection, without_links
from toolnexus.evolve.imagining.material import texts_of
from toolnexus.evolve.imagining.telling import plain
from toolnexus.evolve.imagining.types import Telling
from toolnexus.home.drafts.draft import Refusal
from toolnexus.home.layout import DREAM_FILE
from toolnexus.home.section import clean_body
from toolnexus.models.completion import Usage
from toolnexus.text.secrets import mask

if TYPE_CHECKING:
    from collections.abc import Sequence

    from toolnexus.agent.budget import Meter
    from toolnexus.agent.run import Run
    from toolnexus.agent.run_file import RunFile
    from toolnexus.evolve.imagining.idea import Idea
    from toolnexus.home.snapshot import Snapshot
    from toolnexus.models.model import Model

_SHOWN_CHARS = 1_200
"""Characters of a note that the model is shown."""
_BACKTICKS = re.compile(r"`{3,}")
_NEXT = "nothing was written; the same notes are not put to a model again"


def ask_model(
    home: Snapshot,
    ideas: Sequence[Idea],
    model: Model,
    meter: Meter,
    run_file: RunFile | None = None,
) -> Telling:
    """Put each idea to a model, and judge what it makes of it.

    Nothing that the model or a budget does raises; it is told in the result.

    Args:
        home: The home as read.
        ideas: What to ask for.
        model: Who thinks.
        meter: Counts what the run spends.
        run_file: Where each step is written as it happens; None writes nothing.

    Raises:
        DiskError: when the run file cannot be written.
    """
    agent = Agent(f"{home.name}-imaginer", imaginer_soul(home), model, bounds=Bounds(steps=1))
    told: list[tuple[Idea, str]] = []
    tried: list[Idea] = []
    refused: list[Refusal] = []
    usage = Usage()
    for idea in ideas:
        sources = [_source(home, piece.path) for piece in idea.sources]
        run = agent.run(render_idea(idea, sources), meter=meter, run_file=run_file)
        usage += run.usage
        if run.outcome in {"budget", "cancelled"}:
            stopped = run.reason or run.outcome
            return Telling(tuple(told), tuple(tried), tuple(refused), usage, stopped)
        if run.error is not None and not isinstance(run.error, Malformed):
            if not isinstance(run.error, ModelError):
                raise run.error
            return Telling(tuple(told), tuple(tried), tuple(refused), usage, error=run.error)
        tried.append(idea)
        text = without_links(run.text.strip(), sources)
        objection = _cut_short(run) or find_objection(text, sources)
        if objection:
            refused.append(Refusal(f"imagine {_shown(idea)}", objection, _NEXT))
        else:
            told.append((idea, text))
    return Telling(tuple(told), tuple(tried), tuple(refused), usage)


def imaginer_soul(home: Snapshot) -> str:
    """Compose what the model is told: its task, and the person's guidance for dreams."""
    guidance = home.text(DREAM_FILE) if DREAM_FILE in home.texts else ""
    parts = [clean_body(part) for part in (imagine_prompt(), guidance)]
    return "\n\n".join(part for part in parts if part)


@cache
def imagine_prompt() -> str:
    """Return what the model is told of its task."""
    source = files(__package__) / "data" / "imagine_prompt.md"
    return source.read_text(encoding="utf-8")


def render_idea(idea: Idea, sources: Sequence[Source]) -> str:
    """Write an idea for a model: what is asked, and the notes as fenced data."""
    if idea.phase == "consolidation":
        asked = "What recurs over these notes, beyond what each says by itself?"
    else:
        asked = "These two notes are about unlike things. What may they have to do with each other?"
    shown = (_fenced(number, source) for number, source in enumerate(sources, 1))
    return "\n\n".join([asked, *shown])


def _fenced(number: int, source: Source) -> str:
    title, *claims = source.texts
    body = mask("\n".join([f"# {title}", *(f"- {text}" for text in claims)]))
    body = _BACKTICKS.sub("''", body)
    if len(body) > _SHOWN_CHARS:
        body = f"{body[:_SHOWN_CHARS].rpartition(' ')[0]} …"
    return f"Note {number}:\n```\n{body}\n```"


def _source(home: Snapshot, path: str) -> Source:
    note = home.notes[path]
    names = {note.slug, note.title, path.removesuffix(".md"), *note.aliases}
    return Source(frozenset(names), texts_of(note))


def _cut_short(run: Run) -> str:
    return "" if run.outcome == "done" else run.reason or "the model gave no whole answer"


def _shown(idea: Idea) -> str:
    return ", ".join(plain(piece.title) for piece in idea.sources)
