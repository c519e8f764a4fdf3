"""Vendors that would phone home or write to stderr are told not to, before they are imported."""

from __future__ import annotations

import logging
import os

_QUIET = {
    "ORT_DISABLE_TELEMETRY": "1",
    "ANONYMIZED_TELEMETRY": "False",
    "TOKENIZERS_PARALLELISM": "false",
}


def quiet_vendors() -> None:
    """Switch off telemetry and chatter; what the user has set in the environment stands."""
    for name, value in _QUIET.items():
        os.environ.setdefault(name, value)
    logging.getLogger("chromadb").setLevel(logging.CRITICAL)
