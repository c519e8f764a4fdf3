"""Who is measured: ours, the peers and the yardsticks, each with its environment and its driver."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Kind = Literal["ours", "peer", "yardstick"]

OFFLINE = {
    "ANONYMIZED_TELEMETRY": "False",
    "DO_NOT_TRACK": "1",
    "HF_HUB_OFFLINE": "1",
    "TRANSFORMERS_OFFLINE": "1",
    "LITELLM_LOCAL_MODEL_COST_MAP": "True",
    "ORT_DISABLE_TELEMETRY": "1",
    # Whatever would reach out all the same meets a port of this machine where nobody listens.
    "HTTP_PROXY": "http://127.0.0.1:9",
    "HTTPS_PROXY": "http://127.0.0.1:9",
    "NO_PROXY": "127.0.0.1,localhost",
}


@dataclass(frozen=True, slots=True)
class Contender:
    """One that is measured.

    Attributes:
        name: As the table calls it.
        kind: What it is to us.
        driver: The module in ``drivers/`` that speaks for it.
        requirements: What its environment holds, pinned; empty where this very Python serves.
        python: The least version of Python that it runs on.
        variables: More environment variables; ``{state}`` is its state folder, ``{vault}`` its
            vault.
        keeps_texts: Whether it keeps the notes' texts itself, and needs no vault.
        remark: How it was set up, for the document.
    """

    name: str
    kind: Kind
    driver: str
    requirements: tuple[str, ...] = ()
    python: tuple[int, int] = (3, 11)
    variables: tuple[tuple[str, str], ...] = ()
    keeps_texts: bool = False
    remark: str = ""


CONTENDERS = (
    Contender("toolnexus", "ours", "drive_toolnexus", remark="words and vectors, as it comes"),
    Contender(
        "basic-memory",
        "peer",
        "drive_basic_memory",
        ("basic-memory==0.24.1",),
        (3, 12),
        (
            ("HOME", "{state}"),
            ("BASIC_MEMORY_HOME", "{vault}"),
            ("BASIC_MEMORY_CONFIG_DIR", "{state}/config"),
            ("BASIC_MEMORY_SEMANTIC_SEARCH_ENABLED", "false"),
            ("BASIC_MEMORY_NO_PROMOS", "1"),
        ),
        remark="words alone: the weights of its embedding would have to be fetched",
    ),
    Contender(
        "memsearch",
        "peer",
        "drive_memsearch",
        ("memsearch==0.4.23", "milvus-lite==3.2.2"),
        variables=(("HOME", "{state}"),),
        remark="words and vectors, with an embedder in the same process that hashes words and "
        "costs next to nothing",
    ),
    Contender(
        "contextseek",
        "peer",
        "drive_contextseek",
        ("contextseek==0.1.3",),
        variables=(("HOME", "{state}"),),
        keeps_texts=True,
        remark="its file storage, without model and embedder, which are its defaults; notes are "
        "added to it, as it looks at no folder",
    ),
    Contender(
        "toolnexus 0.21",
        "peer",
        "drive_registry",
        ("toolnexus==0.21.0",),
        variables=(("HOME", "{state}"),),
        keeps_texts=True,
        remark="the registry's package of that name; a MEMORY.md with a line for each note, read "
        "and written as a whole; it keeps conversations in memory alone",
    ),
    Contender("SQLite FTS5", "yardstick", "drive_sqlite", remark="one table, one row a note"),
    Contender(
        "files",
        "yardstick",
        "drive_files",
        remark="temp + fsync + rename, append to a file, and ripgrep (`grep` where there is none)",
    ),
)


def by_name(name: str) -> Contender:
    """Return a contender.

    Raises:
        KeyError: when there is none of that name.

    Example:
        >>> by_name("files").kind
        'yardstick'
    """
    return {contender.name: contender for contender in CONTENDERS}[name]
