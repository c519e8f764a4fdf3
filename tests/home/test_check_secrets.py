"""The check of secrets in a home's files."""

from __future__ import annotations

import pytest
from pasted_secrets import INNOCENT, PASTED, VALUES

from toolnexus.home.checks import check
from toolnexus.home.rechecks import recheck
from toolnexus.home.snapshot import Snapshot


def home_of(**texts: str) -> Snapshot:
    return Snapshot(name="ava").with_texts({f"{name}.md": text for name, text in texts.items()})


@pytest.mark.parametrize("kind", PASTED)
def test_a_pasted_secret_is_a_warning_with_its_line(kind: str) -> None:
    """Each kind of secret is a `secret` warning with path and line; its value is told nowhere."""
    found = check(home_of(MEMORY=f"# Memory\n\n- Tea.\n\n{PASTED[kind]}\n"))
    secrets = [each for each in found if each.rule == "secret"]
    assert [(each.path, each.line, each.severity) for each in secrets] == [
        ("MEMORY.md", 5, "warning")
    ]
    assert not any(line in str(found) for line in VALUES[kind].splitlines())


def test_innocent_notes_have_none() -> None:
    """Hashes, ids, pictures, code and talk of passwords are no findings."""
    found = check(home_of(MEMORY="\n\n".join(INNOCENT)))
    assert [each for each in found if each.rule == "secret"] == []


def test_other_findings_quote_no_secret() -> None:
    """A finding that quotes a claim masks the secret in it, after a few files changed as well."""
    claim = f"- {PASTED['a password said']}\n"
    before = home_of(MEMORY=claim)
    after = before.with_texts({"MEMORY.md": claim * 2})
    found = check(after)
    assert "duplicate-claim" in {each.rule for each in found}
    assert VALUES["a password said"] not in str(found)
    assert recheck(before, check(before), after, ["MEMORY.md"]) == found
