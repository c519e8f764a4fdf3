"""Passes in each format, and what they mean to the shell."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolnexus.change.plan import Change, Evidence, FileWrite
from toolnexus.cli.documents import plain
from toolnexus.cli.passes import exit_code, pass_annotations, pass_fields, pass_lines
from toolnexus.cli.patches import unified_patch
from toolnexus.dream.types import Outcome, Pass, Suspicion, Unresolved
from toolnexus.home.drafts.draft import Refusal

SEEN = Evidence("2026-11-20-move", 14, "we finally moved to Berlin", "user", "2026-11-20T14:03:11Z")
MOVED = Change("corrected", "MEMORY.md", 3, "Lives in Paris", "Lives in Berlin", evidence=(SEEN,))
DEMOTED = Change("demoted", "MEMORY.md", 5, "Likes tea", "[[tea]]", to="memory/tea.md")
DONE = Pass(
    "20261129T030012Z-3f2a",
    "done",
    wrote=True,
    reply="1 corrected, 1 demoted",
    changes=(MOVED, DEMOTED),
    waiting=(Change("dropped", "USER.md", 2, "Has a cat", reason="no word of negation"),),
    suspected=(Suspicion("MEMORY.md", 9, "Works as a nurse", (SEEN,)),),
    refused=(Refusal("merge a into b", "claims would be lost", "edit them by hand"),),
    unresolved=(Unresolved("MEMORY.md", 7, "[[nowhere]]", ("memory/now.md",)),),
)


def text(done: Pass) -> str:
    lines = pass_lines(done, "ava")
    return "\n".join(
        "".join(part if isinstance(part, str) else part.text for part in line) for line in lines
    )


def test_each_change_is_a_hunk_with_its_reason() -> None:
    """A person sees what went, what came, why, and the words it rests on."""
    shown = text(DONE)
    assert (
        "@@ MEMORY.md:3 @@ corrected\n- Lives in Paris\n+ Lives in Berlin\n"
        "  because the transcripts say otherwise\n"
        "  user on 2026-11-20, 2026-11-20-move#14: “we finally moved to Berlin”\n"
    ) in shown
    assert "@@ MEMORY.md:5 @@ demoted → memory/tea.md" in shown
    assert "toolnexus review ava" in shown
    assert "no word of negation" in shown
    assert "edit them by hand" in shown
    assert shown.endswith("ava: 1 corrected, 1 demoted (pass 20261129T030012Z-3f2a)")


def test_the_document_has_the_promised_fields() -> None:
    """The JSON of a pass has every documented field, and everything left has a next step."""
    document = json.loads(json.dumps(plain(pass_fields(DONE, "ava"))))
    assert list(document)[:5] == ["pass", "outcome", "wrote", "reply", "changes"]
    assert set(document["stats"]) == {
        "claims",
        "checked",
        "turns",
        "turns_new",
        "claims_left",
        "turns_left",
        "model_calls",
        "tokens_in",
        "tokens_out",
        "usd",
        "seconds",
    }
    first = document["changes"][0]
    assert {"kind", "path", "line", "before", "after", "to", "evidence"} <= set(first)
    assert first["evidence"][0]["turn"] == 14
    assert document["refused"][0]["reason"] == "claims would be lost"
    assert document["unresolved"][0]["candidates"] == ["memory/now.md"]
    left = ("waiting", "suspected", "refused", "unresolved")
    assert all(item["next"] and item["reason"] for name in left for item in document[name])


def test_github_annotates_changes_and_what_is_left() -> None:
    """Changes are notices, what waits or is left are warnings, a held pass is an error."""
    lines = list(pass_annotations(DONE, "ava"))
    assert lines[0].startswith("::notice file=ava/MEMORY.md,line=3,title=corrected::")
    assert sum(line.startswith("::warning") for line in lines) == 4
    assert any("[[nowhere]] leads nowhere (perhaps memory/now.md)" in line for line in lines)
    held = list(pass_annotations(Pass("x", "held", reply="held"), "ava"))
    assert held == ["::error title=dream held::ava: held"]


def ended(outcome: Outcome, *, changes: int = 0, waiting: int = 0) -> Pass:
    return Pass("x", outcome, changes=(MOVED,) * changes, waiting=(MOVED,) * waiting)


@pytest.mark.parametrize(
    ("done", "options", "code"),
    [
        (ended("done", changes=1), {}, 0),
        (ended("nothing"), {"check": True, "strict": True}, 0),
        (ended("partial", changes=1), {}, 0),
        (ended("proposed", changes=1, waiting=1), {}, 0),
        (ended("dry-run", changes=1), {}, 0),
        (ended("dry-run", changes=1), {"check": True}, 1),
        (ended("dry-run"), {"check": True}, 0),
        (ended("done", changes=1, waiting=1), {}, 0),
        (ended("done", changes=1, waiting=1), {"strict": True}, 3),
        (ended("held", changes=1), {}, 3),
        (ended("held", changes=1), {"check": True}, 3),
        (ended("failed"), {}, 69),
    ],
)
def test_exit_codes(done: Pass, options: dict[str, bool], code: int) -> None:
    """Each outcome has the exit code that the table of codes gives it."""
    assert exit_code(done, **options) == code


def test_a_patch_tells_the_reason_above_the_file() -> None:
    """Above each file's diff stand its changes, their reasons and their evidence."""
    write = FileWrite("MEMORY.md", b"- Lives in Paris\n", b"- Lives in Berlin\n")
    assert unified_patch("ava", [write], [MOVED]).decode() == (
        "# corrected MEMORY.md:3: “Lives in Paris” → “Lives in Berlin”\n"
        "#   because the transcripts say otherwise\n"
        "#   user on 2026-11-20, 2026-11-20-move#14: “we finally moved to Berlin”\n"
        "--- a/ava/MEMORY.md\n+++ b/ava/MEMORY.md\n"
        "@@ -1 +1 @@\n-- Lives in Paris\n+- Lives in Berlin\n"
    )


_texts = st.none() | st.text(
    alphabet=st.sampled_from(
        ["a", "b", "\n", "\r", "\ufeff", "é", "\u2028", "\x0b", " ", "-", "+"]
    ),
    min_size=1,
    max_size=40,
)
_names = st.sampled_from(["a.md", "memory/b c.md", "memory/é.md", 'memory/"q".md', "tab\there.md"])


@settings(max_examples=25, deadline=None)
@given(st.dictionaries(_names, st.tuples(_texts, _texts), min_size=1))
def test_git_apply_takes_every_patch(files: dict[str, tuple[str | None, str | None]]) -> None:
    """Applied to the files before, a patch gives the files after, byte for byte."""
    writes = [
        FileWrite(
            path,
            None if before is None else before.encode(),
            None if after is None else after.encode(),
        )
        for path, (before, after) in files.items()
        if before != after
    ]
    with TemporaryDirectory() as folder:
        root = Path(folder)
        for write in writes:
            (root / write.path).parent.mkdir(exist_ok=True)
            if write.before is not None:
                (root / write.path).write_bytes(write.before)
        patch = unified_patch(".", writes, [MOVED, DEMOTED])
        if writes:
            command = ["git", "apply", "--whitespace=nowarn", "-"]
            done = subprocess.run(command, cwd=root, input=patch, capture_output=True, check=False)
            assert done.returncode == 0, (done.stderr, patch)
        for write in writes:
            path = root / write.path
            assert (path.read_bytes() if path.exists() else None) == write.after
