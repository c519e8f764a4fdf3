"""Asserted: whether the quotes state something, or only ask, suppose or tell it of others."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolnexus.dream.guard.asking import is_asked
from toolnexus.dream.guard.moment import other_moment
from toolnexus.dream.guard.namesake import belongs_to_another, is_namesake, is_relation
from toolnexus.dream.guard.stance import (
    has_other_subject,
    is_denied,
    is_disowned,
    is_planned,
    is_retracted,
)
from toolnexus.dream.guard.titles import person_named
from toolnexus.dream.guard.verdict import Verdict, review
from toolnexus.dream.guard.vocabulary import listed
from toolnexus.dream.sentence import own_words, read_sentences
from toolnexus.dream.speech import words
from toolnexus.dream.statement import read_statement
from toolnexus.dream.token import EXACT_KINDS, WORD_KINDS
from toolnexus.text.lexicon import fold_words
from toolnexus.text.words import stem

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolnexus.dream.guard.case import Case, Cited
    from toolnexus.dream.sentence import Sentence
    from toolnexus.dream.token import Token

_LONGEST_UNIT = 2
_REACH_OF_SUPPOSING = 10
_SAYS_SO = "a turn in which the user says that it is so settles it"
"""So many words before a day may suppose it: who asks if it was wise to sign on 2 May did sign."""
_OWNER = frozenset({"user", "owner"})


def is_asserted(case: Case) -> Verdict | None:
    """What is only asked or supposed is no fact, and what is said of others is another one."""
    doubt: Verdict | None = None
    for cited in case.cited:
        for sentence, said in telling(case, cited):
            doubt = doubt_of(case, sentence, said, cited.turn.text) or _asked(
                case, cited, sentence, said
            )
            if doubt is None and not is_retracted(case, cited):
                return None
            doubt = doubt or review(
                "the user takes it back right behind the quote",
                "a later turn in which the user says that it is so settles it",
            )
    if doubt is None and case.cited and all(map(_is_quoted, case.cited)):
        return review(
            "the quote stands in what somebody else is quoted to say, or in code",
            "a turn in which the user says so in their own words settles it",
        )
    return doubt


def _asked(case: Case, cited: Cited, sentence: Sentence, said: Token) -> Verdict | None:
    """What the user asks is not so for that; the persona's question counts by their answer."""
    if cited.turn.role not in case.facts.evidence_roles or not is_asked(sentence, said):
        return None
    return review("the quote only asks", _SAYS_SO)


def _is_quoted(cited: Cited) -> bool:
    """Whether a part of the quote is not the speaker's own words."""
    end = cited.start + len(cited.quote)
    return own_words(cited.turn.text)[cited.start : end] != cited.quote


def names_subject(case: Case) -> Verdict | None:
    """A claim about somebody else yields to turns that name them."""
    claim = case.request.claim
    if claim is None:
        return None
    if (kept := _kept_name_unsaid(case)) is not None or not case.owner_words:
        return kept
    lead = named_lead(case)
    if lead is None or case.turns.has_stem(lead.key):
        return None
    shared = sum(case.quotes.has_stem(word) for word in case.topic_stems(case.before))
    if shared > 1:
        return None
    return review(
        f"the cited turns do not name '{lead.folded}', whom the claim is about",
        "a turn that names them would settle it",
    )


def _kept_name_unsaid(case: Case) -> Verdict | None:
    """A name that the claim keeps is not another's: sister Anna is not sister Eva."""
    known = {*_own_words(case), *fold_words(case.after), *case.context_words, *case.owner_words}
    kept = (name for name in case.old.names if name in case.new.names)
    kept = (name for name in kept if case.owner_words.isdisjoint(fold_words(name)))
    unsaid = [name for name in kept if len(name) > _LONGEST_UNIT]
    if not unsaid or any(map(case.turns.has_name, unsaid)):
        return None
    for cited in case.cited:
        for sentence, said in telling(case, cited):
            clause = [t for t in sentence.tokens if t.clause == said.clause and t.kind == "name"]
            other = next((t for t in clause if t.folded.removesuffix("'s") not in known), None)
            if other is not None:
                return review(
                    f"the quote names '{other.folded}', and not '{unsaid[0]}' of the claim",
                    "a turn that names them would settle it",
                )
    return None


def telling(case: Case, cited: Cited) -> Iterator[tuple[Sentence, Token]]:
    """Yield the sentences of a quote that tell of the change, with the word that does.

    The whole sentence counts, so that a quote cannot cut off the "if" before it.
    """
    start, end = cited.start, cited.start + len(cited.quote)
    when = None if cited.turn.ts is None else cited.turn.ts.date()
    sentences = [
        sentence
        for sentence in read_sentences(cited.turn.text, when)
        if sentence.end > start and sentence.start < end
    ]
    wanted = _keys(case)
    found = [(s, t) for s in sentences if (t := _first_of(s, wanted)) is not None]
    if not found:  # a date or an hour may be written in ways of which none is its value
        found = [(s, t) for s in sentences if (t := _exact_in(case, s)) is not None]
    yield from found


def _first_of(sentence: Sentence, wanted: frozenset[str]) -> Token | None:
    tokens = sentence.tokens
    return next((t for t in tokens if {t.key, t.folded, stem(t.folded)} & wanted), None)


def _exact_in(case: Case, sentence: Sentence) -> Token | None:
    """Return the date that comes in, however it is written; else the first exact value."""
    exact = [token for token in sentence.tokens if token.kind in EXACT_KINDS]
    gained = {_day_of(date) for date in case.gained["dates"]}
    fits = (t for t in exact if t.kind == "date" and _day_of(t.key) in gained)
    return next(fits, exact[0] if exact else None)


def _day_of(date: str) -> tuple[str, ...]:
    """Return month and day of a date, without zeros in front."""
    return tuple(part.lstrip("0") for part in date.split("-")[-2:])


def _keys(case: Case) -> frozenset[str]:
    """Return what tells of the change: the values and words that come in, else the claim's own."""
    gained = {value for values in case.gained.values() for value in values} | {*case.gained_words}
    keys = {word for value in gained for word in (value, *fold_words(value))}
    keys |= set(map(stem, keys))
    found = frozenset(key for key in keys if case.quotes.has_stem(key) or not key.isalpha())
    return found or case.topic_stems(" ".join(case.changed))


def doubt_of(case: Case, sentence: Sentence, said: Token, text: str) -> Verdict | None:
    """Tell why a sentence states nothing of the claim's subject; None where it does.

    Args:
        case: The change.
        sentence: The sentence.
        said: The word in it that tells of the change.
        text: All of the turn.
    """
    language = sentence.language
    head = [token for token in sentence.tokens if token.start < said.start]
    clause = [token for token in head if token.clause == said.clause]
    lead = _lead(sentence)
    # A word that opens a phrase of the past, as in "used to", supposes nothing: "I used a pan".
    past = {phrase.partition(" ")[0] for phrase in listed("past", language) if " " in phrase}
    supposing = words("hypothetical", language).difference(_own_words(case), past)
    reached = clause[-_REACH_OF_SUPPOSING:] if said.kind == "date" else clause
    if _holds(reached, supposing) or (lead is not None and lead.folded in supposing):
        return review("the quote only supposes it", _SAYS_SO)
    if is_planned(case, sentence, said):
        return review("the quote only plans or wishes it", _SAYS_SO)
    if is_disowned(case, sentence, said, text) or is_denied(case, sentence, said):
        told = "the quote denies it, or tells it as somebody else's words or thought"
        return review(told, _SAYS_SO)
    if moment := other_moment(case, sentence, said):
        return review(
            f"the quote says what {moment}",
            "a turn in which the user says that it is so now settles it",
        )
    if lead is not None and lead.folded in words("asking", language) and _is_question(sentence):
        return review("the quote only asks", _SAYS_SO)
    if (
        _is_of_another(case, clause, language)
        or has_other_subject(case, sentence, said)
        or _names_another(case, sentence, said, text)
        or is_namesake(case, sentence)
        or (case.is_removal and belongs_to_another(case, sentence))
    ):
        return review(
            "the quote speaks of somebody else",
            "a turn in which the user says it of whom the claim is about would settle it",
        )
    return None


def _is_question(sentence: Sentence) -> bool:
    """Whether a sentence that opens as a question is one: by its mark, or "did I say that"."""
    speakers = words("self", sentence.language)
    return sentence.asks or any(token.folded in speakers for token in sentence.tokens[1:2])


def _own_words(case: Case) -> list[str]:
    """Return the folded words of the claim as it stands; of an addition, those that come in."""
    return fold_words(case.before or case.after)


def _lead(sentence: Sentence) -> Token | None:
    opening = words("conjunction", sentence.language)
    return next((token for token in sentence.tokens if token.folded not in opening), None)


def _holds(tokens: list[Token], listed: frozenset[str]) -> bool:
    return any(token.folded in listed for token in tokens)


def _is_of_another(case: Case, clause: list[Token], language: str) -> bool:
    """Whether somebody acts in a clause whom the claim does not name: "my sister moved"."""
    known = case.context_words.union(_own_words(case))
    acting = False
    for token, behind in zip(clause, [*clause[1:], None], strict=False):
        if token.folded in words("self", language):
            acting = False
        elif behind is not None and behind.folded in known and behind.kind == "name":
            continue  # "my partner Tanya", of whom the claim speaks
        elif is_relation(token, language) and token.folded.removesuffix("'s") not in known:
            acting = not token.folded.endswith("'s") or acting
    return acting


def _names_another(case: Case, sentence: Sentence, said: Token, text: str) -> bool:
    """Whether a clause is about somebody by name whom the claim does not name."""
    until = [t for t in sentence.tokens if t.clause == said.clause and t.start <= said.start]
    lead = next((token for token in until if token.kind != "light"), None)
    if lead is None or lead is said or lead.kind not in WORD_KINDS:
        return False
    if lead.folded in words("change", sentence.language):  # "Ahora vivo en Berlín"
        return False
    if not text[lead.start].isupper() or _is_known(case, lead):
        return False
    if _is_known(case, said) and not person_named(lead.folded):
        return False
    if _holds(until, words("self", sentence.language)):
        return False
    own = named_lead(case)
    if own is not None:
        clause = (token for token in sentence.tokens if token.clause == said.clause)
        return all(token.key != own.key for token in clause)
    if person_named(lead.folded):
        return True
    behind = next(token for token in sentence.tokens if token.start > lead.start)
    return behind.kind in WORD_KINDS and behind.key in read_statement(case.before).stems


def _is_known(case: Case, token: Token) -> bool:
    """Whether a word is the claim's, its context's or the owner's."""
    known = {*_own_words(case), *case.context_words, *case.owner_words, *_OWNER}
    return token.folded.removesuffix("'s") in {word.removesuffix("'s") for word in known}


def named_lead(case: Case) -> Token | None:
    """Return the word that names whom the claim is about, when that is not the owner."""
    lead = read_statement(case.before).lead
    start = case.before.lstrip("*_[ ")[:1]
    if lead is None or not start.isupper() or lead.folded not in fold_words(case.before)[:1]:
        return None
    return None if lead.folded.removesuffix("'s") in case.owner_words | _OWNER else lead
