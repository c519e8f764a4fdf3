"""A home's settings: persona.yaml, read into frozen dataclasses."""

from toolnexus.settings.parse import (
    parse_settings,
    read_settings,
    resolve_model,
    settings_problems,
)
from toolnexus.settings.reading import SettingsProblem
from toolnexus.settings.types import (
    ActiveHours,
    Delivery,
    DreamSettings,
    EvolveSettings,
    HeartbeatSettings,
    IndexSettings,
    McpServer,
    MemorySettings,
    Settings,
    TranscriptSettings,
)
from toolnexus.settings.values import parse_duration

__all__ = [
    "ActiveHours",
    "Delivery",
    "DreamSettings",
    "EvolveSettings",
    "HeartbeatSettings",
    "IndexSettings",
    "McpServer",
    "MemorySettings",
    "Settings",
    "SettingsProblem",
    "TranscriptSettings",
    "parse_duration",
    "parse_settings",
    "read_settings",
    "resolve_model",
    "settings_problems",
]
