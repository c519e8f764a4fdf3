"""The guard between a model and memory: pure rules that every change of a claim has to pass.

`judge` answers a `Request` by the `Facts`: accept, refuse or review. The rules are small functions
in one ordered list (`rules`); what they look at is prepared once (`case`). `judge_move` answers for
claims and links that a model moves, whose words stay.
"""

from toolnexus.dream.guard.judge import judge
from toolnexus.dream.guard.moving import judge_move
from toolnexus.dream.guard.request import Facts, Request, TurnSource
from toolnexus.dream.guard.verdict import Verdict

__all__ = ["Facts", "Request", "TurnSource", "Verdict", "judge", "judge_move"]
