"""toolnexus: homes for long-lived AI personas, kept as folders of Markdown.

Example:
    >>> from toolnexus import Home
    >>> Home.__name__
    'Home'
"""

# Type checkers take this name for true; `typing` itself would cost every start a millisecond.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from toolnexus.app import (
        FileConversationStore,
        Home,
        Homes,
        copy_sample,
        create_home,
        dreamer,
        from_dir,
        heartbeat_prompt,
        memory_tool,
        run,
        start_agent,
        transcript_search_tool,
    )

__version__ = "1.0.0.dev0"
__all__ = [
    "FileConversationStore",
    "Home",
    "Homes",
    "__version__",
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
    """Import a public name when it is first asked for: the package itself loads nothing."""
    if name in __all__:
        import toolnexus.app

        return getattr(toolnexus.app, name)
    raise AttributeError(f"module 'toolnexus' has no attribute '{name}'")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
