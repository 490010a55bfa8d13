"""Policies that write down what they are shown, lack something, or end before their time."""

from __future__ import annotations

import json
import os
import signal
from pathlib import Path
from typing import ClassVar

import numpy as np

from lre.errors import MissingExtraError
from lre.features import reading
from lre.policies import Summary, View
from lre.policies.base import Floats
from lre.policies.fifo import Fifo

SEEN = "LRE_PROBE"
"""The variable that names the file in which probes write."""


class Probe(Fifo):
    """Writes down the texts of each scoring, and how many threads it is told to use."""

    name = "probe"

    def score(self, view: View) -> Floats:
        seen = {
            "texts": [reading(message) for message in view.messages],
            "threads": [os.environ.get(f"{who}_NUM_THREADS") for who in ("OMP", "OPENBLAS")],
            "process": os.getpid(),
        }
        with Path(os.environ[SEEN]).open("a", encoding="utf-8") as file:
            file.write(json.dumps(seen) + "\n")
        return super().score(view)


class Again(Probe):
    """Another one."""

    name = "again"


class Incomplete(Fifo):
    """Finds at its first scoring that a package is missing."""

    def score(self, _view: View) -> Floats:
        raise MissingExtraError("neurons", "neural")


class Killed(Fifo):
    """Ends its process as a system does that has no memory left."""

    def score(self, view: View) -> Floats:
        os.kill(os.getpid(), signal.SIGKILL)
        return np.zeros(len(view.units))


class Broken(Fifo):
    """Has a bug."""

    def score(self, _view: View) -> Floats:
        raise RuntimeError("a bug of its own")


class Writer(Fifo):
    """Sums up what goes."""

    waives: ClassVar[frozenset[int]] = frozenset({1, 6})

    def summarise(self, *_: object) -> Summary:
        return Summary("Orders came and went.", calls=1)


class Mute(Writer):
    """Would sum up, but nobody answers."""

    def summarise(self, *_: object) -> Summary:
        return Summary("", failed="nobody answers")


class Moody(Writer):
    """Sums up every other time."""

    def __init__(self) -> None:
        self._asked = 0

    def summarise(self, *_: object) -> Summary:
        self._asked += 1
        return Summary("Gone.", calls=1) if self._asked % 2 else Summary("", "tired", calls=1)
