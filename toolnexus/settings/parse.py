"""From persona.yaml's text to `Settings`, with every problem located."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from toolnexus import safe_yaml
from toolnexus.errors import ConfigError
from toolnexus.settings import values
from toolnexus.settings.reading import Reading, Section, SettingsProblem
from toolnexus.settings.tool_servers import read_tool_servers
from toolnexus.settings.types import (
    CompactSettings,
    DreamSettings,
    EvolveSettings,
    HeartbeatSettings,
    ImagineSettings,
    IndexSettings,
    MemorySettings,
    Settings,
    TranscriptSettings,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

MODEL_VARIABLE = "TOOLNEXUS_MODEL"


def parse_settings(text: str, *, path: str = "persona.yaml") -> Settings:
    r"""Read a home's settings.

    Args:
        text: The file's text; an empty one gives the defaults.
        path: What to call the file in an error.

    Raises:
        ConfigError: when anything in it is wrong, with the first problem's line.

    Example:
        >>> parse_settings("name: ava\nmemory: {cap: {lines: 80}}\n").memory.cap_lines
        80
    """
    settings, problems = read_settings(text)
    if not problems:
        return settings
    first, more = problems[0], len(problems) - 1
    hints = [first.hint] if first.hint else []
    if more:
        hints.append(f"{more} more in this file: 'toolnexus check' lists them all")
    raise ConfigError(first.message, hint="; ".join(hints), path=path, line=first.line)


def settings_problems(text: str) -> list[SettingsProblem]:
    r"""List all that is wrong in a home's settings, by line.

    Example:
        >>> settings_problems("nmae: ava\n")[0].hint
        "did you mean 'name'?"
    """
    return read_settings(text)[1]


def read_settings(text: str) -> tuple[Settings, list[SettingsProblem]]:
    r"""Read settings as far as they can be read: a bad value gives its default and a problem.

    Args:
        text: The file's text, bytes that are no UTF-8 as ``surrogateescape`` decodes them.

    Example:
        >>> read_settings("layout: vault\nname: Jos\udce9\n")[1][0].message
        'it is not valid UTF-8 at byte 23'
    """
    try:
        text.encode()
    except UnicodeEncodeError as error:
        offset, line = len(text[: error.start].encode()), text.count("\n", 0, error.start) + 1
        message = f"it is not valid UTF-8 at byte {offset}"
        # What can be read stands: the layout still says where things belong.
        settings, _ = _read_body(text.encode("utf-8", "replace").decode())
        return settings, [SettingsProblem(line, message, "save it as UTF-8", "not-utf8")]
    settings, problems = _read_body(text)
    return settings, list(problems)


@lru_cache(maxsize=64)  # one home's are read several times in a row
def _read_body(text: str) -> tuple[Settings, tuple[SettingsProblem, ...]]:
    body = text.removeprefix("\ufeff")
    if all(line.lstrip().startswith("#") for line in body.splitlines() if line.strip()):
        return Settings(), ()  # comments alone, as `new` writes them: no YAML needs to be loaded
    try:
        raw = safe_yaml.load(body)
        lines = safe_yaml.key_lines(body)
    except safe_yaml.YamlProblem as problem:
        hint = "mend the YAML: keys and values as 'key: value', nested ones indented by spaces"
        return Settings(), (SettingsProblem(problem.line, problem.message, hint),)
    reading = Reading(lines)
    settings = _settings(reading.section((), raw))
    return settings, tuple(reading.finish())


def resolve_model(
    settings: Settings, environ: Mapping[str, str], override: str | None = None
) -> str | None:
    """Decide which model a home uses: the call's, else the home's, else $TOOLNEXUS_MODEL.

    Returns:
        A litellm model's name; None to work offline, which is what ``none`` asks for at any of
        the three places and what happens where none is set.

    Example:
        >>> resolve_model(Settings(model="none"), {"TOOLNEXUS_MODEL": "openai/gpt-4o-mini"}) is None
        True
    """
    for choice in (override, settings.model, environ.get(MODEL_VARIABLE)):
        if choice and choice.strip():
            return None if choice.strip().casefold() == "none" else choice.strip()
    return None


def _settings(root: Section) -> Settings:
    return Settings(
        name=root.take("name", values.read_name, None),
        owner=root.take("owner", values.read_text, None),
        layout=root.take("layout", values.read_layout, None),
        model=root.take("model", values.read_model, None),
        memory=_memory(root.section("memory")),
        transcripts=_transcripts(root.section("transcripts")),
        index=_index(root.section("index")),
        mcp_servers=read_tool_servers(root.section("mcp_servers")),
        heartbeat=_heartbeat(root.section("heartbeat")),
        dream=_dream(root.section("dream")),
        evolve=_evolve(root.section("evolve")),
        compact=_compact(root.section("compact")),
        imagine=_imagine(root.section("imagine")),
    )


def _memory(section: Section) -> MemorySettings:
    default = MemorySettings()
    cap = section.section("cap")
    return MemorySettings(
        cap_lines=cap.take("lines", values.read_count(1), default.cap_lines),
        cap_bytes=cap.take("bytes", values.read_count(1), default.cap_bytes),
        soul_bytes=section.take("soul_bytes", values.read_count(1), default.soul_bytes),
    )


def _transcripts(section: Section) -> TranscriptSettings:
    default = TranscriptSettings()
    return TranscriptSettings(
        path=section.take("path", values.read_relative_path, None),
        evidence_roles=section.take("evidence_roles", values.read_roles, default.evidence_roles),
    )


def _index(section: Section) -> IndexSettings:
    return IndexSettings(
        embedding=section.take("embedding", values.read_embedding, "default"),
        server=section.take("server", values.read_url, None),
    )


def _heartbeat(section: Section) -> HeartbeatSettings:
    default = HeartbeatSettings()
    if section.has("every") and section.has("cron"):
        hint = "keep one of the two"
        section.report("cron", "'heartbeat' has both an interval and a cron schedule", hint)
    budget = section.section("budget")
    return HeartbeatSettings(
        every=section.take("every", values.read_duration, None),
        cron=section.take("cron", values.read_cron, None),
        timezone=section.take("timezone", values.read_timezone, None),
        active_hours=section.take("active_hours", values.read_hours, None),
        ack_max_chars=section.take("ack_max_chars", values.read_count(0), default.ack_max_chars),
        usd_per_day=budget.take("usd_per_day", values.read_amount, None),
        tokens_per_beat=budget.take("tokens_per_beat", values.read_count(0), None),
        deliver=section.take("deliver", values.read_deliveries, default.deliver),
    )


def _dream(section: Section) -> DreamSettings:
    default = DreamSettings()
    budget = section.section("budget")
    return DreamSettings(
        every=section.take("every", values.read_duration, None),
        model=section.take("model", values.read_model, default.model),
        learn=section.take("learn", values.read_flag, default.learn),
        max_change=section.take("max_change", values.read_share, default.max_change),
        usd=budget.take("usd", values.read_amount, None),
        tokens=budget.take("tokens", values.read_count(0), None),
        calls=budget.take("calls", values.read_count(0), None),
        seconds=budget.take("seconds", values.read_amount, None),
        commit=section.take("commit", values.read_flag, default.commit),
    )


def _evolve(section: Section) -> EvolveSettings:
    default = EvolveSettings()
    half_lives = section.section("half_lives")
    read = values.read_duration
    return EvolveSettings(
        stable_half_life=half_lives.take("stable", read, default.stable_half_life),
        transient_half_life=half_lives.take("transient", read, default.transient_half_life),
        ephemeral_half_life=half_lives.take("ephemeral", read, default.ephemeral_half_life),
        faded_below=section.take("faded_below", values.read_share, default.faded_below),
    )


def _compact(section: Section) -> CompactSettings:
    default = CompactSettings()
    return CompactSettings(
        every_turns=section.take("every_turns", values.read_count(1), None),
        min_interval=section.take("min_interval", values.read_duration, default.min_interval),
        extract_after=section.take("extract_after", values.read_duration, default.extract_after),
        likeness=section.take("likeness", values.read_share, default.likeness),
        distil_uses=section.take("distil_uses", values.read_count(1), default.distil_uses),
    )


def _imagine(section: Section) -> ImagineSettings:
    default = ImagineSettings()
    return ImagineSettings(
        every_turns=section.take("every_turns", values.read_count(1), None),
        min_interval=section.take("min_interval", values.read_duration, default.min_interval),
        cooldown=section.take("cooldown", values.read_duration, default.cooldown),
    )
