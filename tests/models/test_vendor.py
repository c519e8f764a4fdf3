"""The vendor stays out of the way until it is needed."""

from __future__ import annotations

import subprocess
import sys

from toolnexus.models.vendor import load_litellm

HEAVY = {"litellm", "openai", "httpx", "pydantic", "numpy", "chromadb"}


def test_models_and_agents_load_no_vendor():
    """Importing all of models, agent and the scripted model brings no vendor's package in."""
    script = (
        "import sys, toolnexus.models.litellm_model, toolnexus.models.record,"
        " toolnexus.agent.loop, toolnexus.agent.memory_tool, toolnexus.agent.search_tools,"
        " toolnexus.testing.model; toolnexus.models.litellm_model.LiteLlmModel('openai/x');"
        " print(*sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert not HEAVY & set(done.stdout.split())


def test_the_vendor_is_told_to_keep_quiet(monkeypatch):
    """It fetches no price list, sends no usage data; what the user has decided stays."""
    monkeypatch.delenv("LITELLM_LOCAL_MODEL_COST_MAP", raising=False)
    monkeypatch.setenv("LITELLM_LOG", "DEBUG")
    litellm = load_litellm()
    import os

    assert os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] == "True"
    assert os.environ["LITELLM_LOG"] == "DEBUG"
    assert litellm.suppress_debug_info is True
    assert litellm.telemetry is False


def test_an_offline_mode_of_the_users_is_kept(monkeypatch):
    """Who set litellm's own offline mode decides about the price list too."""
    monkeypatch.delenv("LITELLM_LOCAL_MODEL_COST_MAP", raising=False)
    monkeypatch.setenv("LITELLM_OFFLINE_MODE", "false")
    load_litellm()
    import os

    assert "LITELLM_LOCAL_MODEL_COST_MAP" not in os.environ
