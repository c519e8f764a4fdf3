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


def _words_after(first: str) -> list[str]:
    """Give what can follow a command's first word: sub-commands, options and their choices."""
    words: list[str] = []
    for name in SUMMARIES:
        noun, _, verb = name.partition(" ")
        if noun != first:
            continue
        words += [verb] if verb else []
        for action in _options(name):
            words += [flag for flag in action.option_strings if flag not in words]
            words += [choice for choice in action.choices or () if choice not in words]
    return [*words, *sorted(_SCRIPTS)] if first == "completion" else words


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
        seen = f"-n '__fish_seen_subcommand_from {first}'"
        lines += [
            f"complete -c toolnexus {seen} -a {word}"
            for word in _words_after(first)
            if not word.startswith("-")
        ]
        for flag, about in _flags_of(first).items():
            kind = f"-l {flag[2:]}" if flag.startswith("--") else f"-s {flag[1:]}"
            lines.append(f"complete -c toolnexus {seen} {kind} -d {_quoted(about)}")
    return "\n".join(lines) + "\n"


def _flags_of(first: str) -> dict[str, str]:
    names = [name for name in SUMMARIES if name.split()[0] == first]
    return {
        flag: action.help or ""
        for name in names
        for action in _options(name)
        for flag in action.option_strings
    }


def _summary(first: str) -> str:
    from toolnexus.cli.commands import GROUPS

    return GROUPS.get(first) or SUMMARIES[first]


def _quoted(text: str) -> str:
    escaped = text.replace("'", "'\\''")
    return f"'{escaped}'"


_SCRIPTS: dict[str, Callable[[], str]] = {"bash": _bash, "fish": _fish, "zsh": _zsh}

COMMANDS = (Command("completion", "toolnexus completion bash", _arguments, _completion),)
