"""Request bodies: for clients of the providers' own APIs, and for gateways to them.

The APIs have other names for the list and for what is said beside it; the rest is the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from lre.integrations.base import Fitter
from lre.integrations.marks import Unmarked
from lre.receipt import Receipt

__all__ = ["Bodies"]

# dialect → where the list stands in a body, and where the system prompt does
_KEYS = {
    "openai-chat": ("messages", None),
    "openai-responses": ("input", "instructions"),
    "anthropic": ("messages", "system"),
}
# The API has the earlier messages: those that are sent continue a list that nobody sees here.
_KEPT = ("previous_response_id", "conversation", "thread")


class Bodies:
    """Fits the message lists within request bodies; settings as in `Fitter`.

    >>> bodies = Bodies("mine", ["openai-chat"], budget=8000)
    >>> body = {"model": "small", "messages": [{"role": "user", "content": "Hi"}]}
    >>> fitted, receipt = bodies.fit("openai-chat", body)
    >>> fitted is body, receipt.before
    (True, 9)
    """

    def __init__(self, name: str, dialects: Iterable[str], **settings: Any) -> None:
        self._fitters = {d: Fitter[Any](name, Unmarked(d), **settings) for d in dialects}

    def fit(self, dialect: str, body: Any) -> tuple[Any, Receipt | None]:
        """Give the body itself, or a copy with a shorter list; without a list, no receipt."""
        key, beside = _KEYS[dialect]
        if not isinstance(body, Mapping) or not isinstance(body.get(key), list | tuple):
            return body, None
        if any(_given(body.get(kept)) for kept in _KEPT):
            return body, None
        system, tools = (_given(body.get(name)) for name in (beside, "tools"))
        fitted = self._fitters[dialect](body[key], system=system, tools=tools)
        if fitted.is_changed:
            return {**body, key: [*fitted.messages]}, fitted.receipt
        return body, fitted.receipt


def _given(value: object) -> object:
    """Tell what was given from the marks that SDKs put in the place of what was not."""
    return value if isinstance(value, str | list | tuple | Mapping) else None
