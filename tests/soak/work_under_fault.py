"""The home and the commands that faults are brought about in: every kind that writes."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from toolnexus.app import Home
from toolnexus.cli.main import main
from toolnexus.clock import FixedClock, SystemClock, parse_instant
from toolnexus.errors import ToolnexusError
from toolnexus.testing.model import ScriptedModel, call, say, use

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from toolnexus.clock import Clock

NOW = "2026-11-29T03:00:12Z"
CLOCK = FixedClock(parse_instant(NOW))
LEFT_FOR_REVIEW = 3
SEATS = "".join(f"- Prefers window seat number {n} on night flights.\n" for n in range(9))
FILES = {
    "SOUL.md": "# Ava\n\nYou are Ava.\n",
    "USER.md": "# User\n\n- Is called Mara.\n",
    "MEMORY.md": "# Memory\n\n- Lives in Paris.\n- Likes tea: [[tea]]\n\n## Travel\n\n" + SEATS,
    "memory/tea.md": "# Tea\n\n- Green, no sugar.\n- green, no sugar\n- [[bills-and-metres]]\n",
    "memory/bills-and-meters.md": "# Bills\r\n\r\n- Power: 40 euros.\r\n- See [[tea#Tea]].\r\n",
    "memory/bees.md": "# Bees\n\n- Two hives, on the roof.\n",
    "memory/hives.md": "---\naliases: [honey]\n---\n# Bees\n\n- Two hives, on the roof.\n",
    "HEARTBEAT.md": "Be brief.\n\n## Tasks\n\n- [ ] Water the plants (every 1d at 02:00)\n",
    "persona.yaml": (
        "name: Ava\nmemory: {cap: {lines: 12, bytes: 25600}}\nheartbeat: {timezone: UTC}\n"
    ),
}
TALK = (
    ("user", "Big news: we finally moved to Berlin, Clara and I."),
    ("assistant", "Congratulations!"),
    ("user", "The hives stand in the garden now, all five of them."),
)
SAID = [{"role": r, "content": t, "ts": f"2026-11-2{n}T10:00:00Z"} for n, (r, t) in enumerate(TALK)]
MOVED = {"conversation": "talk", "turn": 1, "quote": "we finally moved to Berlin"}
HIVES = {"conversation": "talk", "turn": 3, "quote": "The hives stand in the garden now"}
IMPORTED = "imported"


def make_home(root: Path) -> Path:
    """Write the home that faults are brought about in."""
    for path, text in FILES.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(text.encode())
    (root / "transcripts").mkdir()
    rows = "".join(json.dumps(row) + "\n" for row in SAID)
    (root / "transcripts" / "talk.jsonl").write_text(rows)
    return root


def exports(root: Path) -> list[Path]:
    """Return another tool's files, which lie beside a home; they are written where absent."""
    folder = root.parent / IMPORTED
    folder.mkdir(exist_ok=True)
    found = []
    for name in ("first", "second"):
        path = folder / f"{name}.jsonl"
        if not path.exists():
            rows = ({"role": "user", "content": f"Turn {n} of the {name}."} for n in range(6))
            path.write_text("".join(json.dumps(row) + "\n" for row in rows))
        found.append(path)
    return found


def opened(root: Path, clock: Clock = CLOCK) -> Home:
    """Open a home."""
    return Home.open(root, clock=clock)


# -- the commands ----------------------------------------------------------------------------


def typed(name: str, *words: str) -> Callable[[Path], int]:
    """Return a command as it is typed, ``{home}`` standing for the home."""

    def run(root: Path) -> int:
        told = [word.replace("{home}", str(root)) for word in words]
        return main([*name.split(), *told, "--now", NOW])

    return run


def waiting(decision: str) -> Callable[[Path], int]:
    """Return ``review`` of what waits."""
    return typed("review", "{home}", decision)


def told(work: Callable[[Path], object]) -> Callable[[Path], int]:
    """Return work over the Python API as a command: errors are told and become exit codes."""

    def run(root: Path) -> int:
        try:
            done = work(root)
        except ToolnexusError as error:
            sys.stderr.write(f"{error}\n  hint: {error.hint}\n")
            return error.exit_code
        error = getattr(done, "error", None)
        if error is not None:
            sys.stderr.write(f"{error}\n  hint: {error.hint}\n")
        return int(getattr(done, "exit_code", 0))

    return run


def thinker() -> ScriptedModel:
    """A model that corrects a claim on evidence, and wants something that has to wait."""
    moved: dict[str, Any] = {"text": "Lives in Paris.", "with": "Lives in Berlin."}
    hives = {"text": "Two hives, on the roof.", "with": "Two sunny hives, in the garden."}
    return ScriptedModel(
        use(
            call("memory", action="replace", evidence=[MOVED], **moved),
            call("memory", action="replace", target="bees", evidence=[HIVES], **hives),
        ),
        default="HEARTBEAT_OK",
    )


def talker() -> ScriptedModel:
    """A model that remembers something, and speaks."""
    return ScriptedModel(
        use(call("memory", action="add", text="Owns a kayak.")),
        default=say("I wrote it down."),
    )


def _ask(root: Path) -> object:
    opened(root).ask("I own a kayak.", conversation="talk", model=talker())
    return None


def _append(root: Path) -> object:
    opened(root).transcripts.append("talk", {"role": "user", "content": "Good night.", "ts": NOW})
    return None


def _import(root: Path) -> int:
    words = [str(path) for path in exports(root)]
    return main(["import", "jsonl", *words, "--into", str(root), "--now", NOW])


@dataclass(frozen=True, slots=True)
class Work:
    """One kind of command.

    Attributes:
        run: Does it to a home, and returns the exit code.
        before: What is done to the home first, without faults.
        is_atomic: Whether all that it changes in the home's files is one commit, so that exit 74
            means that they are as they were.
        repeats: Whether it may be done again when it is done already.
        is_durable: Whether what it wrote outlasts a power loss once it has ended.
    """

    run: Callable[[Path], int]
    before: Callable[[Path], object] | None = None
    is_atomic: bool = True
    repeats: bool = True
    is_durable: bool = True


def _dreamt(root: Path) -> object:
    return opened(root).dream()


def _proposed(root: Path) -> object:
    return opened(root).dream(propose=True)


WORK: Mapping[str, Work] = {
    "remember": Work(typed("remember", "{home}", "Owns a canoe.")),
    "rename": Work(typed("rename", "{home}", "tea", "green-tea"), repeats=False),
    "dream": Work(typed("dream", "{home}")),
    "dream with a model": Work(told(lambda root: opened(root).dream(model=thinker()))),
    "dream --propose": Work(typed("dream", "{home}", "--propose")),
    "review --apply": Work(waiting("--apply"), _proposed),
    "review --discard": Work(waiting("--discard"), _proposed, repeats=False),
    "revert": Work(typed("revert", "{home}", "last"), _dreamt, repeats=False),
    "a turn": Work(told(_append), repeats=False, is_durable=False),
    "import": Work(_import, is_atomic=False),
    "ask, with the memory tool": Work(told(_ask), is_atomic=False, repeats=False, is_durable=False),
    "beat": Work(
        told(lambda root: opened(root).beat(model=talker(), say=lambda _: None)),
        is_atomic=False,
        is_durable=False,
    ),
    "transcripts search": Work(typed("transcripts search", "{home}", "hives")),
    "search": Work(typed("search", "{home}", "hives")),
    "index --rebuild": Work(typed("index", "{home}", "--rebuild")),
}

# Commands that keep a cache alone: many calls, of SQLite and Chroma, and nothing at stake.
CACHES = frozenset({"search", "index --rebuild", "transcripts search"})
# Chroma starts threads, so that these are never run in the process that is forked.
COLD = frozenset({"search", "index --rebuild"})

COMMANDS: Mapping[str, Callable[..., int]] = {
    **{name: work.run for name, work in WORK.items()},
    "toolnexus": lambda _root, *words: main(list(words)),
}


def run_command(name: str, root: Path, *words: str) -> int:
    """Run a command in this process, and return its exit code."""
    return COMMANDS[name](root, *words)


LIVE_CLOCK = SystemClock()
