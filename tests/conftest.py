"""Hypothesis sets no deadline: the first run compiles a kernel, and machines differ."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("lre", settings.default, deadline=None)
settings.load_profile("lre")
