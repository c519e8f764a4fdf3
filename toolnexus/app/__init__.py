"""The public API: `Home`, and how a home is made. The only place where the parts are wired up."""

from toolnexus.app.create import copy_sample, create_home
from toolnexus.app.home import Home

__all__ = ["Home", "copy_sample", "create_home"]
