"""Doubles for tests, users' tests among them: models, clocks, a failing disk, a toy embedding.

Example:
    >>> from toolnexus.testing import ScriptedModel, say
    >>> ScriptedModel([say("Hello.")]).name
    'scripted'
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from toolnexus.testing.clock import VirtualClock
    from toolnexus.testing.disk import CrashError, FaultyDisk
    from toolnexus.testing.embedder import HashEmbedder
    from toolnexus.testing.model import ScriptedModel, call, raw_call, say, use
    from toolnexus.testing.openai_server import OpenAiServer, ServerReply
    from toolnexus.testing.virtual_time import VirtualTime

__all__ = [
    "CrashError",
    "FaultyDisk",
    "HashEmbedder",
    "OpenAiServer",
    "ScriptedModel",
    "ServerReply",
    "VirtualClock",
    "VirtualTime",
    "call",
    "raw_call",
    "say",
    "use",
]

_MODULES = {
    "clock": ("VirtualClock",),
    "disk": ("CrashError", "FaultyDisk"),
    "embedder": ("HashEmbedder",),
    "model": ("ScriptedModel", "call", "raw_call", "say", "use"),
    "openai_server": ("OpenAiServer", "ServerReply"),
    "virtual_time": ("VirtualTime",),
}


def __getattr__(name: str) -> object:
    """Import a double when it is first asked for: none loads what another needs."""
    from importlib import import_module

    for module, names in _MODULES.items():
        if name in names:
            return getattr(import_module(f"toolnexus.testing.{module}"), name)
    raise AttributeError(f"module 'toolnexus.testing' has no attribute '{name}'")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
