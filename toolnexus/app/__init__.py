"""The public API: `Home`, how a home is made, and the names of the ports.

The only place where the parts are wired up.
"""

# Type checkers take this name for true; `typing` itself would cost every start a millisecond.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from toolnexus.app.create import copy_sample, create_home
    from toolnexus.app.home import Home
    from toolnexus.app.homes import Homes
    from toolnexus.app.ports import (
        dreamer,
        from_dir,
        memory_tool,
        run,
        start_agent,
        transcript_search_tool,
    )
    from toolnexus.heartbeat.prompt import heartbeat_prompt
    from toolnexus.transcripts.store import FileConversationStore

_PORTS = "toolnexus.app.ports"
_MODULES = {
    "FileConversationStore": "toolnexus.transcripts.store",
    "Home": "toolnexus.app.home",
    "Homes": "toolnexus.app.homes",
    "copy_sample": "toolnexus.app.create",
    "create_home": "toolnexus.app.create",
    "dreamer": _PORTS,
    "from_dir": _PORTS,
    "heartbeat_prompt": "toolnexus.heartbeat.prompt",
    "memory_tool": _PORTS,
    "run": _PORTS,
    "start_agent": _PORTS,
    "transcript_search_tool": _PORTS,
}
__all__ = [
    "FileConversationStore",
    "Home",
    "Homes",
    "copy_sample",
    "create_home",
    "dreamer",
    "from_dir",
    "heartbeat_prompt",
    "memory_tool",
    "run",
    "start_agent",
    "transcript_search_tool",
]


def __getattr__(name: str) -> object:
    """Import a public name when it is first asked for: a beat with nothing to do needs none."""
    if name not in _MODULES:
        raise AttributeError(f"module 'toolnexus.app' has no attribute '{name}'")
    from importlib import import_module

    return getattr(import_module(_MODULES[name]), name)
