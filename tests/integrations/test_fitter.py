"""What all integrations share: what goes out, what is said of it, and that nothing is ever lost."""

from __future__ import annotations

import copy
import logging
import pickle
from typing import Any

import pytest

from lre.errors import BudgetError
from lre.integrations import Fitter, Native

CHAT = [{"role": "user", "content": f"Note {i}: ticket T-{i}00{i} waits."} for i in range(40)]


class Notes:
    """Messages of a framework: plain texts."""

    dialect = "openai-chat"

    def read(self, message: str) -> dict[str, Any]:
        return {"role": "user", "content": message}

    def write(self, entry: dict[str, Any], message: str | None) -> str:
        return f"written: {entry['content']}" if message else f"summary: {entry['content']}"


def breaks(_: object) -> bool:
    raise RuntimeError("broken")


def native(**settings: Any) -> Fitter[Any]:
    return Fitter("mine", Native(), **{"budget": 300, **settings})


def test_the_frameworks_own_objects_go_out() -> None:
    before = copy.deepcopy(CHAT)
    fitted = native()(CHAT)
    mine = {id(message) for message in CHAT}
    assert fitted.is_changed
    assert {id(message) for message in fitted.messages} < mine
    assert before == CHAT


def test_what_was_cut_is_written_anew_and_nothing_else() -> None:
    long = "\n".join(f"line {i}: item W{i}00{i}" for i in range(200))
    texts = ["the task", long, *(f"note {i}" for i in range(6))]
    fit = Fitter[str]("mine", Notes(), budget=900, granularity="span")
    sent = fit(texts).messages
    assert [text for text in sent if text.startswith("written: line")] != []
    assert {text for text in sent if not text.startswith("written")} <= {*texts}


def test_under_budget_the_very_list_goes_out() -> None:
    fitted = native(budget=100_000)(CHAT)
    assert fitted.messages is CHAT
    assert not fitted.is_changed


def test_an_error_within_is_logged_once_and_the_list_goes_out(
    caplog: pytest.LogCaptureFixture,
) -> None:
    fit = native(pin=breaks)
    with caplog.at_level(logging.DEBUG, logger="lre.integrations.mine"):
        first, second = fit(CHAT), fit(CHAT)
    assert first.messages is second.messages is CHAT
    assert (first.receipt, first.is_changed) == (None, False)
    assert [record.levelname for record in caplog.records] == ["ERROR"]
    assert "sent unchanged: RuntimeError: broken" in caplog.text


def test_one_kind_of_error_is_logged_once_wherever_it_stands(
    caplog: pytest.LogCaptureFixture,
) -> None:
    fit = native()
    for size in range(3, 9):
        fit([*CHAT[:size], {"role": "robot"}])
    assert [record.levelname for record in caplog.records] == ["ERROR"]


@pytest.mark.parametrize("budget", [300, 100_000])
def test_messages_that_can_be_read_but_once_go_out(budget: int) -> None:
    read_once: Any = iter(CHAT)
    assert [*native(budget=budget)(read_once).messages] == native(budget=budget)(CHAT).messages


def test_a_copy_of_an_agent_shares_it_and_another_process_builds_it_anew() -> None:
    fit = native()
    assert copy.deepcopy({"agent": fit})["agent"] is fit
    anew = pickle.loads(pickle.dumps(fit))  # noqa: S301
    assert anew is not fit
    assert anew(CHAT).messages == fit(CHAT).messages


def test_what_is_no_list_of_messages_goes_out_as_it_came() -> None:
    odd: Any = [{"role": "robot"}, 7]
    assert native()(odd).messages is odd


def test_a_receipt_is_handed_over_and_its_failure_changes_nothing(
    caplog: pytest.LogCaptureFixture,
) -> None:
    fit = native(on_receipt=breaks)
    fitted = fit(CHAT)
    fit(CHAT)
    assert fitted.is_changed
    assert [r.message for r in caplog.records] == ["on_receipt failed: RuntimeError: broken"]


def test_each_request_is_logged_once_and_over_budget_is_a_warning_once(
    caplog: pytest.LogCaptureFixture,
) -> None:
    fit = native(budget=20)
    with caplog.at_level(logging.INFO, logger="lre.integrations.mine"):
        for size in (20, 30, 40):
            fit(CHAT[:size])
    levels = [record.levelname for record in caplog.records]
    assert (levels.count("INFO"), levels.count("WARNING")) == (2, 1)


def test_what_went_stays_gone() -> None:
    fit = native(budget=200, policy="fifo", recent=1)
    gone: set[int] = set()
    for size in range(1, 41):
        shown = {CHAT.index(message) for message in fit(CHAT[:size]).messages}
        assert not gone & shown
        gone = {*range(size)} - shown


def test_settings_are_checked_at_once() -> None:
    with pytest.raises(BudgetError):
        Fitter("mine", Native())
