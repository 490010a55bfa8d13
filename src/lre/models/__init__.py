"""The scorers that ship with the package; `agent.json` and its kin."""
