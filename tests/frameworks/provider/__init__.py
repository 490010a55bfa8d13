"""Scripted models behind the providers' own wire formats, on loopback.

Nothing here uses `lre`: what a provider rejects is written down a second time, entry by entry, so
that the tests of the integrations do not ask the code under test whether it is right.
"""

from provider.server import Provider, serving
from provider.story import Call, Reply, Seen, record, story

__all__ = ["Call", "Provider", "Reply", "Seen", "record", "serving", "story"]
