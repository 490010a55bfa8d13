"""Anthropic: a client that sends shorter lists, and counts the tokens of these.

    client = wrap(Anthropic(), budget=8000)

A copy of the client fits what it posts to Messages, `beta` and `count_tokens` too. Receipts go to
the SDK's own logs too, as ``anthropic.lre`` (``ANTHROPIC_LOG=info`` shows them). What continues a
`thread` that the API keeps is left alone: give tool runners ``thread=False``.
"""

from __future__ import annotations

from typing import Any, TypeVar

from lre.errors import MissingExtraError
from lre.integrations.bodies import Bodies
from lre.integrations.clients import fitting_client

try:
    from anthropic import (
        Anthropic,
        AnthropicBedrock,
        AnthropicVertex,
        AsyncAnthropic,
        AsyncAnthropicBedrock,
        AsyncAnthropicVertex,
    )
except ImportError as error:
    raise MissingExtraError("anthropic", "anthropic") from error

__all__ = ["wrap"]

Client = TypeVar(
    "Client",
    bound="Anthropic | AnthropicBedrock | AnthropicVertex"
    " | AsyncAnthropic | AsyncAnthropicBedrock | AsyncAnthropicVertex",
)

_PATHS = {"/v1/messages": "anthropic", "/v1/messages/count_tokens": "anthropic"}


def wrap(client: Client, budget: float | str | None = None, **settings: Any) -> Client:
    """Copy a client; whatever the copy sends fits the budget.

    Parameters
    ----------
    client : Anthropic or AsyncAnthropic
        Or one for Bedrock, Vertex or Foundry. It stays as it is, and shares its connections.
    budget, **settings
        As in `Fitter`.

    Raises
    ------
    LreError
        If a setting cannot be used.
    """
    bodies = Bodies("anthropic", ["anthropic"], budget=budget, **settings)
    return fitting_client(client, bodies, _PATHS, "anthropic.lre")
