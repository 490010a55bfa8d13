"""What a framework's own logger is told."""

from __future__ import annotations

import logging

__all__ = ["Heard"]


class Heard(logging.Handler):
    """Listens to a logger; the latest listener of a logger is the only one."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.texts: list[str] = []
        logger = logging.getLogger(name)
        logger.handlers[:] = [self]
        logger.setLevel(logging.INFO)

    def emit(self, record: logging.LogRecord) -> None:
        """Keep the text."""
        self.texts.append(record.getMessage())
