"""The words of the memory tool, read and turned into operations on a home. All pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, get_args

from toolnexus.errors import UsageError
from toolnexus.home.operations.demote import demote_claims
from toolnexus.home.operations.edit import add_claim, remove_claim, replace_claim
from toolnexus.home.operations.merge import merge_notes
from toolnexus.home.operations.read import list_notes, read_target
from toolnexus.home.operations.relink import relink
from toolnexus.home.operations.step import Step, check_words, find_target
from toolnexus.home.operations.write import write_note

if TYPE_CHECKING:
    from toolnexus.home.snapshot import Snapshot

MemoryAction = Literal[
    "list", "read", "add", "replace", "remove", "write", "demote", "merge", "relink"
]
DREAMER_ACTIONS: tuple[MemoryAction, ...] = get_args(MemoryAction)
PERSONA_ACTIONS: tuple[MemoryAction, ...] = ("list", "read", "add", "replace", "remove", "write")
READING_ACTIONS = frozenset({"list", "read"})


@dataclass(frozen=True, slots=True)
class CitedTurn:
    """Evidence as a model cites it; nothing of it is proved yet.

    Attributes:
        conversation: The conversation's id.
        turn: The turn's number, counted from 1, or its own id.
        quote: Words that are said to stand in it.
    """

    conversation: str
    turn: int | str
    quote: str


@dataclass(frozen=True, slots=True)
class MemoryArguments:
    """The arguments of one call of the memory tool, read; what was left out is empty.

    Attributes:
        target: ``self`` (MEMORY.md), ``user`` (USER.md) or a note's slug.
        texts: The claims or the text it is about; only `demote` takes several.
        with_: What comes in its place.
        to: The note that receives.
        title: A new note's title.
        from_: The notes to merge.
        evidence: What a change is said to rest on.
    """

    target: str = ""
    texts: tuple[str, ...] = ()
    with_: str = ""
    to: str = ""
    title: str = ""
    from_: tuple[str, ...] = ()
    evidence: tuple[CitedTurn, ...] = ()

    @property
    def text(self) -> str:
        """The one text; empty when there is none."""
        return self.texts[0] if self.texts else ""


@dataclass(frozen=True, slots=True)
class _Words:
    """Which arguments an action needs, and which it may take besides `target`."""

    needs: tuple[str, ...] = ()
    takes: tuple[str, ...] = ()
    cited: bool = False


_WORDS: dict[str, _Words] = {
    "list": _Words(),
    "read": _Words(),
    "add": _Words(needs=("text",), cited=True),
    "replace": _Words(needs=("text", "with"), cited=True),
    "remove": _Words(needs=("text",), cited=True),
    "write": _Words(needs=("target", "text"), takes=("title",), cited=True),
    "demote": _Words(needs=("text", "to"), takes=("with", "title")),
    "merge": _Words(needs=("from", "to"), takes=("text", "title"), cited=True),
    "relink": _Words(needs=("text", "with")),
}


def parse_memory_arguments(
    action: str,
    given: Mapping[str, Any],
    actions: tuple[MemoryAction, ...] = DREAMER_ACTIONS,
    *,
    evidence: bool = True,
) -> MemoryArguments:
    """Read the arguments of a call; what is empty counts as left out.

    Args:
        action: What is to be done.
        given: The arguments by name, the action left out.
        actions: The actions that there are.
        evidence: Whether evidence can be given.

    Raises:
        UsageError: when the action or an argument is unknown, one that it needs is missing, or a
            text is empty, over 64 KiB or holds half a character.

    Example:
        >>> parse_memory_arguments("add", {"text": "Likes tea."}).text
        'Likes tea.'
    """
    words = _WORDS.get(action) if action in actions else None
    if words is None:
        raise UsageError(f"unknown action '{action}' (there is: {', '.join(actions)})")
    filled = {name: value for name, value in given.items() if not _is_left_out(value)}
    for name, value in filled.items():
        _require_known(action, words, name, value, evidence=evidence)
    for name in words.needs:
        if name not in filled:
            said = "is empty" if name in given else "is missing"
            raise UsageError(f"'{name}' {said}", hint=f"'{action}' needs {_listed(words.needs)}")
    return MemoryArguments(
        target=_word(filled, "target"),
        texts=_texts(action, filled),
        with_=_word(filled, "with"),
        to=_word(filled, "to"),
        title=_word(filled, "title"),
        from_=tuple(check_words(name, "from") for name in _as_list(filled.get("from"))),
        evidence=tuple(_cited(item) for item in _as_list(filled.get("evidence"))),
    )


def step_for(home: Snapshot, action: str, arguments: MemoryArguments) -> Step:
    """Return what a call would change.

    Args:
        home: The home as read.
        action: One of `DREAMER_ACTIONS`.
        arguments: From `parse_memory_arguments`.

    Raises:
        UsageError: when the target, the claim or the text will not do; nothing would change.

    Example:
        >>> from toolnexus.home.snapshot import Snapshot
        >>> step_for(Snapshot(name="ava"), "add", MemoryArguments(texts=("Likes tea.",))).reply
        'Added to MEMORY.md.'
    """
    target = arguments.target or "self"
    match action:
        case "list":
            return list_notes(home)
        case "read":
            return read_target(home, target)
        case "add":
            return add_claim(home, arguments.text, target)
        case "replace":
            return replace_claim(home, arguments.text, arguments.with_, target)
        case "remove":
            return remove_claim(home, arguments.text, target)
        case "write":
            return write_note(home, target, arguments.text, arguments.title)
        case "demote":
            return _demote(home, arguments)
        case "merge":
            return _merge(home, arguments)
        case "relink":
            return relink(home, arguments.text, arguments.with_, arguments.target)
    raise UsageError(f"unknown action '{action}' (there is: {', '.join(DREAMER_ACTIONS)})")


def _demote(home: Snapshot, arguments: MemoryArguments) -> Step:
    if arguments.target not in {"", "self"}:
        raise UsageError(
            f"'demote' moves claims of MEMORY.md, not of '{arguments.target}'",
            hint="leave 'target' out",
        )
    return demote_claims(home, arguments.texts, arguments.to, arguments.with_, arguments.title)


def _merge(home: Snapshot, arguments: MemoryArguments) -> Step:
    """Fold notes into one; a body that is given replaces the joined one where no claim is lost.

    Without one, what moves from a note of another title stands under that title.
    """
    step = merge_notes(home, arguments.from_, arguments.to, apart=not arguments.text)
    if not arguments.text:
        return step
    after = home.with_texts(step.texts)
    kept = find_target(after, arguments.to)
    if kept is None:
        return step
    front = after.text(kept.path)[: kept.document.front.end]
    body = "" if arguments.text.startswith("---\n") else front
    written = write_note(after, kept.path, body + arguments.text, arguments.title)
    return Step(
        {**step.texts, **written.texts}, (*step.changes, *written.changes), step.reply, step.moved
    )


def _require_known(action: str, words: _Words, name: str, value: Any, *, evidence: bool) -> None:
    if name in words.needs or name in words.takes:
        return
    if name == "target" and (action not in {"list", "merge"} or value == "self"):
        return
    if name == "evidence" and words.cited and evidence:
        return
    takes = _listed((*words.needs, *words.takes)) or "nothing else"
    raise UsageError(f"'{action}' takes no '{name}'", hint=f"it takes {takes}")


def _is_left_out(value: Any) -> bool:
    """Models fill in what they do not need with nulls and empty texts."""
    return value is None or value == [] or (isinstance(value, str) and not value.strip())


def _word(filled: Mapping[str, Any], name: str) -> str:
    return check_words(filled[name], name) if name in filled else ""


def _texts(action: str, filled: Mapping[str, Any]) -> tuple[str, ...]:
    texts = tuple(check_words(text) for text in _as_list(filled.get("text")))
    if len(texts) > 1 and action != "demote":
        raise UsageError(f"'{action}' takes one 'text'", hint="call it once for each")
    return texts


def _as_list(value: Any) -> list[Any]:
    if value is None:
        return []
    return value if isinstance(value, list) else [value]


def _cited(value: Any) -> CitedTurn:
    if not isinstance(value, Mapping):
        raise UsageError(
            "'evidence' must be a list of objects",
            hint='such as {"conversation": "2026-11-20-move", "turn": 1, "quote": "we moved"}',
        )
    unknown = sorted(set(value) - {"conversation", "turn", "quote"})
    if unknown:
        raise UsageError(f"'evidence' takes no '{unknown[0]}'")
    turn = value.get("turn")
    if isinstance(turn, bool) or not isinstance(turn, int | str):
        raise UsageError("'turn' of the evidence must be the turn's number or id")
    return CitedTurn(
        check_words(value.get("conversation"), "conversation"),
        turn,
        check_words(value.get("quote"), "quote"),
    )


def _listed(names: tuple[str, ...]) -> str:
    return ", ".join(f"'{name}'" for name in names)
