"""References to the environment, ``${NAME}``: how a value gets in that no file may hold."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

# Patterns stay text until they are used: most homes have none to read.
_REFERENCE = r"\$\{([A-Za-z_][A-Za-z0-9_]*)\}"


class MissingVariableError(LookupError):
    """A reference leads to a variable that is not set.

    Args:
        name: The variable.
    """

    def __init__(self, name: str) -> None:
        super().__init__(f"${name} is not set in the environment")
        self.name = name


def referenced(text: str) -> tuple[str, ...]:
    """Return the variables that a text refers to.

    Example:
        >>> referenced("Bearer ${API_TOKEN}")
        ('API_TOKEN',)
    """
    return tuple(re.findall(_REFERENCE, text))


def has_bad_reference(text: str) -> bool:
    """Whether a text opens a reference that cannot be read.

    Example:
        >>> has_bad_reference("${API_TOKEN"), has_bad_reference("costs $5")
        (True, False)
    """
    return "${" in re.sub(_REFERENCE, "", text)


def expand(text: str, environ: Mapping[str, str]) -> str:
    """Put the variables' values in place of a text's references.

    Raises:
        MissingVariableError: when one is not set.

    Example:
        >>> expand("Bearer ${API_TOKEN}", {"API_TOKEN": "t0p"})
        'Bearer t0p'
    """

    def value(match: re.Match[str]) -> str:
        name = match[1]
        if name not in environ:
            raise MissingVariableError(name)
        return environ[name]

    return re.sub(_REFERENCE, value, text)
