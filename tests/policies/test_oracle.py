"""The oracle: keeps what the next action needs, and is told by nobody but `foresee`."""

from __future__ import annotations

from typing import Any

import pytest

from lre import evict
from lre.decide import Eviction, Rules, decide
from lre.errors import SettingError, UnknownNameError
from lre.ledger import Ledger
from lre.messages import Budget
from lre.needs import Need, Past
from lre.policies import names, policy
from lre.policies.oracle import Oracle

LINES = [f"order W{n}00{n} was sent to the customer in box {n}" for n in range(1, 7)]
SAID = [
    {"role": "user", "content": "Where is my order?"},
    {"role": "user", "content": "\n".join(LINES)},
    {"role": "user", "content": "W3003 again, and nothing else of all that there was."},
    {"role": "user", "content": "Please tell the customer that the lamp is late."},
    {"role": "user", "content": "So?"},
]


def needs(*values: str) -> Need | None:
    arguments = "{" + ", ".join(f'"a{i}": "{value}"' for i, value in enumerate(values)) + "}"
    call = {"id": "c1", "type": "function", "function": {"name": "look", "arguments": arguments}}
    ledger, past = Ledger("openai-chat"), Past()
    ledger.extend([*SAID, {"role": "assistant", "content": None, "tool_calls": [call]}])
    for index, message in enumerate(ledger.messages[:-1]):
        past.add(index, message, pinned=index == 0)
    return past.need(ledger.messages[-1])


def kept(need: Need | None, older: int, granularity: str = "unit") -> Eviction:
    ledger = Ledger("openai-chat", counter=lambda text: len(text.split()))
    ledger.extend(SAID)
    oracle = Oracle().foresee(need)
    return decide(ledger, Rules(Budget.of(older_budget=older), oracle, 1, granularity))


def test_what_is_needed_stays_for_the_fewest_tokens() -> None:
    assert kept(needs("W3003"), 20).selection.kept == (0, 2, 4)
    assert kept(needs("W1001"), 80).selection.kept == (0, 1, 4)


def test_in_spans_the_needed_line_stays() -> None:
    result = kept(needs("W5005"), 25, "span")
    content = next(m["content"] for m in result.messages if "W5005" in m["content"])
    assert LINES[4] in content
    assert LINES[0] not in content


def test_copied_text_stays_where_no_identifier_is_needed() -> None:
    need = needs("tell the customer that the lamp is late")
    assert need is not None
    assert not need.identifiers
    assert kept(need, 20).selection.kept == (0, 3, 4)


def test_identifiers_go_before_copied_text() -> None:
    need = needs("W3003", "tell the customer that the lamp is late")
    assert kept(need, 16).selection.kept == (0, 2, 4)
    assert kept(need, 40).selection.kept == (0, 2, 3, 4)


@pytest.mark.parametrize("granularity", ["unit", "span"])
def test_if_nothing_is_needed_nothing_stays(granularity: str) -> None:
    result = kept(None, 20, granularity)
    assert result.selection.kept == (0, 4)


def test_a_score_counts_the_needed_identifiers_of_a_unit() -> None:
    scores = [d.score for d in kept(needs("W3003", "W1001"), 20).selection.decisions]
    assert scores == [0, 2, 1, 0, 0]


def test_an_oracle_that_was_told_nothing_is_no_policy() -> None:
    said: list[Any] = SAID
    with pytest.raises(SettingError, match="an oracle has to be told the future"):
        evict(said, budget=12, recent=1, policy=Oracle())


def test_it_has_no_name_to_evict_by() -> None:
    assert "oracle" not in names()
    with pytest.raises(UnknownNameError):
        policy("oracle")
