"""The guard's rules, one home and a few turns at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from toolnexus.agent.memory_actions import CitedTurn
from toolnexus.clock import parse_instant
from toolnexus.dream.guard import Facts, Request, Verdict, judge
from toolnexus.dream.recalled import Recalled
from toolnexus.home.claims import located_claims
from toolnexus.home.snapshot import Snapshot
from toolnexus.transcripts.turn import Turn

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from toolnexus.change.located import LocatedClaim


class Turns:
    """Turns in memory, as the guard looks them up."""

    def __init__(self, turns: Iterable[Turn]) -> None:
        self._turns = list(turns)

    def find_turn(self, conversation: str, ref: int | str) -> Turn | None:
        """The turn of that number or id."""
        fits = (t for t in self._turns if t.conversation == conversation)
        return next((t for t in fits if ref in (t.number, t.id or None)), None)

    def turns_around(self, conversation: str, number: int, count: int) -> Sequence[Turn]:
        """The turns close by."""
        return [
            t
            for t in self._turns
            if t.conversation == conversation and abs(t.number - number) <= count
        ]

    def turns_about(self, _words: str) -> Iterable[Turn]:
        """All turns."""
        return self._turns


def turn(number: int, text: str, role: str = "user", ts: str = "", **more: str) -> Turn:
    when = parse_instant(ts or f"2026-11-20T10:{number:02d}:00Z")
    return Turn(role, text, when, conversation="c", number=number, **more)  # type: ignore[arg-type]


def claim_of(text: str, path: str = "MEMORY.md", head: str = "") -> LocatedClaim:
    home = Snapshot(name="ava").with_texts({path: f"{head}- {text}\n"})
    return located_claims(home, path)[0]


def ask(
    claim: str | LocatedClaim,
    after: str,
    turns: Sequence[Turn],
    *quotes: tuple[int, str],
    **facts: object,
) -> Verdict:
    """Put one request to the guard: what a claim should become, by quotes of numbered turns."""
    located = claim_of(claim) if isinstance(claim, str) else claim
    evidence = tuple(CitedTurn("c", number, quote) for number, quote in quotes)
    action = "replace" if after else "remove"
    return judge(Request(action, located, after, evidence), Facts(Turns(turns), **facts))  # type: ignore[arg-type]


MOVED = turn(1, "Big news: we finally moved to Berlin last weekend.")


def test_a_proved_correction_is_accepted_with_its_evidence() -> None:
    """A real quote that tells of a change and holds the new value is enough for a small claim."""
    verdict = ask("Lives in Paris.", "Lives in Berlin.", [MOVED], (1, "finally moved to Berlin"))
    assert verdict.is_accepted
    assert verdict.evidence[0].role == "user"
    assert verdict.evidence[0].ts == "2026-11-20T10:01:00Z"


def test_quotes_are_compared_after_folding() -> None:
    """White space, quote marks and dashes may differ; words may not."""
    said = turn(1, "I said: “we  moved to Berlin”, for good.")
    assert ask(
        "Lives in Paris.", "Lives in Berlin.", [said], (1, '"we moved to Berlin"')
    ).is_accepted


def test_an_invented_quote_is_refused_with_the_closest_words() -> None:
    """Who misquotes is shown what stands there."""
    verdict = ask("Lives in Paris.", "Lives in Berlin.", [MOVED], (1, "we have moved to Berlin"))
    assert verdict.answer == "refuse"
    assert "moved to Berlin" in verdict.next


@pytest.mark.parametrize("quote", ["Berlin", "to Ber"])
def test_a_short_quote_proves_nothing(quote: str) -> None:
    """Fewer than eight characters count only where they are the whole turn."""
    assert ask("Lives in Paris.", "Lives in Berlin.", [MOVED], (1, quote)).answer == "refuse"


def test_a_whole_turn_may_be_short() -> None:
    """A turn of a few characters can be quoted as a whole."""
    said = turn(1, "No tea.")
    verdict = ask("Likes tea.", "", [said], (1, "No tea."))
    assert verdict.is_accepted


@pytest.mark.parametrize("role", ["tool", "system", "assistant"])
def test_others_than_the_user_prove_nothing(role: str) -> None:
    """Tool output, system text and the persona's own turns are never evidence by themselves."""
    said = turn(1, "We finally moved to Berlin.", role)
    verdict = ask("Lives in Paris.", "Lives in Berlin.", [said], (1, "finally moved to Berlin"))
    assert verdict.answer == "refuse"


def test_tool_output_in_a_users_turn_proves_nothing() -> None:
    """What a tool brought in does not become the user's word by riding in their turn."""
    said = turn(1, "look at this", tool_text="The owner moved to Berlin now.")
    verdict = ask("Lives in Paris.", "Lives in Berlin.", [said], (1, "moved to Berlin now"))
    assert verdict.answer == "refuse"
    assert "tool" in verdict.reason


def test_an_answer_counts_once_the_user_confirms_it() -> None:
    """The persona's turn counts together with the user's assent behind it, both cited."""
    turns = [turn(1, "So you moved to Berlin now?", "assistant"), turn(2, "Yes, exactly.")]
    said = (1, "you moved to Berlin now"), (2, "Yes, exactly.")
    assert ask("Lives in Paris.", "Lives in Berlin.", turns, *said).answer != "refuse"
    assert ask("Lives in Paris.", "Lives in Berlin.", turns, said[0]).answer == "refuse"


def test_an_answer_that_the_user_denies_proves_nothing() -> None:
    """A turn behind it that does not assent is no confirmation."""
    turns = [turn(1, "So you moved to Berlin now.", "assistant"), turn(2, "Hm, what a question.")]
    said = (1, "you moved to Berlin now"), (2, "Hm, what a question.")
    assert ask("Lives in Paris.", "Lives in Berlin.", turns, *said).answer == "refuse"


def test_what_memory_said_is_no_evidence_for_it() -> None:
    """A turn that repeats a line of injected memory proves nothing."""
    said = turn(1, "Here is what I know:\n- Lives in Berlin now.\n- Likes tea.")
    known = Recalled(lambda: ["Lives in Berlin now.", "Likes tea."])
    verdict = ask(
        "Lives in Paris.", "Lives in Berlin.", [said], (1, "Lives in Berlin now."), recalled=known
    )
    assert verdict.answer == "refuse"


def test_a_quote_about_something_else_is_refused() -> None:
    """A claim of five content words needs two of them in the quote."""
    claim = "Works as a nurse in two clinics on weekdays."
    said = turn(1, "I am tired of clinic food, give me soup instead.")
    verdict = ask(claim, "Works as a cook in two clinics.", [said], (1, "tired of clinic food"))
    assert verdict.answer == "refuse"
    assert "two of its content words" in verdict.next


def test_a_removal_without_a_word_of_ending_waits() -> None:
    """A quote that speaks of the claim but does not end it is for a person to judge."""
    claim = "Works as a nurse in two clinics on weekdays."
    said = turn(1, "I am so tired of clinic shifts on weekdays.")
    assert ask(claim, "", [said], (1, said.text)).answer == "review"


@pytest.mark.parametrize(
    ("claim", "said"),
    [
        ("Has a gym membership.", "I cancelled my gym membership yesterday."),
        ("Besitzt einen alten Volvo.", "Den alten Volvo haben wir verkauft."),
        ("Fume des cigares.", "J'ai arrêté les cigares."),
        ("Trabaja de enfermera.", "Ya no trabajo de enfermera."),
        ("Tem um carro vermelho.", "Vendi o carro vermelho."),
    ],
)
def test_a_claim_that_is_over_is_dropped_in_five_languages(claim: str, said: str) -> None:
    """Each language has its words of ending."""
    assert ask(claim, "", [turn(1, said)], (1, said)).is_accepted


@pytest.mark.parametrize(
    "after",
    [
        "Lives in Munich.",
        "Lives in Berlin since 2024.",
        "Lives in Berlin with 3 dogs.",
        "Lives in Berlin since 4 May 2025.",
        "Lives in Berlin, see https://example.org/flat.",
        "Lives in Berlin, mail ava@example.org.",
        'Lives in Berlin, "the best city of all".',
    ],
)
def test_an_ungrounded_value_is_refused(after: str) -> None:
    """A name, number, date, address or quotation that nobody said is never written."""
    verdict = ask("Lives in Paris.", after, [MOVED], (1, "finally moved to Berlin"))
    assert verdict.answer == "refuse"
    assert "does not stand in the cited turns" in verdict.reason


def test_a_negation_that_nobody_said_is_refused() -> None:
    """A claim is not turned around by a quote that denies nothing."""
    said = turn(1, "I drive a red car to work.")
    verdict = ask("Drives a red car.", "Does not drive a red car.", [said], (1, said.text))
    assert verdict.answer == "refuse"


def test_number_words_ground_digits() -> None:
    """Three and 3 are one number."""
    said = turn(1, "We now have three cats at home.")
    assert ask("Has 2 cats.", "Has 3 cats.", [said], (1, said.text)).is_accepted


@pytest.mark.parametrize(
    ("said", "day"),
    [
        ("we moved the meeting to yesterday", "2026-11-19"),
        ("the meeting was moved, it was last week", "11 November 2026"),
        ("the meeting is moved to tomorrow", "21 November 2026"),
        ("the meeting is moved to Tuesday", "24 November 2026"),
        ("the meeting is moved to next Tuesday", "1 December 2026"),
        ("the meeting is moved to Tuesday of next week", "1 December 2026"),
    ],
)
def test_relative_dates_are_counted_from_their_turn(said: str, day: str) -> None:
    """A day that follows from when something was said is grounded."""
    claim = "The meeting is on 3 May 2026."
    verdict = ask(claim, f"The meeting is on {day}.", [turn(1, said)], (1, said))
    assert verdict.is_accepted, verdict


@pytest.mark.parametrize(
    ("said", "day"),
    [
        ("the meeting is moved to tomorrow", "25 November 2026"),
        ("the meeting is moved to Tuesday", "1 December 2026"),
        ("the meeting is moved to next Tuesday", "8 December 2026"),
    ],
)
def test_a_relative_date_grounds_no_other_day(said: str, day: str) -> None:
    """A day that does not follow is refused."""
    claim = "The meeting is on 3 May 2026."
    assert ask(claim, f"The meeting is on {day}.", [turn(1, said)], (1, said)).answer == "refuse"


def test_words_that_nobody_said_wait() -> None:
    """A gained word without a value is for a person to judge."""
    after = "Lives in sunny Berlin."
    verdict = ask("Lives in Paris.", after, [MOVED], (1, "finally moved to Berlin"))
    assert verdict.answer == "review"
    assert "sunny" in verdict.reason


def test_a_value_that_would_be_lost_waits() -> None:
    """What the turns do not contradict is not left out by the way."""
    claim = "Lives in Paris since 2019 with Ines."
    said = turn(1, "we moved from Paris to Berlin, the three of us live there")
    verdict = ask(claim, "Lives in Berlin.", [said], (1, said.text))
    assert verdict.answer == "review"
    assert "lost" in verdict.reason


def test_a_later_turn_that_says_the_old_value_stands_against() -> None:
    """The latest word of the user's wins, and is named."""
    turns = [
        turn(1, "We finally moved to Berlin.", ts="2025-01-01T00:00:00Z"),
        turn(2, "Paris is where we live again.", ts="2026-01-01T00:00:00Z"),
    ]
    verdict = ask("Lives in Paris.", "Lives in Berlin.", turns, (1, "finally moved to Berlin"))
    assert verdict.answer == "review"
    assert "c#2" in verdict.reason


def test_a_claim_that_a_person_wrote_yields_only_to_later_turns() -> None:
    """An edit by hand outweighs what was said before it."""
    claim = claim_of("Lives in Paris.")
    for day, answer in (("2026-11-21", "review"), ("2026-11-19", "accept")):
        edited = {(claim.path, claim.fold): parse_instant(f"{day}T00:00:00Z")}
        verdict = ask(
            claim, "Lives in Berlin.", [MOVED], (1, "finally moved to Berlin"), edited=edited
        )
        assert verdict.answer == answer


def test_what_a_person_took_back_needs_newer_evidence() -> None:
    """A reverted change is not made again on the same turn."""
    undone = {("lives in paris", "lives in berlin"): parse_instant("2026-11-21T00:00:00Z")}
    verdict = ask(
        "Lives in Paris.",
        "Lives in Berlin.",
        [MOVED],
        (1, "finally moved to Berlin"),
        undone=undone,
    )
    assert verdict.answer == "refuse"


def test_a_pin_holds() -> None:
    """No evidence moves a claim that a person pinned."""
    claim = claim_of("Lives in Paris. <!-- keep -->")
    verdict = ask(claim, "Lives in Berlin.", [MOVED], (1, "finally moved to Berlin"))
    assert verdict.answer == "refuse"


def test_a_claim_that_waits_is_left_alone() -> None:
    """What is in a proposal is settled by a person first."""
    waiting = frozenset({("MEMORY.md", "lives in paris")})
    verdict = ask(
        "Lives in Paris.", "Lives in Berlin.", [MOVED], (1, "moved to Berlin"), waiting=waiting
    )
    assert verdict.answer == "refuse"


@pytest.mark.parametrize(
    "said",
    [
        "If we moved to Berlin now, would the rent be lower?",
        "Maybe we have moved to Berlin by then.",
        "My sister moved to Berlin.",
    ],
)
def test_suppositions_and_others_wait(said: str) -> None:
    """What is supposed, or said of somebody else, is no fact about the owner."""
    quote = said.partition("moved")[2]
    verdict = ask("Lives in Paris.", "Lives in Berlin.", [turn(1, said)], (1, f"moved{quote}"))
    assert verdict.answer == "review"


def test_a_claim_about_another_needs_turns_that_name_them() -> None:
    """That the owner moved says nothing about Ines."""
    named = turn(1, "We finally moved to Berlin.", name="Maria")
    verdict = ask("Ines lives in Paris.", "Ines lives in Berlin.", [named], (1, named.text))
    assert verdict.answer == "review"


def test_a_swapped_subject_waits() -> None:
    """A replacement that only says the same of another is for a person to judge."""
    said = turn(1, "Clara planted roses along the garden wall with me.")
    claim = "Ines planted roses along the garden wall in spring."
    after = "Clara planted roses along the garden wall in spring."
    assert ask(claim, after, [said], (1, said.text)).answer == "review"


def test_a_no_op_is_refused() -> None:
    """A correction that changes nothing is none."""
    verdict = ask("Lives in Paris.", "Lives in  paris", [MOVED], (1, "moved to Berlin"))
    assert verdict.answer == "refuse"


def test_without_evidence_nothing_changes() -> None:
    """A bare wish of the model's is refused, with what would be accepted."""
    verdict = ask("Lives in Paris.", "", [MOVED])
    assert verdict.answer == "refuse"
    assert "conversation, turn" in verdict.next


def test_turns_are_found_by_their_own_id_or_a_number_in_text() -> None:
    """Models send numbers as texts, and ids as they read them."""
    said = turn(1, "We finally moved to Berlin.", id="m7")
    for ref in ("m7", "1", "#1"):
        evidence = (CitedTurn("c", ref, "finally moved to Berlin"),)
        request = Request("replace", claim_of("Lives in Paris."), "Lives in Berlin.", evidence)
        assert judge(request, Facts(Turns([said]))).is_accepted


def test_turns_without_an_instant_are_judged_too() -> None:
    """A missing time is no reason to fail."""
    said = Turn("user", "We finally moved to Berlin.", conversation="c", number=1)
    assert ask("Lives in Paris.", "Lives in Berlin.", [said], (1, said.text)).is_accepted
