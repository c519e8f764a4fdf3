"""``completion``: scripts for shells, made from the parsers themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolnexus.cli.commands import SUMMARIES, Call, Command, load_command

if TYPE_CHECKING:
    from argparse import Action, ArgumentParser
    from collections.abc import Callable, Iterator


def _arguments(parser: ArgumentParser) -> None:
    parser.add_argument("shell", choices=sorted(_SCRIPTS), help="the shell that you use")


def _completion(call: Call) -> int:
    script = _SCRIPTS[call.arguments.shell]()
    if call.console.as_json:
        fields = {"shell": call.arguments.shell, "script": script}
        call.console.document("completion", fields)
    else:
        print(script, end="")
    return 0


def _options(name: str) -> Iterator[Action]:
    """Give a command's options."""
    from toolnexus.cli.parser import command_parser

    parser = command_parser(load_command(name))
    return (action for action in parser._actions if action.option_strings)  # noqa: SLF001 -- argparse tells it nowhere else


def _first_words() -> list[str]:
    return list(dict.fromkeys(name.split()[0] for name in SUMMARIES))


def _names(first: str) -> list[str]:
    return [name for name in SUMMARIES if name.split()[0] == first]


def _following(first: str) -> list[str]:
    """Give the words, other than options, that can follow a command's first word."""
    verbs = [name.partition(" ")[2] for name in _names(first)]
    return sorted(_SCRIPTS) if first == "completion" else [verb for verb in verbs if verb]


def _words_after(first: str) -> list[str]:
    """Give all that can follow a command's first word: words, options and their choices."""
    words = _following(first)
    for name in _names(first):
        for action in _options(name):
            words += [*action.option_strings, *(action.choices or ())]
    return list(dict.fromkeys(words))


def _bash() -> str:
    cases = "\n".join(
        f"    {first}) words='{' '.join(_words_after(first))}' ;;" for first in _first_words()
    )
    return f"""\
# bash completion for toolnexus: eval "$(toolnexus completion bash)"
_toolnexus() {{
  local word="${{COMP_WORDS[COMP_CWORD]}}" words=''
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W '{" ".join(_first_words())} --version --help' -- "$word"))
    return
  fi
  case "${{COMP_WORDS[1]}}" in
{cases}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$word") $(compgen -d -- "$word"))
}}
complete -o filenames -F _toolnexus toolnexus
"""


def _zsh() -> str:
    described = "\n".join(f"    {_quoted(f'{word}:{_summary(word)}')}" for word in _first_words())
    cases = "\n".join(
        f"    {first}) compadd -- {' '.join(_words_after(first))} ;;" for first in _first_words()
    )
    return f"""\
#compdef toolnexus
# zsh completion for toolnexus: source <(toolnexus completion zsh)
_toolnexus() {{
  local -a commands
  commands=(
{described}
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  case "$words[2]" in
{cases}
  esac
  _directories
}}
compdef _toolnexus toolnexus
"""


def _fish() -> str:
    lines = ["# fish completion for toolnexus: toolnexus completion fish | source"]
    lines.append("complete -c toolnexus -n __fish_use_subcommand -l version -d 'print the version'")
    for first in _first_words():
        about = _quoted(_summary(first))
        lines.append(f"complete -c toolnexus -n __fish_use_subcommand -f -a {first} -d {about}")
        seen = f"complete -c toolnexus -n '__fish_seen_subcommand_from {first}'"
        lines += [f"{seen} -a {word}" for word in _following(first)]
        lines += [f"{seen} {option}" for option in _fish_options(first)]
    return "\n".join(lines) + "\n"


def _fish_options(first: str) -> list[str]:
    """Describe a command's options, each once, with what may follow it."""
    described: dict[str, str] = {}
    for name in _names(first):
        for action in _options(name):
            flags = " ".join(
                f"-l {flag[2:]}" if flag.startswith("--") else f"-s {flag[1:]}"
                for flag in action.option_strings
            )
            value = " -r" if action.nargs != 0 else ""
            if action.choices:
                value = f" -x -a {_quoted(' '.join(action.choices))}"
            described[flags] = f"{flags}{value} -d {_quoted(action.help or '')}"
    return list(described.values())


def _summary(first: str) -> str:
    from toolnexus.cli.commands import GROUPS

    return GROUPS.get(first) or SUMMARIES[first]


def _quoted(text: str) -> str:
    escaped = text.replace("'", "'\\''")
    return f"'{escaped}'"


_SCRIPTS: dict[str, Callable[[], str]] = {"bash": _bash, "fish": _fish, "zsh": _zsh}

COMMANDS = (Command("completion", "toolnexus completion bash", _arguments, _completion),)
