"""When a pass is held for a person: it would break the law, change too much, or empty the index."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from toolnexus.home.drafts.draft import Draft


def reason_to_hold(draft: Draft, max_change: float) -> str:
    """Tell why a pass must wait for a person; empty when it need not.

    Args:
        draft: The pass.
        max_change: The share of a file's claims (0 to 1) that it may correct or drop; one is
            always allowed.

    Example:
        >>> from toolnexus.home.drafts.draft import Draft
        >>> from toolnexus.home.snapshot import Snapshot
        >>> reason_to_hold(Draft(Snapshot(name="ava")), 0.3)
        ''
    """
    violations = draft.violations()
    if violations:
        named = "; ".join(f"{v.path}: '{v.text}' ({v.reason})" for v in violations[:2])
        more = f" and {len(violations) - 2} more" if len(violations) > 2 else ""
        return f"it would break the conservation law: {named}{more}"
    altered = Counter(c.path for c in draft.changes if c.kind in {"corrected", "dropped"})
    for path, count in altered.items():
        note = draft.before.notes.get(path)
        claims = len(note.document.claims) if note is not None else 0
        if count > 1 and count > claims * max_change:
            return (
                f"it would correct or drop {count} of the {claims} claims of {path}, "
                f"more than dream.max_change ({max_change:g}) allows"
            )
    before, after = draft.before.memory, draft.home.memory
    had_claims = before is not None and before.document.claims
    if had_claims and (after is None or not after.document.claims):
        return "it would empty MEMORY.md"
    return ""


def lawful(draft: Draft) -> bool:
    """Whether a draft keeps the conservation law as a whole."""
    return not draft.violations()
