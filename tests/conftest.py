"""Hypothesis: HYPOTHESIS_PROFILE=thorough draws twenty times as much.

There is no deadline: the first run compiles a kernel, and machines differ.
"""

from __future__ import annotations

import os

from hypothesis import settings

settings.register_profile("default", settings.default, deadline=None)
settings.register_profile("thorough", settings.default, deadline=None, max_examples=2000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))
