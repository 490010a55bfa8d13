"""Conversations in which long turns answer what is asked, short ones do not; or the reverse."""

from __future__ import annotations

from typing import Any

from lre.traces import Question, Trace

__all__ = ["LONG", "SHORT", "conversation", "plain", "planted"]

LONG, SHORT = "went there with her brother after lunch number", "fine"

Turn = tuple[str, str, bool]
"""A turn: its session, its text, and whether a question cites it."""


def plain(number: int, count: int = 24) -> list[Turn]:
    """Make a session of turns, every other one long and cited; each names one eight before."""
    return [
        (f"s{number}", f"{(SHORT, LONG)[i % 2]} x{number}x{i - 8} x{number}x{i}", i % 2 == 1)
        for i in range(count)
    ]


def planted(count: int = 400) -> list[Turn]:
    """Make one large session in which it is the short turns that are cited."""
    return [("planted", f"{(SHORT, LONG)[i % 2]} planted p{i}", i % 2 == 0) for i in range(count)]


def conversation(*turns: Turn) -> Trace:
    """Ask for the last word of each turn that is cited."""
    messages: list[dict[str, Any]] = [
        {"role": "user", "content": text, "session": session} for session, text, _ in turns
    ]
    questions = tuple(
        Question("Which?", text.split()[-1], "", (place,))
        for place, (_, text, cited) in enumerate(turns)
        if cited
    )
    return Trace("", "", messages, questions=questions, segmenter="turns")
