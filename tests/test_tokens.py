"""Counters: by name, by function, by file; batched, cached, never failing on a text."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lre.errors import MissingExtraError, SettingError, UnknownNameError
from lre.tokens import Cached, Counter, counter
from lre.tokens.base import Called

ANY_TEXT = st.text(st.characters(codec=None), max_size=60)  # lone surrogates too
NAMES = ["o200k", "cl100k", "estimate"]


class Recorder:
    """A counter that remembers what it was asked."""

    name = "recorder"

    def __init__(self) -> None:
        self.calls: list[list[str]] = []

    def count(self, texts: Sequence[str]) -> list[int]:
        self.calls.append(list(texts))
        return [len(text) for text in texts]


@pytest.mark.parametrize("name", NAMES)
def test_a_name_gives_one_counter_for_the_process(name: str) -> None:
    assert counter(name) is counter(name)
    assert counter(name).name == name


def test_the_default_is_o200k() -> None:
    assert counter() is counter("o200k")


def test_a_counter_comes_back_as_it_is() -> None:
    own = Recorder()
    assert counter(own) is own


@pytest.mark.parametrize("spec", ["o300k", "", 42, None, ["o200k"]])
def test_an_unknown_name_lists_the_choices(spec: object) -> None:
    with pytest.raises(UnknownNameError, match=r"unknown counter .* choose from cl100k, estimate"):
        counter(spec)  # type: ignore[arg-type]


def test_nothing_heavy_is_loaded_before_the_first_count() -> None:
    heavy = ["bpe_openai", "bpe_openai._bindings", "tokenizers", "lre.tokens.estimate"]
    code = (
        "import sys, lre.tokens; lre.tokens.counter(); lre.tokens.counter(len)\n"
        f"print([name for name in {heavy} if name in sys.modules])"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)  # noqa: S603
    assert run.stdout.strip() == "[]"


@pytest.mark.parametrize("name", NAMES)
@given(texts=st.lists(ANY_TEXT, max_size=8))
def test_a_batch_gives_what_its_texts_give_one_by_one(name: str, texts: list[str]) -> None:
    chosen = counter(name)
    assert chosen.count(texts) == [chosen.count([text])[0] for text in texts]


@pytest.mark.parametrize("name", NAMES)
@given(text=ANY_TEXT)
def test_any_text_has_a_count_and_only_the_empty_text_costs_nothing(name: str, text: str) -> None:
    tokens = counter(name).count([text])[0]
    assert (tokens > 0) == bool(text)


# Functions


def test_a_function_is_called_once_for_each_text() -> None:
    asked: list[str] = []

    def count(text: str) -> int:
        asked.append(text)
        return len(text.split())

    words = counter(count)
    assert words.count(["one two", "three"]) == [2, 1]
    assert words.count(["three", "one two"]) == [1, 2]
    assert asked == ["one two", "three"]


def test_what_a_function_raises_is_passed_on() -> None:
    def broken(text: str) -> int:
        raise RuntimeError(f"no count for {text}")

    with pytest.raises(RuntimeError, match="no count for this"):
        counter(broken).count(["this"])


@pytest.mark.parametrize("value", [[1, 2, 3], 2.5, None, -1, "3"])
def test_a_function_that_gives_no_count_is_named(value: object) -> None:
    with pytest.raises(SettingError, match="@ counter: return the number of tokens"):
        counter(lambda _: value).count(["text"])  # type: ignore[arg-type, return-value]


# The cache


@given(st.lists(st.lists(ANY_TEXT, max_size=6), max_size=6))
def test_the_cache_gives_the_numbers_of_the_counter_inside(batches: list[list[str]]) -> None:
    cached, plain = Cached(Recorder(), size=4), Recorder()
    for batch in batches:
        assert cached.count(batch) == plain.count(batch)


def test_only_texts_not_seen_before_are_counted_in_one_batch() -> None:
    inner = Recorder()
    cached = Cached(inner)
    cached.count(["a", "bb"])
    assert cached.count(["bb", "ccc", "a", "dd", "ccc"]) == [2, 3, 1, 2, 3]
    assert inner.calls == [["a", "bb"], ["ccc", "dd"]]


def test_a_batch_of_known_texts_does_not_reach_the_counter_inside() -> None:
    inner = Recorder()
    cached = Cached(inner)
    for _ in range(3):
        cached.count(["a", "bb"])
        cached.count([])
    assert inner.calls == [["a", "bb"]]


def test_the_cache_is_bounded_and_forgets_what_was_not_used_lately() -> None:
    inner = Recorder()
    cached = Cached(inner, size=10)
    cached.count([f"text {i}" for i in range(1000)])
    assert len(cached._recent) <= 10
    for i in range(1000):
        cached.count(["always", f"other {i}"])
    assert len(cached._recent) <= 10
    assert len(cached._older) <= 10
    assert sum("always" in call for call in inner.calls) == 1
    assert cached.count(["text 999"]) == [8]
    assert inner.calls[-1] == ["text 999"]


def test_a_counter_that_loses_a_text_is_caught() -> None:
    class Short(Recorder):
        def count(self, texts: Sequence[str]) -> list[int]:
            return super().count(texts)[1:]

    with pytest.raises(ValueError, match="shorter"):
        Cached(Short()).count(["a", "b"])


def test_threads_share_one_cache() -> None:
    cached = Cached(Called(len), size=50)
    wrong: list[int] = []

    def work(seed: int) -> None:
        for i in range(300):
            n = (seed * 31 + i) % 90
            wrong.extend(got for got in cached.count(["x" * n]) if got != n)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


# Files


@pytest.fixture
def tokenizer_json(tmp_path: Path) -> Path:
    """A tokenizer by words that adds [CLS], cuts at two tokens and pads to eight."""
    tokenizers = pytest.importorskip("tokenizers")
    words = {word: i for i, word in enumerate(["[UNK]", "[CLS]", "hello", "world"])}
    made = tokenizers.Tokenizer(tokenizers.models.WordLevel(words, unk_token="[UNK]"))  # noqa: S106
    made.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    made.add_special_tokens(["[CLS]"])
    made.post_processor = tokenizers.processors.TemplateProcessing(
        single="[CLS] $A", special_tokens=[("[CLS]", 1)]
    )
    made.enable_truncation(2)
    made.enable_padding(length=8)
    path = tmp_path / "tokenizer.json"
    made.save(str(path))
    return path


def test_a_tokenizer_file_counts_without_special_tokens_cut_or_padding(
    tokenizer_json: Path,
) -> None:
    texts = ["hello world hello", "", "[CLS]", "hello \ud800"]
    assert counter(tokenizer_json).count(texts) == [3, 0, 3, 2]


def test_a_tokenizer_file_is_read_again_only_after_a_change(tokenizer_json: Path) -> None:
    first = counter(str(tokenizer_json))
    assert counter(tokenizer_json) is first
    tokenizer_json.write_text(tokenizer_json.read_text().replace("world", "earth"))
    assert counter(tokenizer_json) is not first


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(SettingError, match=r"no such file @ .*none\.json"):
        counter(tmp_path / "none.json")


@pytest.mark.parametrize("content", ["{}", "[1, 2", "", '{"model": {"type": "other"}}'])
def test_a_foreign_file_is_named_in_one_line(tmp_path: Path, content: str) -> None:
    path = tmp_path / "foreign.json"
    path.write_text(content)
    with pytest.raises(SettingError, match=r"no tokenizer can be read .*foreign\.json") as caught:
        counter(str(path))
    assert "\n" not in str(caught.value)


def test_a_file_without_the_extra_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "tokenizers", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'lre\[huggingface\]'"):
        counter(tmp_path / "any.json")


def test_every_counter_keeps_the_protocol() -> None:
    assert all(isinstance(counter(name), Counter) for name in NAMES)
    assert isinstance(counter(len), Counter)
