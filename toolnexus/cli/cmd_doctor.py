"""``doctor``: what keeps a home from working, each with its fix."""

from __future__ import annotations

from toolnexus.cli.arguments import add_home
from toolnexus.cli.commands import Call, Command
from toolnexus.cli.console import Styled
from toolnexus.cli.homes import open_home

FOUND = 1


def _doctor(call: Call) -> int:
    diagnoses = open_home(call, call.arguments.home).doctor()
    healthy = all(diagnosis.ok for diagnosis in diagnoses)
    code = 0 if healthy else FOUND
    if call.console.as_json:
        call.console.document("doctor", {"ok": healthy, "checks": diagnoses})
        return code
    for diagnosis in diagnoses:
        mark = Styled("ok ", "green") if diagnosis.ok else Styled("bad", "red")
        call.console.result(mark, f" {diagnosis.name}: {diagnosis.message}")
        if diagnosis.fix:
            call.console.result(f"      fix: {diagnosis.fix}")
    return code


COMMANDS = (Command("doctor", "toolnexus doctor ava", add_home, _doctor),)
