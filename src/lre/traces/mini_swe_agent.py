"""mini-swe-agent trajectories: ``{"messages": […], "info": {…}, "instance_id", …}``.

The last message, of the role ``exit``, holds the submission and was never sent: it is left out.
``extra`` beside a result holds its return code, which the dialect ``openai-chat`` reads.
Source: mini-swe-agent documentation, Output files (`trajectory_format` mini-swe-agent-1).
"""

from __future__ import annotations

from lre.traces.lists import Lists

__all__ = ["READER"]


class _MiniSWEAgent(Lists):
    name = "mini_swe_agent"
    describe = "mini-swe-agent trajectories (.traj.json): `messages` and `info`"
    dialects = ("openai-chat",)
    example = "instance.traj.json"

    def owns(self, value: object) -> bool:
        if not isinstance(value, dict) or "messages" not in value:
            return False
        info = value.get("info")
        known = {"exit_status", "mini_version"} & info.keys() if isinstance(info, dict) else set()
        return bool(known) or str(value.get("trajectory_format")).startswith("mini-swe-agent")


READER = _MiniSWEAgent()
