"""A reader that fails: what can pass is waited for, what cannot is said, answers are kept."""

from __future__ import annotations

import json
import signal
import threading
from dataclasses import replace
from pathlib import Path

import anyio
import pytest

from lre.errors import LreError, SettingError
from lre.neural.endpoint import Answers, Endpoint, ask
from neural.asking import QUESTIONS, at, prompts, texts
from openai_server import (
    Request,
    Step,
    dies,
    drops,
    echoes,
    fails,
    hangs,
    overloaded,
    sends,
    serving,
)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "cache" / "answers.jsonl"


@pytest.fixture
def naps(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """How long the client meant to sleep before each retry; it does not."""
    meant: list[float] = []

    async def sleep(seconds: float) -> None:
        meant.append(seconds)

    monkeypatch.setattr(anyio, "sleep", sleep)
    return meant


def test_too_many_requests_are_repeated_when_the_server_says(file: Path, naps: list[float]) -> None:
    with serving(overloaded(7), echoes()) as server:
        assert texts(ask(at(server), prompts(["a"]), Answers(file))) == ["re a"]
    assert naps == [7]


@pytest.mark.parametrize("trouble", [fails(500), fails(503, "Loading model"), drops()])
def test_failures_are_retried_after_growing_pauses(
    file: Path, naps: list[float], trouble: Step
) -> None:
    with serving(trouble, trouble, trouble, echoes()) as server:
        assert texts(ask(at(server), prompts(["a"]), Answers(file))) == ["re a"]
    assert len(naps) == 3
    assert naps == sorted(naps)
    assert naps[2] > 2 * naps[0]


@pytest.mark.usefixtures("naps")
def test_a_server_that_only_fails_ends_it(file: Path) -> None:
    with serving(echoes(), fails(500, "out of\nmemory")) as server:
        with pytest.raises(LreError) as caught:
            ask(at(server, retries=2), prompts(), Answers(file))
        assert len(server.asked) == 4
    assert str(caught.value) == (
        f"the endpoint fails (out of memory) @ {server.url}: "
        "start it again and repeat the command: 1 of 9 answers are kept"
    )


@pytest.mark.usefixtures("naps")
def test_a_hanging_server_is_not_waited_for_longer_than_the_timeout(file: Path) -> None:
    with serving(hangs()) as server, pytest.raises(LreError, match=r"gone .*timed out"):
        ask(at(server, timeout=0.05, retries=1), prompts(), Answers(file))
    assert len(server.asked) == 2


@pytest.mark.usefixtures("naps")
@pytest.mark.parametrize("in_flight", [1, 4])
def test_after_a_death_in_the_middle_nothing_is_asked_twice(file: Path, in_flight: int) -> None:
    gone = pytest.raises(LreError, match=r"is gone .*\d of 9 answers are kept")
    with serving(*[echoes()] * 5, dies()) as dead, gone:
        ask(at(dead, in_flight=in_flight), prompts(), Answers(file))
    kept = {json.loads(line)["text"] for line in file.read_text().splitlines()}
    with serving() as server:
        found = ask(at(server), prompts(), Answers(file))
    assert texts(found) == [f"re {question}" for question in QUESTIONS]
    assert 0 < len(kept) < 9
    assert {f"re {question}" for question in server.questions}.isdisjoint(kept)
    assert len(kept) + len(server.questions) == 9


@pytest.mark.usefixtures("naps")
def test_nobody_there_is_said_without_the_credentials(file: Path) -> None:
    with serving() as server:
        url = server.url.replace("//", "//me:secret@")
    with pytest.raises(LreError) as caught:
        ask(Endpoint("tiny", url, "sesame"), prompts(), Answers(file))
    assert f"@ {server.url}: start it again" in str(caught.value)
    assert "0 of 9 answers" in str(caught.value)
    assert "secret" not in str(caught.value)


def test_a_refused_key_stops_at_once_and_is_not_shown(file: Path) -> None:
    with serving(key="right") as server, pytest.raises(SettingError) as caught:
        ask(at(server, api_key="sk-no"), prompts(), Answers(file))
    assert "set OPENAI_API_KEY" in str(caught.value)
    assert "sk-no" not in str(caught.value)
    assert "sk-no" not in repr(at(server, api_key="sk-no"))


def test_an_unknown_model_is_named(file: Path) -> None:
    with serving() as server, pytest.raises(SettingError, match="`huge` does not exist"):
        ask(replace(at(server), model="huge"), prompts(), Answers(file))


def test_an_address_without_the_api_is_no_endpoint(file: Path) -> None:
    with serving() as server, pytest.raises(SettingError, match="File Not Found"):
        ask(Endpoint("tiny", server.url + "/v2"), prompts(), Answers(file))


def test_a_request_that_is_refused_stops_with_the_servers_words(file: Path) -> None:
    refusal = fails(400, "Unsupported parameter: 'max_tokens'", code="unsupported_parameter")
    with serving(refusal) as server, pytest.raises(SettingError, match="Unsupported parameter"):
        ask(at(server), prompts(), Answers(file))
    assert len(server.asked) == 1


@pytest.mark.parametrize(
    "odd",
    [
        sends("<html>", "text/html"),
        sends("{cut"),
        sends([]),
        sends({"error": {"message": "no"}}),
        sends({"choices": []}),
        sends({"choices": [{"message": None}]}),
        sends({"choices": [{"message": {"role": "assistant", "content": 5}}]}),
    ],
)
def test_an_answer_that_is_no_completion_stops(file: Path, odd: Step) -> None:
    with serving(odd) as server, pytest.raises(SettingError, match="ends in /v1"):
        ask(at(server), prompts(), Answers(file))


def test_an_interrupt_loses_nothing_that_was_answered(file: Path) -> None:
    main = threading.main_thread().ident
    assert main is not None

    def interrupt(request: Request) -> None:
        signal.pthread_kill(main, signal.SIGINT)
        hangs()(request)

    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored in a background job
    try:
        with serving(echoes(), echoes(), interrupt) as server, pytest.raises(KeyboardInterrupt):
            ask(at(server), prompts(), Answers(file))
    finally:
        signal.signal(signal.SIGINT, before)
    assert len(file.read_text().splitlines()) == 2
