"""An agent of the OpenAI Agents SDK whose requests fit into a budget."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from agents import Agent, RunConfig, Runner, SQLiteSession

from lre.integrations.openai_agents import input_filter


def run(task: str, tools: Sequence[Any], model: str = "your-model") -> str:
    """Work on a task; OPENAI_API_KEY and OPENAI_BASE_URL say where the model is."""
    agent = Agent(name="auditor", instructions="Be brief.", tools=[*tools], model=model)
    config = RunConfig(call_model_input_filter=input_filter(budget=4000))
    session = SQLiteSession("audit")  # keeps everything, whatever is sent
    result = Runner.run_sync(agent, task, session=session, run_config=config, max_turns=50)
    return str(result.final_output)
