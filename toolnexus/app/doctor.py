"""The doctor: everything around a home that could be wrong, each with what mends it."""

from __future__ import annotations

import shutil
from collections import Counter
from typing import TYPE_CHECKING

from toolnexus.app.results import Diagnosis
from toolnexus.app.thinker import thinker_of
from toolnexus.app.tool_servers import HomeToolServers
from toolnexus.errors import ConfigError, LockedError, Malformed, ModelError, ToolnexusError
from toolnexus.files import hold_lock
from toolnexus.models.completion import Request
from toolnexus.models.message import UserMessage
from toolnexus.text.secrets.problems import SECRET_RULE

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from toolnexus.app.view import View

MODEL_SECONDS = 20.0
_UNTOLD = "cannot be told while the settings are wrong"
_GREETING = "Reply with the single word OK."
_LOCKS = ("dream", "compact", "imagine", "beat", "write")
LOW_SPACE_BYTES = 256 * 1024 * 1024


def diagnose(home: View) -> list[Diagnosis]:
    """Look at settings, files, model, tools, embedding, index, transcripts, locks, disk."""
    looks: tuple[tuple[str, Callable[[View], Diagnosis]], ...] = (
        ("settings", _settings),
        ("files", _files),
        ("model", _model),
        ("tools", _tools),
        ("embedding", _embedding),
        ("index", _index),
        ("transcripts", _transcripts),
        ("locks", _locks),
        ("disk", _disk),
    )
    found: list[Diagnosis] = []
    for name, look in looks:
        try:
            found.append(look(home))
        except ToolnexusError as error:
            is_told = isinstance(error, ConfigError) and not found[0].ok  # settings come first
            message, fix = (_UNTOLD, "") if is_told else (str(error), error.hint)
            found.append(Diagnosis(name, ok=False, message=message, fix=fix))
    return found


def _settings(home: View) -> Diagnosis:
    problems = home.settings_problems()
    if not problems:
        return Diagnosis("settings", ok=True, message="persona.yaml is in order")
    first = problems[0]
    message = f"persona.yaml:{first.line}: {first.message}"
    return Diagnosis("settings", ok=False, message=message, fix=first.hint)


def _files(home: View) -> Diagnosis:
    counts = Counter(finding.severity for finding in home.check())
    told = ", ".join(f"{n} {severity}{'s' * (n != 1)}" for severity, n in counts.items())
    fix = f"'toolnexus check {home.root}' lists them" if counts["error"] else ""
    return Diagnosis("files", ok=not counts["error"], message=told or "no findings", fix=fix)


def _model(home: View) -> Diagnosis:
    """Ask the model for a word: a few tokens tell more than a look at the settings."""
    make = thinker_of(home)
    if make is None:
        return Diagnosis("model", ok=True, message="none set: dreams and reminders work offline")
    model = make()
    request = Request((UserMessage(_GREETING),), max_tokens_out=16, timeout_seconds=MODEL_SECONDS)
    try:
        model.complete(request)
    except Malformed:
        pass  # it was reached, and said something
    except ModelError as error:
        return Diagnosis("model", ok=False, message=str(error), fix=error.hint)
    return Diagnosis("model", ok=True, message=f"{model.name} answers")


def _tools(home: View) -> Diagnosis:
    """Start the tool servers, as the next beat will."""
    with HomeToolServers(home) as servers:
        names = [tool.name for tool in servers.tools()]
        problems = "; ".join(servers.notices())
    if problems:
        fix = "mend 'mcp_servers' in persona.yaml, or what it names"
        return Diagnosis("tools", ok=False, message=problems, fix=fix)
    told = f"{len(names)} of servers: {', '.join(names)}" if names else "no servers are named"
    return Diagnosis("tools", ok=True, message=told)


def _embedding(home: View) -> Diagnosis:
    from toolnexus.index.embedder import make_embedder

    embedder = make_embedder(home.settings.index.embedding)
    width = embedder.embed(["a word"]).shape[1]
    return Diagnosis("embedding", ok=True, message=f"{embedder.name} works, {width} dimensions")


def _index(home: View) -> Diagnosis:
    health = home.searching.health()
    if not health.files:
        return Diagnosis("index", ok=True, message="not made yet: the first search makes it")
    message = f"{health.files:,} files, {health.chunks:,} passages, {health.size_bytes:,} bytes"
    if health.ok:
        return Diagnosis("index", ok=True, message=message)
    problems = "; ".join(health.problems)
    return Diagnosis(
        "index", ok=False, message=f"{message}; {problems}", fix="toolnexus index --rebuild"
    )


def _transcripts(home: View) -> Diagnosis:
    home.turns.refresh()
    stats = home.turns.stats()
    turns, conversations = sum(stats.turns.values()), stats.conversations
    message = f"{turns:,} turn{'s' * (turns != 1)} in {conversations:,} conversation"
    message += "s" * (conversations != 1)
    problems = [problem for problem in home.turns.problems() if problem.rule != SECRET_RULE]
    fix = f"'toolnexus check {home.root}' lists the lines" if problems else ""
    told = f"{message}; {len(problems)} lines cannot be read" if problems else message
    return Diagnosis("transcripts", ok=not problems, message=told, fix=fix)


def _locks(home: View) -> Diagnosis:
    held = [job for job in _LOCKS if _is_held(home.store.state, job)]
    if not held:
        return Diagnosis("locks", ok=True, message="none is held")
    return Diagnosis(
        "locks",
        ok=True,
        message=f"held by a running process: {', '.join(held)}",
        fix="wait for it; a lock goes when its process ends",
    )


def _is_held(state: Path, job: str) -> bool:
    path = state / "locks" / f"{job}.lock"
    if not path.exists():
        return False
    try:
        with hold_lock(path, timeout_seconds=0, what=job):
            return False
    except LockedError:
        return True


def _disk(home: View) -> Diagnosis:
    free = shutil.disk_usage(home.root).free
    message = f"{free // (1024 * 1024):,} MiB free"
    if free >= LOW_SPACE_BYTES:
        return Diagnosis("disk", ok=True, message=message)
    return Diagnosis("disk", ok=False, message=message, fix="free some space: commits need room")
