"""Thinkers: which model a home works with, made when it is first needed."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from toolnexus.errors import ConfigError
from toolnexus.settings import resolve_model

if TYPE_CHECKING:
    from collections.abc import Callable

    from toolnexus.app.host import ModelLike
    from toolnexus.app.parts import Parts
    from toolnexus.models.model import Model

NO_MODEL_HINT = "name one: 'model:' in persona.yaml, $TOOLNEXUS_MODEL or --model"


def thinker_of(home: Parts, given: ModelLike | None = None) -> Callable[[], Model] | None:
    """Return what makes the model that a home works with: the call's, the host's, the home's.

    Args:
        home: The home.
        given: What the call names; None leaves it to the host, the settings, the environment.

    Returns:
        A function that makes it; None to work offline.

    Raises:
        ConfigError: when the settings are wrong.
    """
    model = home.host.model if given is None else given
    if model is None or isinstance(model, str):
        name = resolve_model(home.settings, os.environ, model)
        return None if name is None else lambda: load_model(name)
    return lambda: model


def require_thinker(home: Parts, given: ModelLike | None = None) -> Model:
    """Return the model that a home works with.

    Raises:
        ConfigError: when there is none, or the settings are wrong.
    """
    make = thinker_of(home, given)
    if make is None:
        raise ConfigError("there is no model to ask", path=str(home.root), hint=NO_MODEL_HINT)
    return make()


def load_model(name: str) -> Model:
    """Return a litellm model; nothing is loaded before it is asked."""
    from toolnexus.models.litellm_model import LiteLlmModel

    return LiteLlmModel(name)
