"""A language model's summary in place of what is old: ACON's history compression.

Kang et al. 2025, "ACON: Optimizing Context Compression for Long-horizon LLM Agents", arXiv
2510.00615. Its compression of single observations is not part of this.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any, ClassVar, NamedTuple

from lre.errors import LreError, MissingExtraError, SettingError
from lre.messages import Message
from lre.neural.endpoint import TOO_LONG, Answer, Answers, Endpoint, ask
from lre.policies.acon_prompt import prompt
from lre.policies.base import Origin, Summary
from lre.policies.fifo import Fifo

__all__ = ["RELEASED", "Acon", "Spent"]

RELEASED: Mapping[str, Any] = {"older_budget": 4096, "recent": 1}
"""How ACON's authors run it on AppWorld, as arguments of `History`, to go with `low=1`.

Their threshold counts neither the task nor the turns they preserve, one action with its
observation (`segmenter="react"` where observations are user messages). What was summed up stays
so (`low`), and the next summary takes the place of the last.
"""

_TRIES = 2  # how often a model that answers nothing is asked
_LONGEST = 4096  # tokens: more is no summary, and many models may not write more at once


class Spent(NamedTuple):
    """What was paid for: answers that came, and the tokens that the endpoint counted."""

    calls: int
    prompt_tokens: int
    completion_tokens: int


class Acon(Fifo):
    """Sum up what is older than the recent window, once it exceeds the budget.

    ACON's threshold is the budget, the last turns that it preserves are `recent`; `RELEASED` has
    its own values. Without `low`, a `History` sums up anew at every reading. Every answer is kept
    in memory, so that the same question costs one call. Units are scored as by `fifo`, for
    whoever asks why: a summary takes the place of them all.

    >>> Acon("gpt-4.1-mini", base_url="http://127.0.0.1:8080/v1").spent
    Spent(calls=0, prompt_tokens=0, completion_tokens=0)

    Parameters
    ----------
    model
        As its server names it; by default the variable LRE_ACON_MODEL.
    base_url
        Its OpenAI-compatible endpoint; by default the variable OPENAI_BASE_URL.
    api_key
        Its key; by default the variable OPENAI_API_KEY, or none.
    endpoint
        All of these at once, with whatever else an endpoint can be told.
    retries
        How often a request that fails is sent again.
    """

    name = "acon"
    waives: ClassVar[frozenset[int]] = frozenset({1, 6})
    origin: ClassVar[Origin] = Origin(
        "ACON, Kang et al. 2025 (arXiv 2510.00615)", "language model", "openai", ("openai",)
    )

    def __init__(
        self,
        model: str | None = None,
        *,
        base_url: str | None = None,
        api_key: str | None = None,
        endpoint: Endpoint | None = None,
        retries: int = 2,
    ) -> None:
        self._given, self._model, self._base_url = endpoint, model, base_url
        self._api_key, self._retries = api_key, retries
        self._answers = Answers()

    @cached_property
    def endpoint(self) -> Endpoint:
        """Where the model is, made out at first use.

        Raises
        ------
        SettingError
            If there is no model or no address, or they cannot be used.
        """
        return self._given or Endpoint(
            self._model
            or _variable("LRE_ACON_MODEL", "model", "to its name, or name it as acon@MODEL"),
            self._base_url or _variable("OPENAI_BASE_URL", "endpoint", "to the URL of one"),
            os.environ.get("OPENAI_API_KEY", "") if self._api_key is None else self._api_key,
            retries=self._retries,
        )

    @property
    def spent(self) -> Spent:
        """All that this policy has paid for so far."""
        return _spent(self._answers.values())

    def summarise(self, messages: Sequence[Message], before: str, task: str, room: int) -> Summary:
        """Ask for a summary of at most `room` tokens, or say why there is none.

        An empty answer is asked for once more, with another seed. The costs are those of writing
        it, the same when it is handed back from memory.

        Raises
        ------
        MissingExtraError, SettingError
            If openai is not installed, or no model or address is given: nothing else is raised.
        """
        first = self.endpoint.seed
        answers: list[Answer] = []
        try:
            for seed in range(first, first + _TRIES):
                answers.append(self._ask(messages, before, task, min(room, _LONGEST), seed))
                if answers[-1].text.strip() or answers[-1].error:
                    break
        except MissingExtraError:
            raise
        except LreError as error:
            return Summary("", str(LreError(error.what, where=error.where)), *_spent(answers))
        text = answers[-1].text.strip()
        return Summary(text, "" if text else _why(answers[-1]), *_spent(answers))

    def _ask(
        self, messages: Sequence[Message], before: str, task: str, room: int, seed: int
    ) -> Answer:
        endpoint = replace(self.endpoint, max_tokens=max(room, 1), seed=seed)
        return ask(endpoint, [prompt(messages, before, task, room)], self._answers)[0]


def _variable(name: str, what: str, remedy: str) -> str:
    if value := os.environ.get(name):
        return value
    raise SettingError(f"acon has no {what}", remedy=f"set {name} {remedy}")


def _why(answer: Answer) -> str:
    if answer.error == TOO_LONG:
        return "the messages do not fit the model's context"
    return f"the answer is empty (finish reason: {answer.finish or 'none'})"


def _spent(answers: Sequence[Answer]) -> Spent:
    prompts = sum(answer.prompt_tokens for answer in answers)
    return Spent(len(answers), prompts, sum(answer.completion_tokens for answer in answers))
