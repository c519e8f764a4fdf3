"""What a caller asks about: a note, a claim by its words, or a turn."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from toolnexus.errors import UsageError
from toolnexus.evolve.chains.refs import TurnRef, find_note, parse_turn
from toolnexus.evolve.chains.walk import Thing
from toolnexus.home.operations.step import nearest_note, target_path
from toolnexus.home.ripening import TRANSCRIPT
from toolnexus.text.fold import fold_claim
from toolnexus.text.secrets import shorten

if TYPE_CHECKING:
    from collections.abc import Iterable

    from toolnexus.evolve.chains.retraction import Retraction
    from toolnexus.home.snapshot import Snapshot

_LISTED = 5
_FEWEST_CHARS = 3
_PLACED = re.compile(r"(.+\.md):([0-9]{1,9})")
_HINT = "name a note by its slug, quote a claim, or give transcript:CONVERSATION#TURN"


def find_asked(home: Snapshot, ref: str, retractions: Iterable[Retraction] = ()) -> Thing:
    r"""Find what a caller asks about.

    Args:
        home: The home as read.
        ref: A note's slug, path, title or alias; ``self`` or ``user``; a claim's words, or a part
            of them that only one claim holds; a claim's ``path:line``, as chains call it;
            ``transcript:conversation#turn``.
        retractions: What dreams took back: of such a claim it is told what became of it.

    Raises:
        UsageError: when there is nothing of that name, or several things.

    Example:
        >>> from toolnexus.home.snapshot import Snapshot
        >>> home = Snapshot(name="ava").with_texts({"memory/tea.md": "- Green, no sugar.\n"})
        >>> find_asked(home, "tea").id, find_asked(home, "no sugar").id
        ('memory/tea.md', 'memory/tea.md:1')
    """
    name = ref.strip()
    if not name:
        raise UsageError("nothing is asked about", hint=_HINT)
    if name.startswith(TRANSCRIPT):
        return _turn(name)
    placed = _PLACED.fullmatch(name)
    if placed is not None and placed[1] in home.notes:
        return _claim_at(home, placed[1], int(placed[2]))
    own = target_path(name)
    if own is not None and own in home.notes:
        return Thing("note", own, own)
    found = find_note(home, name.removeprefix("[[").removesuffix("]]"))
    if found.path is not None:
        return Thing("note", found.path, found.path)
    if found.candidates:
        listed = ", ".join(found.candidates[:_LISTED])
        hint = "name it by its path, such as " + found.candidates[0].removesuffix(".md")
        raise UsageError(f"'{name}' could be several notes: {listed}", hint=hint)
    return _claim(home, name, retractions)


def _turn(name: str) -> Thing:
    turn: TurnRef | None = parse_turn(name)
    if turn is None:
        raise UsageError(f"'{name}' names no turn", hint="write transcript:CONVERSATION#TURN")
    return Thing("turn", turn.written, turn=turn)


def _claim_at(home: Snapshot, path: str, line: int) -> Thing:
    """Find the claim that stands in a line of a note."""
    for number, claim in enumerate(home.notes[path].document.claims):
        if claim.line <= line <= claim.end_line:
            return Thing("claim", _place(home, path, number), path, number)
    hint = "a heading, code or an empty line is none"
    raise UsageError("there is no claim in this line", path=path, line=line, hint=hint)


def _claim(home: Snapshot, words: str, retractions: Iterable[Retraction]) -> Thing:
    """Find the one claim that reads so, or else the one that holds these words."""
    fold = fold_claim(words)
    whole: list[tuple[str, int]] = []
    part: list[tuple[str, int]] = []
    for path, note in home.notes.items():
        for number, claim in enumerate(note.document.claims):
            if claim.fold == fold:
                whole.append((path, number))
            elif len(fold) >= _FEWEST_CHARS and fold in claim.fold:
                part.append((path, number))
    places = whole or part
    if len(places) == 1:
        [(path, number)] = places
        return Thing("claim", _place(home, path, number), path, number)
    if places:
        listed = "; ".join(_place(home, path, number) for path, number in places[:_LISTED])
        more = f" and {len(places) - _LISTED} more" if len(places) > _LISTED else ""
        hint = "quote more of the one that you mean, or name it as it is listed"
        raise UsageError(f"'{_short(words)}' fits {len(places)} claims: {listed}{more}", hint=hint)
    for each in retractions:
        if fold_claim(each.words) == fold:
            raise UsageError(f"nobody holds that any more: {each.told}", hint=_because(each))
    near = nearest_note(home, words)
    hint = f"did you mean the note '{near}'?" if near else _HINT
    raise UsageError(f"there is no note and no claim '{_short(words)}'", hint=hint)


def _because(back: Retraction) -> str:
    said = [f"{each.conversation}#{each.turn} says '{each.quote}'" for each in back.evidence]
    now = [f"it reads '{back.instead}' now"] if back.instead else []
    return "; ".join([*now, *said])


def _place(home: Snapshot, path: str, number: int) -> str:
    return f"{path}:{home.notes[path].document.claims[number].line}"


def _short(text: str, most: int = 80) -> str:
    return shorten(" ".join(text.split()), most)
