"""LiteLLM: a callback that shortens requests, in the proxy, in a router and in the SDK.

    litellm.callbacks = [EvictionHook(budget=8000)]

The hooks are `async_pre_call_hook` (proxy) and `async_pre_call_deployment_hook` (`acompletion`,
`aresponses`, `anthropic.messages`, routers). LiteLLM calls no hook for `litellm.completion`: give
it ``messages=hook.fit(messages)``. Receipts stand as ``lre`` in the metadata that LiteLLM hands
to its callbacks and logs; they never go to the provider.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

from lre.errors import MissingExtraError
from lre.integrations.bodies import Bodies
from lre.telemetry import facts

try:
    from litellm.integrations.custom_logger import CustomLogger
except ImportError as error:
    raise MissingExtraError("LiteLLM", "litellm") from error

__all__ = ["EvictionHook"]

_DIALECTS = {
    "completion": "openai-chat",
    "acompletion": "openai-chat",
    "responses": "openai-responses",
    "aresponses": "openai-responses",
    "anthropic_messages": "anthropic",
}
_OWN, _SHARED = "litellm_metadata", "metadata"  # providers may be sent the shared one


class EvictionHook(CustomLogger):  # type: ignore[misc]
    """Fits every request into a budget; settings as in `Fitter`.

    Parameters
    ----------
    budget, **settings
        As in `Fitter`.

    Raises
    ------
    LreError
        If a setting cannot be used.
    """

    def __init__(self, budget: float | str | None = None, **settings: Any) -> None:
        super().__init__()
        dialects = set(_DIALECTS.values())
        self._bodies = Bodies("litellm", dialects, budget=budget, **settings)

    def fit(self, messages: Sequence[Any], tools: object = None) -> list[Any]:
        """Give what to send, for calls that LiteLLM has no hook for: sync `completion`."""
        body, _ = self._bodies.fit("openai-chat", {"messages": messages, "tools": tools})
        return [*body["messages"]]

    async def async_pre_call_hook(
        self,
        user_api_key_dict: Any,  # noqa: ARG002
        cache: Any,  # noqa: ARG002
        data: dict[str, Any],
        call_type: Any,
    ) -> dict[str, Any]:
        """Shorten a request to the proxy, before a deployment is chosen."""
        place = _OWN if _OWN in data else _SHARED  # as the proxy itself chooses
        return await asyncio.to_thread(self._fitted, data, call_type, place)

    async def async_pre_call_deployment_hook(
        self, kwargs: dict[str, Any], call_type: Any
    ) -> dict[str, Any]:
        """Shorten a request that did not come through the proxy, before each attempt."""
        return await asyncio.to_thread(self._fitted, kwargs, call_type, _OWN)

    def _fitted(self, body: dict[str, Any], call_type: Any, place: str) -> dict[str, Any]:
        dialect = _DIALECTS.get(getattr(call_type, "value", call_type))
        if dialect is None or any("lre" in _mapping(body.get(key)) for key in (_OWN, _SHARED)):
            return body  # other calls, and lists that are short already
        fitted, receipt = self._bodies.fit(dialect, body)
        if receipt is None:
            return body
        return {**fitted, place: {**_mapping(body.get(place)), "lre": facts(receipt)}}


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}
