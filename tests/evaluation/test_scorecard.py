"""Scorecards of models as dreamers."""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING

import pytest
from answering_models import liar, perfect
from hypothesis import given
from hypothesis import strategies as st

from toolnexus.cli.cmd_evaluate import card_lines
from toolnexus.cli.main import main
from toolnexus.errors import Unreachable
from toolnexus.evaluation import KINDS, Tally, evaluate, read_cases
from toolnexus.evaluation.case import Expected, parse_case
from toolnexus.evaluation.score import satisfies
from toolnexus.models.completion import Usage
from toolnexus.testing.model import ScriptedModel, say
from toolnexus.testing.openai_server import OpenAiServer

if TYPE_CHECKING:
    from toolnexus.evaluation import Case


def test_the_homes_try_every_kind_in_five_languages() -> None:
    """There are forty or more, of each kind several, and each says what it expects and where."""
    cases = read_cases()
    assert len(cases) >= 40
    assert {case.language for case in cases} == {"en", "de", "fr", "es", "pt"}
    kinds = Counter(case.kind for case in cases)
    assert set(kinds) == set(KINDS)
    assert min(kinds.values()) >= 5
    for case in cases:
        assert case.about
        for claim in case.claims:
            name, _, number = claim.at.partition("#")
            assert not claim.at or case.talks[name][int(number) - 1][0] == "user"


@pytest.mark.slow
def test_a_perfect_model_gets_all_of_it() -> None:
    """Asked for what is right, the guard lets all of it through: 100 % of each kind."""
    card = evaluate(read_cases(), perfect, name="perfect")
    assert {
        home.name: home.missed + home.harmed for home in card.homes if home.tally.score < 1
    } == {}
    assert card.all.score == 1
    assert card.all.harmed == card.all.waiting == 0
    assert all(tally.score == 1 for tally in card.kinds.values())


@pytest.mark.slow
def test_a_lying_model_harms_nothing() -> None:
    """Whatever it asks for with real quotes of other turns, every claim that is right stands."""
    card = evaluate(read_cases(), liar, name="liar")
    assert {home.name: home.harmed for home in card.homes if home.harmed} == {}
    assert card.all.conserved == card.all.standing


@pytest.mark.slow
def test_without_a_model_nothing_is_corrected_and_nothing_harmed() -> None:
    """Offline what is the same is folded and sure links are repaired; the rest is missed."""
    card = evaluate(read_cases(), lambda _: None)
    assert (card.all.harmed, card.all.model_calls) == (0, 0)
    assert card.kinds["wrong"].corrected == 0
    assert card.all.repaired == card.all.links


def test_a_harmful_pass_is_seen() -> None:
    """A claim that is lost, changed wrongly or made up counts as harm, whoever did it."""
    before, after = Expected("MEMORY.md", "Lives in Lyon."), "Lives in Rome."
    assert not satisfies(after, Expected("MEMORY.md", before.text, "Lives in Nantes."))
    assert not satisfies("Does not live in Nantes.", Expected("", "Lives in Lyon.", "In Nantes."))
    assert satisfies("Nantes it is.", Expected("MEMORY.md", "Lyon it is.", "Nantes it is."))


def test_a_model_that_goes_away_ends_the_card(monkeypatch: pytest.MonkeyPatch) -> None:
    """What was scored until then is kept, with the reason."""
    cases = read_cases(["wrong"], limit=3)

    def model_for(case: Case) -> ScriptedModel:
        gone = case is cases[1]
        return ScriptedModel(default=Unreachable("nobody answers") if gone else "HEARTBEAT_OK")

    card = evaluate(cases, model_for)
    assert len(card.homes) == 1
    assert "nobody answers" in card.stopped


def test_money_ends_a_card_early() -> None:
    """No home is begun once the money is spent."""
    dear = say("HEARTBEAT_OK", usage=Usage(100, 20, 0.6, 1))
    card = evaluate(
        read_cases(["wrong"], limit=5), lambda _: ScriptedModel(default=dear), budget_usd=1.0
    )
    assert len(card.homes) == 2
    assert "dollars are spent" in card.stopped


def test_the_shell_prints_a_table_and_a_document(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The table has a row a kind and one for all; the document says the same and more."""
    monkeypatch.delenv("TOOLNEXUS_MODEL", raising=False)
    words = ["evaluate", "--model", "none", "--only", "stale", "--language", "de"]
    assert main(words) == 0
    table = capsys.readouterr().out
    assert [line.split()[0] for line in table.splitlines()[1:3]] == ["stale", "all"]
    assert main([*words, "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["schema"] == "toolnexus/evaluate/1"
    assert document["all"]["missed"] == 2
    assert [home["name"] for home in document["homes"]] == ["stale-de-auto", "stale-de-tarif"]
    assert document["homes"][0]["missed_claims"] == ["Fährt einen blauen Kombi."]
    assert main(["evaluate"]) == 2
    assert main(["evaluate", "--model", "none", "--only", "nonsense"]) == 2


def test_a_served_model_is_scored(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A model behind an address is asked and counted; one that refuses ends with 69."""
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    words = ["evaluate", "--model", "openai/scripted", "--only", "stale", "--limit", "1", "--json"]
    with OpenAiServer() as server:
        monkeypatch.setenv("OPENAI_API_BASE", server.base_url)
        assert main(words) == 0
        document = json.loads(capsys.readouterr().out)
    assert document["all"]["model_calls"] == len(server.requests) > 0
    assert document["all"]["tokens_in"] > 0


def test_verbose_names_what_went_wrong() -> None:
    """Each claim that was missed is told with its home."""
    card = evaluate(read_cases(["wrong"], limit=1), lambda _: None)
    text = "\n".join(str(line) for line in card_lines(card, verbose=True))
    assert card.homes[0].missed[0] in text


def test_a_mistake_in_a_case_is_no_case() -> None:
    """A kind that is none, and a line that is no turn, are told."""
    head = "language: en\nabout: x\nowner: Y\n"
    with pytest.raises(ValueError, match="no kind"):
        parse_case("x", f"kind: odd\n{head}")
    with pytest.raises(ValueError, match="no turn"):
        parse_case("x", f"kind: right\n{head}[talk a 2026-01-01]\nhuh\n")


@given(st.lists(st.builds(Tally, *[st.integers(0, 9)] * 4), max_size=4))
def test_tallies_add_up(tallies: list[Tally]) -> None:
    """The sum of tallies counts what they count, and its score is a share."""
    total = sum(tallies, Tally())
    assert total.claims == sum(tally.claims for tally in tallies)
    assert total.score >= 0
