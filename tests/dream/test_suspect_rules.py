"""What counts as a contradiction, and what does not: one invented talk for each rule."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolnexus.dream.claim_index import ClaimIndex, content_stems
from toolnexus.dream.contradiction import decide, find_contradiction, judge, prune
from toolnexus.dream.saying import read_sayings
from toolnexus.dream.sentence import read_sentences
from toolnexus.dream.statement import read_statement
from toolnexus.transcripts.turn import Turn

BEGUN = datetime(2026, 11, 20, 9, 0, tzinfo=UTC)
OWNER = "Maria"


def talk(*said: str | tuple[str, str]) -> list[Turn]:
    """Make a conversation, a turn an hour; a bare text is the user's."""
    turns = []
    for number, each in enumerate(said, 1):
        role, text = each if isinstance(each, tuple) else ("user", each)
        ts = BEGUN + timedelta(hours=number)
        turns.append(Turn(role, text, ts, conversation="talk", number=number))  # type: ignore[arg-type]
    return turns


def contradiction(claim: str, *said: str | tuple[str, str], topic: str = "") -> str:
    """Return the quote that contradicts a claim; empty when nothing does."""
    context = (topic.casefold(),) if topic else ()
    found = find_contradiction(claim, context, talk(*said), OWNER, topic=topic)
    return found[0].quote if found else ""


@pytest.mark.parametrize(
    ("claim", "said"),
    [
        ("The rent is 900 euros.", "My rent went up to 1,050 euros."),
        ("Has two cats.", "We have three cats now."),
        ("The train to Lyon leaves at 14:05.", "The train to Lyon leaves at 15:05 now."),
        (
            "The choir meets every Tuesday at the school.",
            "The choir meets at the school on Friday.",
        ),
        ("Ran the harbour race in 54 minutes.", "I ran the harbour race in 49 minutes!"),
        ("The ferry ticket cost $45.", "The ferry ticket cost me $54, can you believe it?"),
        (
            "Tom is 41 years old and plays chess.",
            "My friend Tom, who plays chess, is 43 years old.",
        ),
    ],
)
def test_another_number_contradicts(claim: str, said: str) -> None:
    """The same words with another number, hour or weekday in its place contradict a claim."""
    assert contradiction(claim, said) == said


@pytest.mark.parametrize(
    ("claim", "said"),
    [
        ("Clara's birthday is on 4 May.", "Clara's birthday is on 5 May."),
        ("The dentist appointment is on 12 November.", "The dentist appointment is on 2026-11-19."),
        ("The dentist appointment is on 12 November.", "The dentist appointment is tomorrow."),
        ("Signed the lease for the studio in March.", "I signed the lease for the studio in June."),
    ],
)
def test_another_date_contradicts(claim: str, said: str) -> None:
    """Dates are compared by what they mean; "tomorrow" is counted from the turn's own day."""
    assert contradiction(claim, said) == said


@pytest.mark.parametrize(
    ("claim", "said"),
    [
        ("Lives in Paris.", "I live in Berlin now."),
        ("Lives in Paris.", "We finally moved to Berlin."),
        ("Maria lives in Paris.", "We moved from Paris to Berlin last week."),
        ("Works at Norsk as an engineer.", "I work at Baltica now."),
        (
            "Had a long Sunday lunch with Felix at the old harbour.",
            "I had that long Sunday lunch with Ingrid at the old harbour.",
        ),
        ("Ines lives in Lyon.", "My sister Ines lives in Bern these days."),
    ],
)
def test_another_name_contradicts(claim: str, said: str) -> None:
    """Another name in the same place contradicts where there can be but one."""
    assert contradiction(claim, said) == said


@pytest.mark.parametrize(
    ("claim", "said"),
    [
        ("Allergic to peanuts.", "I'm not allergic to peanuts."),
        ("Allergic to peanuts.", "I am no longer allergic to peanuts."),
        ("Does not eat meat.", "I eat meat again."),
        ("Did not rent the old boat to Tom.", "I rented Tom the old boat."),
    ],
)
def test_a_negation_more_or_less_contradicts(claim: str, said: str) -> None:
    """A negation that only one of both has turns the claim around."""
    assert contradiction(claim, said) == said


@pytest.mark.parametrize(
    ("claim", "said"),
    [
        ("Never more than one museum a day.", "One museum a day, not more."),
        ("Nie mehr als ein Museum am Tag.", "Ein Museum am Tag reicht."),
        ("Signs on Thursdays, reads everything twice.", "I sign on Thursdays, on the 12th."),
    ],
)
def test_bounds_and_other_clauses_are_no_contradiction(claim: str, said: str) -> None:
    """A bound denies nothing, and a value is held against nothing that its clause does not say."""
    assert contradiction(claim, said) == ""


@pytest.mark.parametrize(
    ("claim", "said"),
    [
        ("Wohnt in Paris.", "Ich wohne jetzt in Berlin."),
        ("Wohnt in Paris.", "Wir sind nach Berlin umgezogen."),
        ("Die Miete beträgt 900 Euro.", "Die Miete ist jetzt 1050 Euro."),
        ("Habite à Paris.", "J'habite maintenant à Lyon."),
        ("Le loyer est de 900 euros.", "Le loyer est maintenant de 1050 euros."),
        ("Vive en Madrid.", "Ahora vivo en Sevilla."),
        ("Mora em Lisboa.", "Agora moro em Coimbra."),
    ],
)
def test_other_languages(claim: str, said: str) -> None:
    """German, French, Spanish and Portuguese are read by the same rules with their own words."""
    assert contradiction(claim, said) == said


@pytest.mark.parametrize(
    ("claim", "said"),
    [
        ("Lives in Paris.", "Should we move to Berlin?"),
        ("Lives in Paris.", "Do I live in Berlin?"),
        ("The rent is 900 euros.", "Is the rent 950 euros?"),
        ("Wohnt in Paris.", "Wohne ich in Berlin, wenn wir umziehen?"),
    ],
)
def test_questions_are_no_evidence(claim: str, said: str) -> None:
    """Who asks whether something is so does not say that it is."""
    assert contradiction(claim, said) == ""


@pytest.mark.parametrize(
    "said",
    [
        "If we move to Berlin we need a van.",
        "We might move to Berlin.",
        "I wish I lived in Berlin.",
        "Maybe we move to Berlin.",
        "I used to live in Berlin.",
    ],
)
def test_what_may_be_is_no_evidence(said: str) -> None:
    """Conditions, wishes and what once was say nothing about now."""
    assert contradiction("Lives in Paris.", said) == ""


@pytest.mark.parametrize(
    "said",
    [
        'Tom wrote: "I live in Berlin now and love it."',
        "> I live in Berlin now",
        "```\nI live in Berlin now\n```",
        ("tool", "I live in Berlin now."),
        ("system", "I live in Berlin now."),
        ("assistant", "You live in Berlin now."),
    ],
)
def test_the_words_of_others_are_no_evidence(said: str | tuple[str, str]) -> None:
    """Quotations, pasted code, tool output and the assistant's own turns prove nothing."""
    assert contradiction("Lives in Paris.", said) == ""


def test_an_answer_that_the_person_confirms_is_evidence() -> None:
    """An assistant's turn counts when the user's next turn assents, and both are cited."""
    turns = talk(("assistant", "Noted: you live in Berlin."), "Yes, exactly.")
    found = find_contradiction("Maria lives in Paris.", (), turns, OWNER)
    assert [(e.role, e.turn, e.quote) for e in found] == [
        ("assistant", 1, "Noted: you live in Berlin."),
        ("user", 2, "Yes, exactly."),
    ]


@pytest.mark.parametrize(
    ("claim", "said"),
    [
        ("Ines lives in Lyon.", "My sister Clara lives in Bern."),
        ("Lives in Paris.", "My sister Clara lives in Berlin."),
        ("Lives in Paris.", "Clara moved to Berlin."),
        ("Ines lives in Lyon.", "I live in Bern."),
        ("Clara lives in Paris.", "She lives in Berlin."),
        ("Allergic to peanuts.", "My brother is not allergic to peanuts."),
    ],
)
def test_another_subject_is_no_contradiction(claim: str, said: str) -> None:
    """What is said of someone else says nothing about the claim."""
    assert contradiction(claim, said) == ""


def test_a_pronoun_stands_for_who_was_named_before() -> None:
    """A pronoun is read as the person that an earlier sentence of the turn names."""
    said = "I had a call with Clara. She lives in Berlin now."
    assert contradiction("Clara lives in Paris.", said) == "She lives in Berlin now."


def test_a_note_s_short_claims_are_about_its_title() -> None:
    """In a note, a short claim is contradicted only where its title is spoken of."""
    assert contradiction("Lives in Lyon.", "I live in Bern.", topic="Ines") == ""
    assert contradiction("Lives in Lyon.", "Ines lives in Bern.", topic="Ines") != ""


@pytest.mark.parametrize(
    ("claim", "said"),
    [
        ("Likes listening to Radiohead.", "I like listening to Coldplay."),
        ("Ran 5 km on 3 May.", "I ran 10 km on 10 May."),
        ("Paid 900 euros rent in May.", "I paid 950 euros rent in June."),
        ("Has two cats.", "We have three dogs."),
        ("Lives in Paris.", "We are going to Berlin for the weekend."),
        ("The flight to Oslo is on 3 May 2026.", "Flight to Oslo on May 3rd: booked."),
        ("Budget for the kitchen is 1,200 euros.", "The kitchen budget is 1200 euros."),
        ("Meeting at 3 PM with the bank.", "My meeting with the bank is at 15:00."),
    ],
)
def test_look_alikes_are_no_contradiction(claim: str, said: str) -> None:
    """Another occasion, another thing, or the same value written otherwise contradicts nothing."""
    assert contradiction(claim, said) == ""


def test_the_latest_word_wins() -> None:
    """A claim that the latest turn supports is not suspected; the latest contradiction is shown."""
    moved, back = "I live in Berlin now.", "Back home: I live in Paris again."
    assert contradiction("Lives in Paris.", moved, back) == ""
    assert contradiction("Lives in Paris.", back, moved) == moved
    further = "I live in Oslo now."
    assert contradiction("Lives in Paris.", moved, further) == further


def test_within_a_turn_the_later_sentence_wins() -> None:
    """One turn may tell what was and then what is."""
    said = "Last year my rent was 900 euros. Now my rent is 1050 euros."
    assert contradiction("The rent is 900 euros.", said) == "Now my rent is 1050 euros."


def test_a_passing_mention_does_not_outweigh_a_plain_one() -> None:
    """A later turn that speaks of much less of the claim does not settle it."""
    claim = "Ordered the oak table from Lindholm for 640 euros with two benches."
    plain = "I ordered the oak table from Lindholm for 640 euros with two benches."
    passing = "My new table cover from the market cost 12 euros."
    assert contradiction(claim, plain, passing) == ""


def test_the_quote_stands_in_the_turn() -> None:
    """A long sentence is cut around what contradicts, and never changed."""
    filler = "and then we talked about the weather and the garden " * 30
    said = f"So {filler} - my rent went up to 1,050 euros - {filler}"
    quote = contradiction("The rent is 900 euros.", said)
    assert "1,050 euros" in quote
    assert quote in said
    assert len(quote) <= 400


PIECES = (
    "I we not live lives moved to in Paris Berlin 3 4 May 2026 15:00 9:99 5.13. $ € 12% if Clara"
    ' ? . , - > ``` " “ from 10k A320 1.2.3 today ja nicht jetzt 東京'
)
texts = st.one_of(
    st.text(max_size=60),
    st.lists(st.sampled_from([*PIECES.split(), "\n"]), max_size=14).map(" ".join),
)


@settings(max_examples=100, deadline=None)
@given(claim=texts, said=texts, owner=texts)
def test_any_text_is_judged(claim: str, said: str, owner: str) -> None:
    """No claim, turn or owner makes the rules fail, and every quote stands in its turn."""
    turn = Turn("user", said, BEGUN, conversation="talk", number=1)
    for evidence in find_contradiction(claim, (owner,), [turn], owner, topic=owner):
        assert evidence.quote in said


@settings(max_examples=100, deadline=None)
@given(claim=texts)
def test_a_claim_is_not_contradicted_by_itself(claim: str) -> None:
    """A turn that says a claim word for word never contradicts it."""
    turns = [Turn("user", claim, BEGUN, conversation="talk", number=1)]
    assert find_contradiction(claim, (), turns, OWNER) == ()


@settings(max_examples=60, deadline=None)
@given(st.lists(texts, max_size=6), texts, st.integers(0, 6))
def test_pruned_verdicts_decide_the_same(said: list[str], claim: str, cut: int) -> None:
    """What pruning leaves out changes no decision, whenever it is done."""
    statement = read_statement(claim)
    verdicts = [v for s in read_sayings(talk(*said), OWNER) for v in judge(statement, s)]
    pruned = prune([*prune(verdicts[:cut]), *verdicts[cut:]])
    assert decide(pruned) == decide(verdicts)


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.sampled_from(["rent", "Lyon", "cello", "trio", "Ines", "plays", "keys", "boat"]))
    .map(" ".join)
    .map("The {} is 900 euros.".format),
    st.lists(st.sampled_from(["rent", "Oslo", "cello", "trio", "Clara", "plays", "keys", "boat"]))
    .map(" ".join)
    .map("The {} is 950 euros now.".format),
)
def test_the_index_of_claims_leaves_no_verdict_out(claim: str, said: str) -> None:
    """A sentence that gives a verdict on a claim touches it in the index."""
    (saying,) = read_sayings(talk(said), OWNER)
    if judge(read_statement(claim), saying):
        assert ClaimIndex([claim]).touched(content_stems(said)) == [0]
        assert ClaimIndex([claim]).touched(saying.sentences[0].stems) == [0]


def test_sentences_end_where_people_end_them() -> None:
    """Titles, initials and ordinals do not end a sentence; line breaks do."""
    text = "I met Dr. Moreau on 3. Mai. We had tea\nIt was fine."
    spans = [text[s.start : s.end].strip() for s in read_sentences(text)]
    assert spans == ["I met Dr. Moreau on 3. Mai.", "We had tea", "It was fine."]
