"""A small MCP server, made with the official SDK: over stdio as a program."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Literal

from mcp.server import MCPServer
from mcp.server.mcpserver import Image
from pydantic import BaseModel

server = MCPServer("small", log_level="CRITICAL")


class Plant(BaseModel):
    name: str
    litres: float = 0.5


@server.tool()
def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


@server.tool()
def water(plant: Plant, mode: Literal["gently", "well"] = "well") -> str:
    """Water a plant."""
    return f"gave {plant.name} {plant.litres} l {mode}"


@server.tool()
def variable(name: str) -> str:
    """Tell a variable of the server's environment, and where it runs."""
    return f"{os.environ.get(name)} in {Path.cwd()}"


@server.tool(structured_output=False)
def picture() -> list[object]:
    """Show a picture, with a word on it."""
    return ["a cat", Image(data=b"\x89PNG", format="png")]


@server.tool()
def long(chars: int) -> str:
    """Say a long word."""
    return "x" * chars


@server.tool()
def fail() -> str:
    """Fail."""
    raise ValueError("the well is dry")


@server.tool(name="odd name/with.dots")
def odd() -> str:
    """Have an odd name."""
    return "odd"


if __name__ == "__main__":
    server.run("stdio")
