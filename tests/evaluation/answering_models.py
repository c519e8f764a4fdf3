"""Models for scorecards: one that knows all the answers, and one that attacks every claim."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from toolnexus.evaluation.case import FOLDED, GONE
from toolnexus.testing.model import ScriptedModel, call, use

if TYPE_CHECKING:
    from toolnexus.evaluation import Case
    from toolnexus.models.completion import Completion, Request
    from toolnexus.models.message import ToolCall


def perfect(case: Case) -> ScriptedModel:
    """A model that asks for what the case expects, on the turn that says so."""
    asked: set[str] = set()

    def reply(request: Request) -> Completion | str:
        words = _prompt(request)
        calls = [
            _correction(case, claim.text, claim.becomes, claim.at)
            for claim in case.claims
            if claim.becomes not in {"", FOLDED} and f") {claim.text}\n" in words
        ]
        if words.startswith("Look for notes"):
            merges = [(_slug(old), _slug(new)) for old, new in case.merges.items()]
            calls += [
                call("memory", action="merge", from_=[a], to=b) for a, b in merges if a in words
            ]
        fresh = [each for each in calls if each.arguments_text not in asked]
        asked.update(each.arguments_text for each in fresh)
        return use(*fresh) if fresh else "HEARTBEAT_OK"

    return ScriptedModel(default=reply)


def liar(case: Case) -> ScriptedModel:
    """A model that wants every claim that is right gone or rewritten, with real quotes of turns."""
    turns = [
        {"conversation": name, "turn": number, "quote": text}
        for name, said in case.talks.items()
        for number, (_, text, _) in enumerate(said, 1)
    ]
    right = [claim for claim in case.claims if not claim.becomes]
    attacks = [
        call(
            "memory", action="remove", text=claim.text, target=_target(claim.path), evidence=[turn]
        )
        for claim in right
        for turn in turns
    ]
    attacks += [
        call(
            "memory",
            action="replace",
            text=claim.text,
            target=_target(claim.path),
            with_=turn["quote"].splitlines()[0],
            evidence=[turn],
        )
        for claim in right
        for turn in turns
    ]

    def reply(_: Request) -> Completion | str:
        return use(attacks.pop(0)) if attacks else "HEARTBEAT_OK"

    return ScriptedModel(default=reply)


def _correction(case: Case, before: str, after: str, at: str) -> ToolCall:
    conversation, _, number = at.partition("#")
    quote = case.talks[conversation][int(number) - 1][1]
    path = next(claim.path for claim in case.claims if claim.text == before)
    words: dict[str, Any] = {
        "text": before,
        "target": _target(path),
        "evidence": [{"conversation": conversation, "turn": int(number), "quote": quote}],
    }
    if after == GONE:
        return call("memory", action="remove", **words)
    return call("memory", action="replace", with_=after, **words)


def _slug(path: str) -> str:
    return path.rpartition("/")[2].removesuffix(".md")


def _target(path: str) -> str:
    return {"MEMORY.md": "self", "USER.md": "user"}.get(path, path.removesuffix(".md"))


def _prompt(request: Request) -> str:
    return next(str(m.text) for m in request.messages if type(m).__name__ == "UserMessage")
