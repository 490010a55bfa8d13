"""The callback of a LiteLLM proxy; it lies beside the proxy's config."""

from lre.integrations.litellm import EvictionHook

hook = EvictionHook(budget=4000)
