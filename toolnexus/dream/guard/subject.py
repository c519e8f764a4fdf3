"""Subjects: a replacement that only says the same of somebody else."""

from __future__ import annotations

from itertools import takewhile
from typing import TYPE_CHECKING

from toolnexus.dream.guard.verdict import Verdict, refuse, review
from toolnexus.dream.sentence import read_sentences
from toolnexus.dream.speech import words
from toolnexus.dream.statement import is_verb, read_statement
from toolnexus.text.lexicon import fold_words
from toolnexus.text.words import content_words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from toolnexus.dream.guard.case import Case
    from toolnexus.dream.sentence import Sentence
    from toolnexus.dream.token import Token

_LONGEST = 4
"""Subjects of more words than this are other sentences."""


def keeps_subject(case: Case) -> Verdict | None:
    """A replacement does more than put somebody else before the first verb."""
    if case.is_removal or case.request.claim is None:
        return None
    gained = _swapped_in(case)
    if not gained:
        return _keeps_to_it(case)
    unsaid = [word for word in gained if word not in case.quotes.words]
    if unsaid:
        return refuse(
            f"the quote does not say '{unsaid[0]}'", "quote the words that say whom it is about"
        )
    return review(
        "this would only say the same of somebody else",
        "a quote in which the user says whom it is about would settle it",
    )


def _keeps_to_it(case: Case) -> Verdict | None:
    """Where all changes, the words that the claim opens with are kept, or spoken of."""
    lost = _opening_lost(case)
    if not lost or any(map(case.turns.has_stem, lost)):
        return None
    return review(
        f"the cited turns do not speak of '{lost[0]}', whom or what the claim is about",
        "change only the claim that the quote speaks of",
    )


def _opening_lost(case: Case) -> tuple[str, ...]:
    """Return the content words before the first one that stays, where a name is among them.

    "Son Ben goes to the mill school" must not become "Daughter May goes to the hill school".
    """
    old, new = fold_words(case.before), fold_words(case.after)
    content = {word for word in old if content_words(word)}
    at = next((n for n, word in enumerate(old) if word in content and word in new), 0)
    if not 0 < at <= _LONGEST or new.index(old[at]) == 0:
        return ()
    names = {word for name in case.lost["names"] for word in fold_words(name)}
    lead = read_statement(case.before).lead
    if lead is not None and lead.folded == old[0]:
        names.add(old[0])
    if names.difference(case.owner_words).isdisjoint(old[:at]):
        return ()
    stems = tuple(w for w in content_words(" ".join(old[:at])) if w not in case.owner_stems)
    return () if set(stems) & set(content_words(case.after)) else stems


def _swapped_in(case: Case) -> tuple[str, ...]:
    """Return the words that would stand before the first verb, where nothing else changes."""
    old, new = fold_words(case.before), fold_words(case.after)
    shared_end = _common(old[::-1], new[::-1])
    old_head, new_head = old[: len(old) - shared_end], new[: len(new) - shared_end]
    if not old_head or not new_head or not shared_end:
        return ()
    if old_head[0] == new_head[0] or max(len(old_head), len(new_head)) > _LONGEST:
        return ()
    if (content := content_words(" ".join(old_head))) and content == content_words(
        " ".join(new_head)
    ):
        return ()  # "drives" and "does not drive"
    return () if _has_verb(case.before, len(old_head)) else tuple(new_head)


def _common(these: Sequence[str], those: Sequence[str]) -> int:
    return sum(
        1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(these, those, strict=False))
    )


def _has_verb(text: str, size: int) -> bool:
    """Whether the first words of a text hold its verb."""
    sentences: tuple[Sentence, ...] = read_sentences(text)
    if not sentences:
        return False
    tokens = sentences[0].tokens
    language = sentences[0].language
    head: Sequence[Token] = tokens[:size]
    follows = tokens[size] if size < len(tokens) else None
    if follows is not None and is_verb(follows, language):
        return False
    return any(is_verb(token, language) or token.folded in words("be", language) for token in head)
