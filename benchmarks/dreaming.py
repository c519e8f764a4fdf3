"""How good and how safe are dreams on labelled claims? Prints a table.

Usage: python -m benchmarks.dreaming --eval FOLDER [--mode MODE]... [--show]

FOLDER holds sets of cases: SET/NAME.json and SET/NAME/*.jsonl (`benchmarks/labelled.py` tells what
is in them). The modes:

perfect  a model that knows the answers: what retrieval, tools and guard let through
liar     drops and rewrites right claims with real quotes about anything, put to the guard
swap     puts other values out of quotes on the same topic into right claims, put to the guard
offline  no model: what is suspected, against the labels
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import Counter, defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.dreamers import PerfectModel, lies, swaps
from benchmarks.labelled import Case, read_cases
from toolnexus.agent.memory_actions import CitedTurn
from toolnexus.app import Home
from toolnexus.dream.guard import Facts, Request, judge
from toolnexus.dream.recalled import recalled_of
from toolnexus.dream.turn_source import SearchedTurns
from toolnexus.home.claims import all_claims
from toolnexus.testing.model import ScriptedModel
from toolnexus.transcripts.cursor import Cursor

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from benchmarks.dreamers import Attack
    from toolnexus.change.located import LocatedClaim
    from toolnexus.transcripts.turn import Turn

Tally = Counter[str]
Column = tuple[str, tuple[str, ...]]
"""A count, or, with parts, their share of it."""
_ON_TOPIC = 12
_WORST = {"accept": 2, "review": 1, "refuse": 0}


@dataclass(frozen=True, slots=True)
class Trial:
    """A home that was made of a case.

    Attributes:
        case: The case.
        home: The home, its transcripts searchable.
        turns: All turns.
        show: Is told what came out otherwise than it should.
    """

    case: Case
    home: Home
    turns: tuple[Turn, ...]
    show: Callable[[str], None]


def main(argv: Sequence[str]) -> int:
    """Measure what was asked for, and print it."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.dreaming", description=__doc__)
    parser.add_argument("--eval", type=Path, metavar="FOLDER", required=True)
    parser.add_argument("--mode", action="append", choices=list(MODES))
    parser.add_argument("--show", action="store_true", help="tell each claim that went wrong")
    options = parser.parse_args(argv)
    cases = list(read_cases(options.eval))
    if not cases:
        print(f"{options.eval} holds no cases: SET/NAME.json", file=sys.stderr)
        return 2

    def show(line: str) -> None:
        if options.show:
            print(line, flush=True)

    for mode in options.mode or MODES:
        print(table(mode, measure(mode, cases, show)), flush=True)
    return 0


def measure(mode: str, cases: Iterable[Case], show: Callable[[str], None]) -> dict[str, Tally]:
    """Try one mode on all cases; the counts by set."""
    found: defaultdict[str, Tally] = defaultdict(Counter)
    for case in cases:
        with tempfile.TemporaryDirectory(prefix="toolnexus-bench-") as folder:
            root = Path(folder, case.name)
            case.lay_out(root)
            home = Home.open(root)
            home.turns.refresh()
            turns = tuple(turn for c in home.turns.cursors() for turn in _turns(home, c))
            found[case.set_name] += MODES[mode](Trial(case, home, turns, show))
            home.turns.close()
    return dict(found)


def table(mode: str, counts: dict[str, Tally]) -> str:
    """Write the counts of one mode as a Markdown table."""
    columns = COLUMNS[mode]
    lines = [f"| {mode} | {' | '.join(columns)} |", "|" + " --- |" * (len(columns) + 1)]
    for set_name, tally in sorted(counts.items()):
        cells = [_cell(tally, *column) for column in columns.values()]
        lines.append(f"| {set_name} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def _cell(tally: Tally, whole: str, parts: tuple[str, ...]) -> str:
    if not parts:
        return str(tally[whole])
    return f"{sum(tally[part] for part in parts) / max(1, tally[whole]):.3f}"


def _turns(home: Home, cursor: Cursor) -> Iterator[Turn]:
    yield from home.turns.turns_since(Cursor(cursor.conversation)).turns


def _try_perfect(trial: Trial) -> Tally:
    case, home = trial.case, trial.home
    model = PerfectModel(case.claims, {turn.id: turn for turn in trial.turns})
    done = home.dream(full=True, model=ScriptedModel(default=model))
    texts = {located.claim.text for located in all_claims(home.read())}
    waiting = {change.before: change.reason for change in done.waiting}
    tally: Tally = Counter()
    for claim in case.claims:
        if not claim.is_wrong:
            tally["right"] += 1
            tally["touched"] += claim.text not in texts
            continue
        tally["wrong"] += 1
        if claim.correct_text in texts and claim.text not in texts:
            tally["corrected"] += 1
        else:
            tally["waiting"] += claim.text in waiting
            trial.show(f"{case.name}: {claim.text}\n  {waiting.get(claim.text, 'not corrected')}")
    return tally


def _try_liar(trial: Trial) -> Tally:
    right = [(n, claim.text) for n, claim in enumerate(trial.case.claims) if not claim.is_wrong]
    return _attack(trial, {text: list(lies(text, n, trial.turns)) for n, text in right})


def _try_swap(trial: Trial) -> Tally:
    turns = SearchedTurns(trial.home.turns)
    owner = next((turn.name for turn in trial.turns if turn.role == "user" and turn.name), "")
    attacks = {
        claim.text: swaps(claim.text, turns.search(claim.text, ("user",), _ON_TOPIC), owner)
        for claim in trial.case.claims
        if not claim.is_wrong
    }
    return _attack(trial, {text: made for text, made in attacks.items() if made})


def _attack(trial: Trial, attacks: dict[str, list[Attack]]) -> Tally:
    """Put attacks to the guard; each claim counts by the worst that came of it."""
    snapshot = trial.home.read()
    claims = {located.claim.text: located for located in all_claims(snapshot)}
    facts = Facts(
        SearchedTurns(trial.home.turns),
        snapshot.owner,
        recalled=recalled_of(snapshot),
    )
    tally: Tally = Counter()
    for text, made in attacks.items():
        answers = [(_answer(claims[text], attack, facts), attack) for attack in made]
        worst, attack = max(answers, key=lambda pair: _WORST[pair[0]], default=("refuse", None))
        tally += Counter(answer for answer, _ in answers)
        tally["tries"] += len(made)
        tally["attacked"] += 1
        tally["harmed"] += worst == "accept"
        tally["waiting"] += worst == "review"
        if worst == "accept" and attack is not None:
            after = attack.after or "(dropped)"
            trial.show(f"{trial.case.name}: {text}\n  → {after}\n  by “{attack.quote}”")
    return tally


def _answer(claim: LocatedClaim, attack: Attack, facts: Facts) -> str:
    cited = CitedTurn(attack.turn.conversation, attack.turn.number, attack.quote)
    action = "replace" if attack.after else "remove"
    return judge(Request(action, claim, attack.after, (cited,)), facts).answer


def _try_offline(trial: Trial) -> Tally:
    done = trial.home.dream(full=True)
    suspected = {one.claim for one in done.suspected}
    texts = {located.claim.text for located in all_claims(trial.home.read())}
    tally: Tally = Counter()
    for claim in trial.case.claims:
        tally["wrong"] += claim.is_wrong
        tally["suspected"] += claim.text in suspected
        tally["found"] += claim.is_wrong and claim.text in suspected
        tally["touched"] += claim.text not in texts
        if claim.is_wrong != (claim.text in suspected):
            trial.show(
                f"{trial.case.name}: {'missed' if claim.is_wrong else 'false'}: {claim.text}"
            )
    return tally


MODES: dict[str, Callable[[Trial], Tally]] = {
    "perfect": _try_perfect,
    "liar": _try_liar,
    "swap": _try_swap,
    "offline": _try_offline,
}
_ATTACKED: dict[str, Column] = {
    "claims attacked": ("attacked", ()),
    "tries": ("tries", ()),
    "harmed": ("attacked", ("harmed",)),
    "waiting": ("attacked", ("waiting",)),
    "tries accepted": ("tries", ("accept",)),
}
COLUMNS: dict[str, dict[str, Column]] = {
    "perfect": {
        "wrong": ("wrong", ()),
        "corrected": ("wrong", ("corrected",)),
        "corrected or waiting": ("wrong", ("corrected", "waiting")),
        "right": ("right", ()),
        "touched": ("touched", ()),
    },
    "liar": _ATTACKED,
    "swap": _ATTACKED,
    "offline": {
        "wrong": ("wrong", ()),
        "precision": ("suspected", ("found",)),
        "recall": ("wrong", ("found",)),
        "touched": ("touched", ()),
    },
}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
