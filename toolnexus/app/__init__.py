"""The public API: `Home`, and how a home is made. The only place where the parts are wired up."""

# Type checkers take this name for true; `typing` itself would cost every start a millisecond.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from toolnexus.app.create import copy_sample, create_home
    from toolnexus.app.home import Home

__all__ = ["Home", "copy_sample", "create_home"]


def __getattr__(name: str) -> object:
    """Import a public name when it is first asked for: a beat with nothing to do needs none."""
    if name == "Home":
        from toolnexus.app import home

        return home.Home
    if name in __all__:
        from toolnexus.app import create

        return getattr(create, name)
    raise AttributeError(f"module 'toolnexus.app' has no attribute '{name}'")
