"""A small data set in LoCoMo's form, and a contest that needs no training."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from lre.bench.conversations.sheet import Asked, Ranked, Sheet
from lre.policies import Policy
from lre.policies.fifo import Fifo
from lre.traces import Trace

__all__ = ["locomo", "stand_in"]

CITIES = ("Oslo", "Bergen", "Tromsø", "Narvik")
PETS = ("cat", "dog", "horse", "parrot")
SMALL_TALK = ("How are you?", "Fine, thanks!", "Nice weather today.", "See you soon, take care.")


def locomo(conversations: int = 3, sessions: int = 4) -> list[dict[str, Any]]:
    """Conversations of two people: each session says where one lives, and with which animal."""
    return [_sample(number, sessions) for number in range(conversations)]


def _sample(number: int, sessions: int) -> dict[str, Any]:
    conversation: dict[str, Any] = {"speaker_a": "Ann", "speaker_b": "Bo"}
    qa: list[dict[str, Any]] = []
    for s in range(1, sessions + 1):
        city, pet = CITIES[(number + s) % 4], PETS[(number * 2 + s) % 4]
        said = [*SMALL_TALK, f"I moved to {city} in spring.", f"My {pet} likes it there."] * 2
        conversation[f"session_{s}_date_time"] = f"1:0{s} pm on {s} May, 2023"
        conversation[f"session_{s}"] = [
            {"speaker": ("Ann", "Bo")[i % 2], "dia_id": f"D{s}:{i}", "text": text}
            for i, text in enumerate(said[:8])
        ]
        qa += [
            _question(f"Where did Ann move in spring, {s}?", city, 4, f"D{s}:4"),
            _question(f"Which animal has Bo, {s}?", pet, 1, f"D{s}:5", f"D{s}:4"),
        ]
    qa.append(_question("Why did Ann move to Rome?", None, 5, "D1:4"))
    qa.append(_question("How many cities?", number, 3, "D9:9"))
    return {"sample_id": f"conv-{number}", "conversation": conversation, "qa": qa}


def _question(text: str, answer: object, category: int, *evidence: str) -> dict[str, Any]:
    node = {"question": text, "category": category, "evidence": list(evidence)}
    return node if answer is None else {**node, "answer": answer}


@dataclass(frozen=True)
class Plan:
    names: Sequence[str]
    dataset: str
    counter: Any = "o200k"
    seed: int = 0

    def untaught(self) -> dict[str, Policy]:
        return {}


def compete(
    traces: Sequence[Trace], plan: Plan, workers: int, tick: Callable[[], object] | None
) -> tuple[list[Sheet], list[Ranked]]:
    """A message is a unit of its words; fifo scores by place, lre-self half right, others right."""
    assert workers > 0
    assert tick is None
    sheets = [_sheet(trace, fold) for fold, trace in enumerate(traces)]
    return sheets, [Ranked(name, Fifo(), _scores(name, sheets)) for name in plan.names]


def _sheet(trace: Trace, fold: int) -> Sheet:
    asked = tuple(
        Asked(one.text, one.answer, one.category, one.evidence, one.asked)
        for one in trace.questions
    )
    costs = np.array([len(entry["content"].split()) for entry in trace.messages])
    return Sheet(trace, [(i,) for i in range(len(costs))], costs, asked, fold)


def _scores(name: str, sheets: Sequence[Sheet]) -> list[Any]:
    if name == "fifo":
        return [np.arange(len(sheet.units), dtype=np.float64) for sheet in sheets]
    half = np.array([1.0, 0.0]) if name == "lre-self" else np.ones(2)
    return [sheet.gold * np.resize(half, len(sheet.units)) for sheet in sheets]


def stand_in(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let this contest take the place of the real one."""
    module: Any = ModuleType("lre.bench.conversations.contest")
    module.Plan, module.compete, module.ticks = Plan, compete, int
    monkeypatch.setitem(sys.modules, module.__name__, module)
    package = sys.modules["lre.bench.conversations"]
    monkeypatch.setattr(package, "contest", module, raising=False)
