"""A policy that runs a model says whose, before it takes its time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from click.testing import Result

from lre.cli.models import running
from lre.policies import policy

Run = Callable[..., Result]
Save = Callable[..., str]


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("dense@some/folder", "dense runs an encoder: some/folder"),
        ("token-pruning", "token-pruning runs an encoder: microsoft/llmlingua-2-"),
        ("self-information@a.gguf", "self-information runs a language model: a.gguf"),
        ("acon@foo", "acon runs a language model: foo @ http://127.0.0.1:9/v1"),
    ],
)
def test_the_model_is_named(name: str, says: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", "http://me:secret@127.0.0.1:9/v1")
    assert (running(name, policy(name)) or "").startswith(says)


def test_by_default_dense_runs_minilm() -> None:
    assert "minilm" in (running("dense", policy("dense")) or "").lower()


def test_where_there_is_no_model_that_is_told_by_whoever_needs_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("LRE_ACON_MODEL", raising=False)
    assert running("acon", policy("acon")) is None


def test_trim_names_the_model_unless_it_shall_be_quiet(
    run: Run, save: Save, chat: list[Any]
) -> None:
    log = save(chat)
    order = ("trim", log, "--budget", "100000", "--policy", "dense@some.onnx")
    assert run(*order).stderr.startswith("dense runs an encoder: some.onnx\n")
    assert "encoder" not in run(*order, "--quiet").stderr
    assert "runs" not in run("trim", log, "--budget", "50%").stderr
