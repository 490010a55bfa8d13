"""OpenAI: a client that sends shorter lists, to Chat Completions and to Responses.

    client = wrap(OpenAI(), budget=8000)

The SDK has no hook: a copy of the client fits what it posts. Receipts go to the SDK's own logs
too, as ``openai.lre`` (``OPENAI_LOG=info`` shows them). Text as input is left alone, and so is
what continues a conversation that the API keeps (`previous_response_id`, `conversation`).
"""

from __future__ import annotations

from typing import Any, TypeVar

from lre.errors import MissingExtraError
from lre.integrations.bodies import Bodies
from lre.integrations.clients import fitting_client

try:
    from openai import AsyncOpenAI, OpenAI
except ImportError as error:
    raise MissingExtraError("openai", "openai") from error

__all__ = ["wrap"]

Client = TypeVar("Client", bound="OpenAI | AsyncOpenAI")

_PATHS = {
    "/chat/completions": "openai-chat",
    "/responses": "openai-responses",
    "/responses/input_tokens": "openai-responses",
}


def wrap(client: Client, budget: float | str | None = None, **settings: Any) -> Client:
    """Copy a client; whatever the copy sends fits the budget.

    Parameters
    ----------
    client : OpenAI or AsyncOpenAI
        One of their subclasses too. It stays as it is, and shares its connections.
    budget, **settings
        As in `Fitter`.

    Raises
    ------
    LreError
        If a setting cannot be used.
    """
    bodies = Bodies("openai", set(_PATHS.values()), budget=budget, **settings)
    return fitting_client(client, bodies, _PATHS, "openai.lre")
