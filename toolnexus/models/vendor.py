"""litellm, imported when it is first needed and told to keep to itself."""

from __future__ import annotations

import os
import threading
import warnings
from typing import Any

# Set before the import, for what the user has not decided: importing litellm must not fetch a
# price list from the network, and nothing here sends usage data.
_QUIET = {
    "LITELLM_LOCAL_MODEL_COST_MAP": "True",
    "LITELLM_TELEMETRY": "False",
    "LITELLM_LOG": "ERROR",
}
_OFFLINE = "LITELLM_OFFLINE_MODE"
_lock = threading.Lock()


def load_litellm() -> Any:
    """Import litellm, quietly.

    A user who set ``LITELLM_LOCAL_MODEL_COST_MAP`` or ``LITELLM_OFFLINE_MODE`` keeps their choice.
    """
    with _lock:
        for name, value in _QUIET.items():
            if name == "LITELLM_LOCAL_MODEL_COST_MAP" and _OFFLINE in os.environ:
                continue
            os.environ.setdefault(name, value)
        _hush()
        import litellm

        litellm.suppress_debug_info = True
        litellm.telemetry = False
        litellm.drop_params = True
        return litellm


def _hush() -> None:
    """Keep what litellm's own types make pydantic complain about off a user's terminal."""
    warnings.filterwarnings("ignore", message=r"Items? .* using the `ReadOnly` qualifier")
    warnings.filterwarnings("ignore", category=DeprecationWarning, module=r"litellm\.")
