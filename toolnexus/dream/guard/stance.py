"""Stance: whether the user means what a sentence of theirs says, and says it of themselves."""

from __future__ import annotations

import re
from itertools import pairwise, takewhile
from typing import TYPE_CHECKING

from toolnexus.dream.guard.framed import is_framed, is_marked
from toolnexus.dream.guard.titles import person_named
from toolnexus.dream.guard.untrue import calls_untrue, is_denied_across, is_untrue_behind
from toolnexus.dream.guard.vocabulary import (
    bids,
    contrasts,
    listed,
    opens_subject,
    retracts,
    says,
    unsays,
)
from toolnexus.dream.speech import considering, words
from toolnexus.dream.statement import is_verb, read_statement
from toolnexus.text.lexicon import fold_words
from toolnexus.text.words import stem

if TYPE_CHECKING:
    from collections.abc import Sequence

    from toolnexus.dream.guard.case import Case, Cited
    from toolnexus.dream.sentence import Sentence
    from toolnexus.dream.token import Token

_OPENING_CHARS = 80
_BEFORE_CHARS = 300
_GROUP_REACH = 4
_SENDER = re.compile(r"\s*([^\W\d_][^:\n]{0,30}):\s")
_IRONY = re.compile(r"(?<!\S)/s(?!\S)")
"""How people mark what they do not mean."""
_THIRD_PERSON = frozenset("aeé")
"""How verbs end that are said of others, where the speaker's end in "o"."""
_REACH_OF_PLANS = 4
"""So many words before a value may plan it: "I want to live in Berlin"."""


def is_disowned(case: Case, sentence: Sentence, said: Token, text: str) -> bool:
    """Whether what a sentence says is told, thought or made up: not true that, a story, he says:.

    Words of telling count where somebody else's "I" or a colon follows.
    """
    language = sentence.language
    if _is_another_text(case, sentence, text) or is_framed(sentence, said, text):
        return True
    if is_marked(sentence, said, text, _kept_stems(case) - {said.key}):
        return True
    if retracts(text[said.end : sentence.end], language) or _IRONY.search(text[said.end :]):
        return True
    head = _before(sentence, said)
    if head and bids(head[0].folded, language):
        return True
    if unsays(" ".join(token.folded for token in head), language):
        return True
    selves = words("self", language)
    telling = next((n for n, t in enumerate(head) if t.folded in words("telling", language)), None)
    if telling is None or any(token.folded in selves for token in head[:telling]):
        return False
    return any(token.folded in selves for token in head[telling + 1 :])


def _is_another_text(case: Case, sentence: Sentence, text: str) -> bool:
    """Whether a sentence is a text to work on, a part to play, or has a sender: "Tom: I live …"."""
    before = text[max(0, sentence.start - _BEFORE_CHARS) : sentence.start]
    if says(before, "passage", sentence.language):
        return True
    line = text[text.rfind("\n", 0, sentence.start + 1) + 1 : sentence.end]
    label = _SENDER.match(line)
    if label is None or not words("self", sentence.language).isdisjoint(fold_words(label.group(1))):
        return False
    sender = person_named(label.group(1))
    return bool(sender) and sender not in case.owner_words


def is_denied(case: Case, sentence: Sentence, said: Token) -> bool:
    """Whether what comes in stands behind a negation: "we never moved to Berlin"."""
    if case.is_removal or case.old.negations or case.new.negations:
        return False
    denied = False
    language = sentence.language
    resets = words("self", language) | words("conjunction", language)
    for token in _before(sentence, said):
        if token.clause != said.clause:
            continue
        if token.kind == "negation":
            denied = True
        elif contrasts(token.folded, language) or token.folded in resets:
            denied = False
    if denied or is_untrue_behind(sentence, said):
        return True
    return is_denied_across(sentence, said, _kept_stems(case))


def _kept_stems(case: Case) -> frozenset[str]:
    """Return the stems of what the claim says before and after."""
    lost = {stem(word) for name in case.lost_values for word in fold_words(name)}
    return case.topic_stems(case.before or case.after) - lost


def is_planned(case: Case, sentence: Sentence, said: Token) -> bool:
    """Whether the words right before it plan or wish it, and the claim does not."""
    language = sentence.language
    resets = words("self", language) | words("conjunction", language)
    clause = [t.folded for t in _before(sentence, said) if t.clause == said.clause]
    start = max((n + 1 for n, word in enumerate(clause) if word in resets), default=0)
    close = clause[max(start, len(clause) - _REACH_OF_PLANS) :]
    own = {stem(word) for word in fold_words(f"{case.before} {case.after}")}
    if case.is_removal and says(" ".join(close), "trying", language):
        return True
    found = considering(language).findall(f" {' '.join(close)} ")
    return any(not own.issuperset(map(stem, phrase.split())) for phrase in found)


def has_other_subject(case: Case, sentence: Sentence, said: Token) -> bool:
    """Whether a claim that opens with its verb, so is the owner's, meets another's: "he moved"."""
    if not case.before and _is_third_person(case, sentence, said):
        return True
    if not _is_owners(case):
        return False
    language = sentence.language
    clause = [t for t in sentence.tokens if t.clause == said.clause and t.start < said.start]
    others, selves = words("other", language), words("self", language)
    if _opens_with_group(case, clause, language) or _is_third_person(case, sentence, said):
        return True
    acting = [token for token in clause if token.folded in others | selves]
    if acting:
        return acting[-1].folded in others
    if len(clause) < 2 or not opens_subject(clause[0].folded, language):
        return False
    if _is_of_mine(case, clause, language):
        return False
    return clause[1].key not in read_statement(case.before).stems


def _is_of_mine(case: Case, clause: Sequence[Token], language: str) -> bool:
    """Whether somebody only does it to what is the user's: "the doctor raised my dose"."""
    topic = read_statement(case.before).stems
    own = listed("my", language)
    return any(one.folded in own and two.key in topic for one, two in pairwise(clause))


def _is_third_person(case: Case, sentence: Sentence, said: Token) -> bool:
    """Whether a verb without a subject has the form in which the claim speaks of the owner.

    "Ahora vive en Berlín" is somebody else's; the user says "vivo". Some languages only.
    """
    ones = listed("dropping", sentence.language)
    verb = fold_words(case.before or case.after)[:1]
    if not ones or not verb or verb[0][-1] not in _THIRD_PERSON:
        return False
    clause = [t.folded for t in sentence.tokens if t.clause == said.clause]
    return verb[0] in clause and ones.isdisjoint(clause)


def _opens_with_group(case: Case, clause: Sequence[Token], language: str) -> bool:
    """Whether a clause opens with a body of people that the claim does not speak of: our office."""
    opening = list(takewhile(lambda token: token.folded not in words("self", language), clause))
    own = fold_words(case.before)
    groups = listed("group", language).difference(own)
    return any(token.folded in groups for token in opening[:_GROUP_REACH])


def is_retracted(case: Case, cited: Cited) -> bool:
    """Whether the user takes a quote back right behind it, in the same turn or in the next."""
    turn = cited.turn
    if turn.role not in case.facts.evidence_roles:
        return False
    behind = [turn.text[cited.start + len(cited.quote) :]]
    around = case.facts.turns.turns_around(turn.conversation, turn.number, 3)
    later = (t for t in around if t.number > turn.number and t.role == turn.role)
    behind += [t.text[:_OPENING_CHARS] for t in later][:1]
    return any(retracts(text, case.language) or calls_untrue(text) for text in behind)


def _before(sentence: Sentence, said: Token) -> Sequence[Token]:
    return tuple(takewhile(lambda token: token.start < said.start, sentence.tokens))


def _is_owners(case: Case) -> bool:
    """Whether a claim says by its place alone that it is the owner's: it opens with its verb."""
    if any(word in case.turns.words for word in case.context_words):
        return False
    statement = read_statement(case.before)
    if not statement.tokens or statement.lead is not None:
        return False
    others = words("relation", statement.language) | words("other", statement.language)
    first = statement.tokens[0]
    opens = is_verb(first, statement.language) or first.folded in words(
        "asking", statement.language
    )
    return opens and others.isdisjoint(fold_words(case.before))
