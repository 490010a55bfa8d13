"""Learned Relevance Eviction: fit an agent's history into a token budget, verbatim."""

__version__ = "0.1.0"
