"""An MCP server without the SDK, which starts in a moment and does what it is told, right or wrong.

The one word on its command line is JSON: ``tools`` (as listed), ``results`` (by the tool's name; a
text ``exit`` ends the server, ``nothing`` gives no answer), ``stderr`` (lines to say at once),
``noise`` (lines beside the protocol), ``pid`` (a file to write its process id to).
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

PLAIN = {"type": "object", "properties": {}}


def answer(told: dict, method: str, params: dict) -> object:
    """Return the result of a request; None for one that is not known."""
    if method == "initialize":
        return {
            "protocolVersion": params["protocolVersion"],
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "raw", "version": "1"},
        }
    if method == "tools/list":
        return told["tools"]
    if method == "tools/call":
        result = told.get("results", {}).get(params["name"])
        if result == "exit":
            sys.exit(3)
        return result
    return None


def main() -> None:
    told = json.loads(sys.argv[1])
    if isinstance(told["tools"], list):
        told["tools"] = {"tools": [{"inputSchema": PLAIN, **tool} for tool in told["tools"]]}
    for line in told.get("stderr", ()):
        sys.stderr.write(f"{line}\n")
    for line in told.get("noise", ()):
        sys.stdout.write(f"{line}\n")
    if "pid" in told:
        Path(told["pid"]).write_text(str(os.getpid()))
    for line in sys.stdin:
        request = json.loads(line)
        if "id" not in request:
            continue
        result = answer(told, request["method"], request.get("params") or {})
        if result == "nothing":
            continue
        reply = {"jsonrpc": "2.0", "id": request["id"]}
        if result is None:
            reply["error"] = {"code": -32601, "message": "unknown method"}
        else:
            reply["result"] = result
        sys.stdout.write(f"{json.dumps(reply)}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
