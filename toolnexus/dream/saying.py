"""Sayings: turns as evidence, read once, with who speaks and who confirms."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from toolnexus.change.plan import Evidence
from toolnexus.clock import format_instant
from toolnexus.dream.sentence import read_sentences
from toolnexus.dream.speech import words
from toolnexus.text.lexicon import LANGUAGES, fold_words
from toolnexus.text.secrets import mask, mask_part

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from toolnexus.dream.sentence import Sentence
    from toolnexus.transcripts.turn import Turn

_OWNER_WORDS = frozenset({"user", "owner"})
_QUOTE_CAP_CHARS = 160


@dataclass(frozen=True)  # no slots: most turns touch no claim, so sentences are read when asked for
class Saying:
    """What one turn says, as far as it can be evidence.

    Attributes:
        turn: The turn.
        selves: The folded names that stand for "I" in it.
        confirmation: The person's assent, where the turn counts only together with it.
    """

    turn: Turn
    selves: frozenset[str]
    confirmation: Evidence | None = None

    @cached_property
    def sentences(self) -> tuple[Sentence, ...]:
        """Its speaker's own sentences."""
        said_on = None if self.turn.ts is None else self.turn.ts.date()
        return read_sentences(self.turn.text, said_on)

    @cached_property
    def ts(self) -> str:
        """When it was said, as RFC 3339; empty when nothing tells."""
        return _instant(self.turn)

    def quote(self, start: int, end: int) -> Evidence:
        """Return words of the turn as evidence, secrets masked."""
        turn = self.turn
        words_ = mask_part(turn.text, start, end).strip()
        return Evidence(turn.conversation, turn.number, words_, turn.role, self.ts)


def read_sayings(
    turns: Iterable[Turn], owner: str, roles: Iterable[str] = ("user",)
) -> Iterator[Saying]:
    """Yield the turns that are evidence, in the order given.

    A turn of the assistant is evidence when the user's next turn opens with a word of assent. What
    the persona said unprompted never is.

    Args:
        turns: Turns; those of one conversation in its order.
        owner: Whose memory it is; empty for the name on the turns.
        roles: The roles whose turns are evidence by themselves.
    """
    allowed = frozenset(roles)
    before: Turn | None = None
    for turn in turns:
        if turn.is_unprompted:
            before = None
            continue
        if turn.role in allowed:
            if before is not None and before.conversation == turn.conversation and assents(turn):
                yield _read(before, owner or turn.name, _cite(turn))
            yield _read(turn, turn.name or owner)
        is_answer = turn.role == "assistant" and turn.role not in allowed
        before = turn if is_answer else None


def assents(turn: Turn) -> bool:
    """Whether a turn opens with a word of assent.

    Example:
        >>> from toolnexus.transcripts.turn import Turn
        >>> assents(Turn("user", "Yes, exactly.")), assents(Turn("user", "Hm, no."))
        (True, False)
    """
    opening = fold_words(turn.text[:80])[:1]
    return turn.role == "user" and any(
        word in words("assent", language) for word in opening for language in LANGUAGES
    )


def _read(turn: Turn, name: str, confirmation: Evidence | None = None) -> Saying:
    selves = frozenset(fold_words(name)) | _OWNER_WORDS
    return Saying(turn, selves, confirmation)


def _cite(turn: Turn) -> Evidence:
    quote = mask(turn.text).strip().partition("\n")[0][:_QUOTE_CAP_CHARS].strip()
    return Evidence(turn.conversation, turn.number, quote, turn.role, _instant(turn))


def _instant(turn: Turn) -> str:
    return "" if turn.ts is None else format_instant(turn.ts)
