"""Sessions: every decision of a run, and none of its effects.

A driver asks `next` what to do, does it, and tells the session what came of it: `heard` and
`query_failed` for a question to the model, `did` and `tool_failed` for a call. The sync and the
async driver differ in nothing else.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from toolnexus.agent.arguments import parse_arguments
from toolnexus.agent.calls import CancelledRunError, TimedOutError
from toolnexus.agent.compactor import Ask, Compactor
from toolnexus.agent.conversation import sendable
from toolnexus.agent.repeats import Repeats
from toolnexus.agent.run import Outcome, Refusal, Run
from toolnexus.agent.tool import Tool, render_result
from toolnexus.errors import (
    BudgetSpent,
    DiskError,
    Malformed,
    ModelError,
    Refused,
    ToolnexusError,
    Unreachable,
    UsageError,
)
from toolnexus.models.completion import Completion, Usage
from toolnexus.models.estimate import estimate_messages, estimate_tools
from toolnexus.models.failures import ContextExceeded
from toolnexus.models.message import ToolCall, ToolMessage, UserMessage

if TYPE_CHECKING:
    from collections.abc import Mapping

    from toolnexus.agent.bounds import Bounds
    from toolnexus.agent.budget import Meter
    from toolnexus.agent.conversation import Conversation
    from toolnexus.agent.journal import Journal

SAVING_TOOL = "memory"
_SMALLEST_REPLY = 16  # tokens: with fewer left a reply is not worth asking for
_SMALL_REPLY = 4_096  # with fewer left the reply is bounded by what is left
_NUDGE = "Your reply was empty. Answer in words, or call a tool."
_CUT_CALL = (
    "not carried out: your reply was cut off by its length limit."
    " Send this call again, alone and shorter."
)
_NO_MORE_CALLS = "not carried out: the run ended here"


@dataclass(frozen=True, slots=True)
class Execute:
    """Call a tool; the arguments fit its schema."""

    call: ToolCall
    tool: Tool
    arguments: Mapping[str, Any]


Action = Ask | Execute


class Session:
    """One run in progress.

    Args:
        conversation: What was said so far, ending with what to answer.
        tools: The tools by name.
        bounds: How far it may go.
        meter: Counts what it spends.
        journal: Is told of every refusal and of the end.
    """

    def __init__(
        self,
        conversation: Conversation,
        tools: Mapping[str, Tool],
        bounds: Bounds,
        meter: Meter,
        journal: Journal,
    ) -> None:
        self._conversation = conversation
        self._tools = tools
        self._bounds = bounds
        self._meter = meter
        self._journal = journal
        self._compactor = Compactor(conversation, bounds.window_tokens, saves=SAVING_TOOL in tools)
        self._repeats = Repeats(bounds.same_call)
        self._pending: deque[ToolCall] = deque()
        self._refused: list[Refusal] = []
        self._usage = Usage()
        self._steps = 0
        self._executed = 0
        self._text = ""
        self._nudged = False
        self._counted_share = 1.0
        self._step_calls = self._step_refusals = self._idle_steps = 0
        self._end: tuple[Outcome, str] | None = None
        self._error: ToolnexusError | None = None

    def next(self) -> Action | None:
        """Return what to do next; None when the run has ended."""
        while self._end is None:
            if not self._pending:
                return self._next_question()
            call = self._pending.popleft()
            try:
                tool, arguments = self._checked(call)
            except UsageError as error:
                self._answer(call, _told(error), refused=True)
            else:
                return Execute(call, tool, arguments)
        return None

    def heard(self, ask: Ask, completion: Completion) -> None:
        """Take in the model's reply."""
        self._meter.add(completion.usage)
        self._usage += completion.usage
        self._learn_tokens(ask, completion.usage)
        if ask.purpose == "summarise":
            self._compactor.take_summary(completion.text)
            self._repeats.forget()
        elif ask.purpose == "save" and not completion.calls:
            self._compactor.end_saving()
        else:
            self._take_reply(completion)

    def query_failed(self, ask: Ask, error: Exception) -> None:
        """Take in that the model could not be asked.

        Raises:
            Exception: the error itself, when it is no matter of the model's.
        """
        match error:
            case ContextExceeded() if ask.purpose == "work" and self._compactor.require():
                return
            case TimedOutError():
                self.stop("budget", f"the budget is spent: {self._meter.spent() or 'time'}")
            case CancelledRunError():
                self.stop("cancelled", "cancelled")
            case BudgetSpent():
                self.stop("budget", str(error))
            case Unreachable() if self._meter.seconds_left() == 0.0:
                self.stop("budget", f"the budget is spent: {self._meter.spent()}")
            case ModelError():
                self._fail(error)
            case _:
                raise error

    def did(self, action: Execute, value: object) -> None:
        """Take in what a tool gave back."""
        try:
            said = render_result(value)
        except Exception as error:  # noqa: BLE001 - what a tool of the host's gives may be anything
            self.tool_failed(action, error)
            return
        self._executed += 1
        self._finish_call(action, said, refused=False)

    def tool_failed(self, action: Execute, error: Exception) -> None:
        """Take in that a tool did not do what it was asked."""
        name = action.tool.name
        match error:
            case CancelledRunError():
                self._answer(action.call, _NO_MORE_CALLS, refused=True)
                self.stop("cancelled", "cancelled")
            case DiskError():
                self._answer(action.call, _told(error), refused=True)
                self._fail(error)
            case BudgetSpent():
                self._answer(action.call, _told(error), refused=True)
                self.stop("budget", str(error))
            case TimedOutError():
                said = f"'{name}' did not return within {self.tool_seconds(action.tool):g} s"
                self._finish_call(action, f"{said} and was abandoned", refused=True)
            case ToolnexusError():
                self._finish_call(action, _told(error), refused=True)
            case _:
                said = render_result(f"'{name}' failed: {type(error).__name__}: {error}")
                self._finish_call(action, said, refused=True)

    def stop(self, outcome: Outcome, reason: str) -> None:
        """End the run; calls that still wait are answered as not carried out."""
        if self._end is not None:
            return
        self._end = (outcome, reason)
        while self._pending:
            self._answer(self._pending.popleft(), _NO_MORE_CALLS, refused=True)
        self._compactor.end_saving()

    def result(self) -> Run:
        """Return what became of it, once `next` has nothing more to do."""
        outcome, reason = self._end or ("cancelled", "given up by its driver")
        run = Run(
            outcome=outcome,
            text=self._text,
            messages=self._conversation.messages,
            usage=self._usage,
            refused=tuple(self._refused),
            steps=self._steps,
            reason=reason,
            error=self._error,
        )
        self._journal.note_end(run)
        return run

    def tool_seconds(self, tool: Tool) -> float:
        """Return how long a tool may take now."""
        own = self._bounds.tool_seconds if tool.timeout_seconds is None else tool.timeout_seconds
        left = self._meter.seconds_left()
        return own if left is None else min(own, left)

    def _next_question(self) -> Ask | None:
        """Ask what comes next, if the bounds and the budget allow one more question."""
        self._close_step()
        if self._end is not None:
            return None
        ask = self._compactor.next()
        estimate = self._conversation.tokens if ask is None else _tokens_of(ask)
        tokens = int(estimate * self._counted_share)
        spent = self._meter.spent(tokens + _SMALLEST_REPLY)
        if spent:
            self.stop("budget", f"the budget is spent: {spent}")
            return None
        if ask is None:
            if self._steps >= self._bounds.steps:
                self.stop("steps", f"no answer within {self._bounds.steps} steps")
                return None
            self._steps += 1
            ask = Ask(self._conversation.request())
        return self._within_budget(ask, tokens)

    def _within_budget(self, ask: Ask, tokens: int) -> Ask:
        """Bound the reply by what is left of the budget."""
        left = self._meter.tokens_left()
        room = None if left is None else left - tokens
        request = replace(
            ask.request,
            max_tokens_out=None if room is None or room >= _SMALL_REPLY else room,
            timeout_seconds=self._meter.seconds_left(),
        )
        return replace(ask, request=request)

    def _learn_tokens(self, ask: Ask, usage: Usage) -> None:
        """Learn how many tokens the model counts for one that is estimated here."""
        estimate = _tokens_of(ask)
        if estimate:
            self._counted_share = max(1.0, usage.tokens_in / estimate)

    def _take_reply(self, completion: Completion) -> None:
        calls = self._conversation.take(completion)
        self._step_calls = len(calls)
        if not self._compactor.is_saving:
            self._text = completion.text or self._text
            if calls or completion.text.strip():
                self._journal.note_turn(self._conversation.last, completion.finish)
        if completion.finish == "length":
            self._take_cut(calls)
        elif calls:
            self._pending.extend(calls)
        elif completion.text.strip():
            self.stop("done", "")
        elif completion.finish == "content_filter":
            self._fail(Refused("the model's reply was withheld by its provider's content policy"))
        else:
            self._take_empty()

    def _take_cut(self, calls: tuple[ToolCall, ...]) -> None:
        """Carry nothing out of a reply that was cut: half an argument can look whole."""
        for call in calls:
            self._answer(call, _CUT_CALL, refused=True)
        if not calls:
            self._refuse("", "the reply was cut off by its length limit")
            spent = self._meter.spent(_SMALL_REPLY)
            self.stop("budget" if spent else "cut", spent or "the reply was cut off by its length")

    def _take_empty(self) -> None:
        """Ask once more; a model that is silent again after having worked is done."""
        self._conversation.cut_back(len(self._conversation.messages) - 1)
        self._refuse("", "the reply was empty")
        if not self._nudged:
            self._nudged = True
            self._conversation.say(UserMessage(_NUDGE))
        elif self._executed:
            self.stop("done", "")
        else:
            self._fail(Malformed("the model replied with nothing", hint="try another model"))

    def _checked(self, call: ToolCall) -> tuple[Tool, dict[str, Any]]:
        """Find a call's tool and read its arguments.

        Raises:
            UsageError: when it cannot be carried out; the model is told.
        """
        tool = self._tools.get(call.name)
        if tool is None:
            names = ", ".join(self._tools) or "none"
            raise UsageError(f"there is no tool '{call.name}' (there is: {names})")
        arguments = parse_arguments(call.arguments_text, tool.spec.parameters)
        if self._repeats.is_too_many(call.name, arguments):
            raise UsageError(
                "you have made this very call before, with the same result",
                hint="do something else, or answer in words",
            )
        return tool, arguments

    def _finish_call(self, action: Execute, text: str, *, refused: bool) -> None:
        self._repeats.note(action.tool.name, action.arguments, text)
        self._answer(action.call, text, refused=refused)

    def _answer(self, call: ToolCall, text: str, *, refused: bool) -> None:
        text = _fitted(text, self._bounds.result_chars)
        if refused:
            self._step_refusals += 1
            self._refuse(call.name, text)
            text = f"Error: {text}"
        result = ToolMessage(call.id, sendable(call.name) or "unknown", text)
        self._conversation.say(result)
        if not self._compactor.is_saving:
            self._journal.note_turn(result)

    def _refuse(self, tool: str, reason: str) -> None:
        refusal = Refusal(tool, reason)
        self._refused.append(refusal)
        self._journal.note_refusal(refusal)

    def _close_step(self) -> None:
        """Tell whether the step that ends here got anything done."""
        if self._step_calls:
            idle = self._step_refusals >= self._step_calls and not self._compactor.is_saving
            self._idle_steps = self._idle_steps + 1 if idle else 0
            self._step_calls = self._step_refusals = 0
        if self._idle_steps >= self._bounds.idle_steps:
            self.stop("stuck", "call after call was refused")

    def _fail(self, error: ToolnexusError) -> None:
        self._error = error
        self.stop("failed", str(error))


def _tokens_of(ask: Ask) -> int:
    return estimate_messages(ask.request.messages) + estimate_tools(ask.request.tools)


def _told(error: ToolnexusError) -> str:
    said = f"{error} ({error.hint})" if error.hint else str(error)
    return render_result(said)


def _fitted(text: str, cap: int) -> str:
    """Cut a result that is too long, and say so."""
    if len(text) <= cap:
        return text
    notice = f"\n[cut: the first {cap:,} of {len(text):,} characters; ask for less at a time]"
    return text[:cap] + notice
