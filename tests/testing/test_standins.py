"""The stand-ins do what the models do that they stand for: no law is kept for nothing."""

from __future__ import annotations

import copy
import subprocess
import sys

import pytest

from lre import evict, policy
from lre.policies import Policy, Shortening, Summarising
from lre.testing.samples import KNOTS, LISTS, SAMPLES
from lre.testing.standins import standin

SHORTENERS = ("llmlingua-2", "selective-context")
SCORERS = ("dense", "self-information", "token-pruning")
ALL = ("acon", *SHORTENERS, *SCORERS)
HEAVY = ("torch", "transformers", "sentence_transformers", "llmlingua", "openai")


def made(name: str) -> Policy:
    one = standin(name)
    assert one is not None
    return one


@pytest.mark.parametrize("samples", [SAMPLES, KNOTS, LISTS], ids=["samples", "knots", "lists"])
@pytest.mark.parametrize("dialect", SAMPLES)
@pytest.mark.parametrize("name", SHORTENERS)
def test_shorteners_write_texts_anew_on_every_sample(
    name: str, dialect: str, samples: dict[str, list[object]]
) -> None:
    result = evict(samples[dialect], budget="60%", recent=1, policy=made(name))
    assert isinstance(made(name), Shortening)
    assert "rewritten" in {d.verdict for d in result.selection.decisions}
    assert not result.to_dict()["verbatim"]


@pytest.mark.parametrize("samples", [SAMPLES, KNOTS, LISTS], ids=["samples", "knots", "lists"])
@pytest.mark.parametrize("dialect", SAMPLES)
def test_acon_sums_up_every_sample_and_quotes_too_much(
    dialect: str, samples: dict[str, list[object]]
) -> None:
    one = made("acon")
    result = evict(samples[dialect], older_budget=100, recent=1, policy=one)
    assert isinstance(one, Summarising)
    summary = result.to_dict()["summary"]
    assert summary["text"]
    assert None in result.places
    assert len(summary["text"]) < 8 * 100, "what was written was longer than its room"


@pytest.mark.parametrize("name", SCORERS)
def test_scorers_choose_otherwise_than_by_age(name: str) -> None:
    def kept(one: str | Policy) -> list[tuple[int, ...]]:
        return [evict(LISTS[d], budget="40%", recent=1, policy=one).selection.kept for d in LISTS]

    assert kept(made(name)) != kept("fifo")


@pytest.mark.parametrize("name", ALL)
def test_the_same_is_said_again(name: str) -> None:
    for messages in SAMPLES.values():
        told = [
            evict(copy.deepcopy(messages), budget="50%", policy=made(name)).to_dict()
            for _ in range(2)
        ]
        assert told[0] == told[1]


@pytest.mark.parametrize("name", ALL)
def test_each_is_called_as_what_it_stands_for_and_found_by_its_path(name: str) -> None:
    kind = type(made(name))
    assert made(name).name == name
    assert type(policy(f"{kind.__module__}:{kind.__qualname__}")) is kind


def test_a_policy_without_a_model_has_none() -> None:
    assert standin("fifo") is None
    assert standin("nobody") is None


def test_they_need_no_package() -> None:
    code = (
        "import sys; from lre.testing.standins import standin; from lre import evict;"
        "chat = [{'role': 'user', 'content': 'word ' * 99}] * 9;"
        f"[evict(chat, budget=500, recent=1, policy=standin(n)) for n in {ALL}];"
        f"print([n for n in sys.modules if n in {HEAVY}])"
    )
    done = subprocess.run(  # noqa: S603
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert done.stdout == "[]\n"
