"""What a home can be told in its persona.yaml, with the defaults."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import timedelta
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from datetime import time

    from toolnexus.settings.cron import Cron

LayoutChoice = Literal["persona", "vault", "claude"]
DeliveryKind = Literal["stdout", "command", "url", "env"]


@dataclass(frozen=True, slots=True)
class MemorySettings:
    """How large what rides in every prompt may grow.

    Attributes:
        cap_lines: Lines of MEMORY.md.
        cap_bytes: Bytes of MEMORY.md.
        soul_bytes: Bytes of the whole composed soul.
    """

    cap_lines: int = 200
    cap_bytes: int = 25_600
    soul_bytes: int = 262_144


@dataclass(frozen=True, slots=True)
class TranscriptSettings:
    """Where conversations are and whose words count.

    Attributes:
        path: Their folder, relative to the home; None stands for the layout's own.
        evidence_roles: The roles whose turns can be evidence.
    """

    path: str | None = None
    evidence_roles: tuple[str, ...] = ("user",)


@dataclass(frozen=True, slots=True)
class IndexSettings:
    """How notes are searched.

    Attributes:
        embedding: ``default`` (in the package, offline), ``minilm`` or ``litellm/<model>``.
        server: A Chroma server's address; None stands for the embedded one.
    """

    embedding: str = "default"
    server: str | None = None


@dataclass(frozen=True, slots=True)
class McpServer:
    """A tool server that the persona may use: a command to start or an address to ask.

    Attributes:
        name: What the home calls it.
        command: The program to start; None when it is reached by `url`.
        args: Its arguments.
        env: Names of the environment variables that are handed on to it, where they are set.
        url: Where it is reached; None when it is started by `command`.
        allow: The tools that may be called; None allows all.
        env_values: Variables of its environment, each with its value, in which ``${NAME}`` stands
            for one of ours.
        cwd: The folder that it runs in, relative to the home; None stands for the home.
        headers: HTTP headers that go with each request, with values as in `env_values`.
        timeout_seconds: How long it may take to start, and each call.
    """

    name: str
    command: str | None = None
    args: tuple[str, ...] = ()
    env: tuple[str, ...] = ()
    url: str | None = None
    allow: tuple[str, ...] | None = None
    env_values: tuple[tuple[str, str], ...] = ()
    cwd: str | None = None
    headers: tuple[tuple[str, str], ...] = ()
    timeout_seconds: float = 60.0


@dataclass(frozen=True, slots=True)
class ActiveHours:
    """The hours of the day in which a beat may speak; they may wrap midnight."""

    start: time
    end: time


@dataclass(frozen=True, slots=True)
class Delivery:
    """Where a beat's reply goes.

    Attributes:
        kind: ``stdout``, a command that gets it on its standard input, an Apprise URL, or the
            name of an environment variable that holds such a URL.
        value: Nothing for ``stdout``; the command's words; else the one URL or name.
    """

    kind: DeliveryKind = "stdout"
    value: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class HeartbeatSettings:
    """When and how the persona acts unprompted.

    Attributes:
        every: Time between two beats of ``toolnexus run``; None when `cron` says it.
        cron: The same as a cron schedule.
        timezone: The IANA zone of its times; None stands for the machine's.
        active_hours: Outside these it sleeps; None stands for always awake.
        ack_max_chars: Characters beside HEARTBEAT_OK that still count as silence.
        usd_per_day: Money, in US dollars, that beats may cost in a day; None is no bound.
        tokens_per_beat: Tokens that one beat may cost; None is no bound.
        deliver: Where replies go.
    """

    every: timedelta | None = None
    cron: Cron | None = None
    timezone: str | None = None
    active_hours: ActiveHours | None = None
    ack_max_chars: int = 0
    usd_per_day: float | None = None
    tokens_per_beat: int | None = None
    deliver: tuple[Delivery, ...] = (Delivery(),)


@dataclass(frozen=True, slots=True)
class DreamSettings:
    """When and how the persona's memory is kept true.

    Attributes:
        every: Time between two dreams of ``toolnexus run``; None when nothing is set.
        model: A litellm model, or ``inherit`` for the home's.
        learn: Whether a dream may add what transcripts say and memory lacks.
        max_change: Share (0 to 1) of a file's claims that one pass may correct or drop before it
            is held for a person; and of the live notes that a compaction may archive at once.
        usd: Money, in US dollars, that a pass may cost; None is no bound. The same holds for the
            next three.
        tokens: Tokens that a pass may cost.
        calls: Model calls that a pass may make.
        seconds: Wall time that a pass may take.
        commit: Whether a pass makes a git commit.
    """

    every: timedelta | None = None
    model: str = "inherit"
    learn: bool = False
    max_change: float = 0.3
    usd: float | None = None
    tokens: int | None = None
    calls: int | None = None
    seconds: float | None = None
    commit: bool = False


@dataclass(frozen=True, slots=True)
class EvolveSettings:
    """How fast notes fade.

    Attributes:
        stable_half_life: In what time a stable note that nobody uses halves in strength.
        transient_half_life: The same of a transient one.
        ephemeral_half_life: The same of an ephemeral one.
        faded_below: The strength (0 to 1) below which a note has faded.
    """

    stable_half_life: timedelta = timedelta(days=70)
    transient_half_life: timedelta = timedelta(days=7)
    ephemeral_half_life: timedelta = timedelta(hours=1)
    faded_below: float = 0.1


@dataclass(frozen=True, slots=True)
class CompactSettings:
    """When the memory is compacted by itself, and what is due then.

    Attributes:
        every_turns: After how many recorded turns it is compacted; None leaves it to commands.
        min_interval: Time that has to lie between two such compactions.
        extract_after: The age from which conversations and raw notes are extracted.
        likeness: The cosine (0 to 1) from which two notes may be near-duplicates.
        distil_uses: How often a procedure has to be used before it may become a skill.
    """

    every_turns: int | None = None
    min_interval: timedelta = timedelta()
    extract_after: timedelta = timedelta(days=30)
    likeness: float = 0.72
    distil_uses: int = 5


@dataclass(frozen=True, slots=True)
class ImagineSettings:
    """When the persona imagines by itself, and how often it may.

    Attributes:
        every_turns: After how many recorded turns it imagines; None leaves it to commands.
        min_interval: Time that has to lie between two times that it imagines by itself.
        cooldown: Time that has to lie between any two times, a command's included.
    """

    every_turns: int | None = None
    min_interval: timedelta = timedelta()
    cooldown: timedelta = timedelta(hours=6)


@dataclass(frozen=True, slots=True)
class Settings:
    """A home's persona.yaml, read; `Settings()` is a home without one.

    Attributes:
        name: The persona's name; None stands for the folder's.
        owner: Whose memory it is; None stands for the `name` on user turns.
        layout: The layout it insists on; None lets the folder's content decide.
        model: A litellm model or ``none``; None leaves it to $TOOLNEXUS_MODEL.
    """

    name: str | None = None
    owner: str | None = None
    layout: LayoutChoice | None = None
    model: str | None = None
    memory: MemorySettings = field(default_factory=MemorySettings)
    transcripts: TranscriptSettings = field(default_factory=TranscriptSettings)
    index: IndexSettings = field(default_factory=IndexSettings)
    mcp_servers: tuple[McpServer, ...] = ()
    heartbeat: HeartbeatSettings = field(default_factory=HeartbeatSettings)
    dream: DreamSettings = field(default_factory=DreamSettings)
    evolve: EvolveSettings = field(default_factory=EvolveSettings)
    compact: CompactSettings = field(default_factory=CompactSettings)
    imagine: ImagineSettings = field(default_factory=ImagineSettings)
