"""Recorded sessions, read from log files: `read` them all, or `pick` one."""

from __future__ import annotations

from lre.traces.base import Question, Reader, Record, Report, Skipped, Trace
from lre.traces.reading import Source, pick, read
from lre.traces.registry import READERS, readers

__all__ = [
    "READERS",
    "Question",
    "Reader",
    "Record",
    "Report",
    "Skipped",
    "Source",
    "Trace",
    "pick",
    "read",
    "readers",
]
