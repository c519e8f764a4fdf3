"""Secrets that a step would copy: what somebody pasted once must not spread through memory."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolnexus.text.secrets import find_secrets

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from toolnexus.change.plan import Change
    from toolnexus.home.snapshot import Snapshot


def copied_secret(
    home: Snapshot, texts: Mapping[str, str | None], changes: Iterable[Change]
) -> str:
    """Say what secret a step would bring into files that lack it, or cite; empty when it does not.

    What stands in one of the files that the step changes may move among them.

    Args:
        home: The home before the step.
        texts: The changed files' texts after it, by path.
        changes: What the step does, with its evidence.
    """
    for change in changes:
        for cited in change.evidence:
            for secret in find_secrets(cited.quote):
                return secret.kind
    known = [path for path in texts if path in home.notes]
    for path, text in texts.items():
        after = f"{path}\n{text or ''}"
        for start, end, kind in find_secrets(after):
            value = after[start:end]
            if not any(value in old or value in home.text(old) for old in known):
                return kind
    return ""
