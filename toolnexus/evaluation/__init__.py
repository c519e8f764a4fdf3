"""A scorecard of a model as a dreamer, on small homes that ship with the package.

Each home (`homes/*.txt`, read by `case`) says what a perfect pass would make of it. A pass is made
over it in a temporary folder (`run`) and judged by what the home is afterwards (`score`); the
tallies add up to a card (`card`).
"""

from toolnexus.evaluation.card import Scorecard, Tally
from toolnexus.evaluation.case import KINDS, Case, read_cases
from toolnexus.evaluation.run import evaluate

__all__ = ["KINDS", "Case", "Scorecard", "Tally", "evaluate", "read_cases"]
