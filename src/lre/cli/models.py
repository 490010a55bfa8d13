"""Whose model a policy runs, by the policy's name: for telling it before it takes its time."""

from __future__ import annotations

from contextlib import suppress

from lre.errors import LreError
from lre.policies import Originated, Policy

__all__ = ["model_of", "running"]


def running(name: str, made: Policy) -> str | None:
    """Say which model a policy runs, called so by its user; None where there is none.

    >>> from lre.policies import policy
    >>> running("dense@minilm.onnx", policy("dense@minilm.onnx"))
    'dense runs an encoder: minilm.onnx'
    >>> running("lre", policy("lre"))
    """
    if not isinstance(made, Originated) or made.origin.cost == "none":
        return None
    kind = {"encoder": "an encoder", "language model": "a language model"}[made.origin.cost]
    with suppress(LreError):  # that there is none is told when it decides
        model = model_of(name)
        return f"{made.name} runs {kind}" + f": {model}" * bool(model)
    return None


def model_of(name: str) -> str:
    """Give what stands behind the ``@``, or else the default; "" where that is not known.

    Raises
    ------
    SettingError
        If there is neither.
    """
    short, _, given = name.partition("@")
    if short == "acon":
        from lre.policies.acon import Acon

        endpoint = Acon(given or None).endpoint
        return f"{endpoint.model} @ {endpoint.place}"
    return given or _default(short) or ""


def _default(short: str) -> str | None:
    if short == "dense":
        from lre.neural.encoder import default

        return default()
    if short in ("self-information", "selective-context"):
        from lre.neural.causal import carried

        return carried()
    from lre.neural.pruner import WEIGHTS

    return WEIGHTS if short in ("llmlingua-2", "token-pruning") else None
