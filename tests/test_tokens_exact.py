"""Exact counts: known numbers, special tokens as text, no slow path."""

from __future__ import annotations

import base64
import random
import subprocess
import sys
import threading
import time
from types import ModuleType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lre.tokens import counter, exact
from lre.tokens.base import well_formed
from lre.tokens.exact import BytePairs, _bindings

ENCODINGS = ["o200k", "cl100k"]


@pytest.mark.parametrize(
    ("text", "o200k", "cl100k"),
    [
        ("", 0, 0),
        ("hello world", 2, 2),
        ("Hello, world!", 4, 4),
        ("1234", 2, 2),  # digits go by threes
        ("    return x", 3, 3),  # three spaces, " return", " x"
        ("don't", 1, 2),
        ("日本語", 2, 4),
    ],
)
def test_short_texts_have_known_counts(text: str, o200k: int, cl100k: int) -> None:
    assert counter("o200k").count([text]) == [o200k]
    assert counter("cl100k").count([text]) == [cl100k]


@pytest.mark.parametrize("name", ENCODINGS)
@pytest.mark.parametrize("special", ["<|endoftext|>", "<|endofprompt|>", "<|fim_prefix|>"])
def test_special_tokens_are_ordinary_text(name: str, special: str) -> None:
    assert counter(name).count([special])[0] >= 5
    assert counter(name).count([f"a {special} b"])[0] >= 7


@pytest.mark.parametrize("name", ENCODINGS)
@given(text=st.text(max_size=80))
def test_the_count_is_the_length_of_the_encoding(name: str, text: str) -> None:
    encode = _bindings().tokenizer_for_encoding(f"{name}_base").encode
    assert BytePairs(name).count([text]) == [len(encode(text))]


@pytest.mark.parametrize("name", ENCODINGS)
def test_a_lone_surrogate_counts_as_the_replacement_character(name: str) -> None:
    one, two = BytePairs(name).count(["a\ud800b", "a\ufffdb"])
    assert one == two


def test_a_pair_of_surrogates_counts_as_its_character() -> None:
    assert well_formed("\ud83d\ude00") == "😀"


def test_megabytes_without_a_word_boundary_take_no_longer_than_prose() -> None:
    rng = random.Random(0)
    size = 2_000_000
    o200k = BytePairs("o200k")
    o200k.count(["warm"])
    start = time.perf_counter()
    o200k.count(["the quick brown fox " * (size // 20)])
    prose = time.perf_counter() - start
    encoded = base64.b64encode(rng.randbytes(size * 3 // 4)).decode()
    for text in ["a" * size, " " * size, "\n" * size, encoded]:
        start = time.perf_counter()
        o200k.count([text])
        assert time.perf_counter() - start < 30 * prose + 1


@pytest.mark.parametrize("order", ["package first", "counter first"])
def test_the_vocabulary_is_shared_with_a_program_that_uses_bpe_openai_itself(order: str) -> None:
    steps = [
        "bpe_openai.get_encoding('o200k_base').encode('hello world')",
        "lre.tokens.counter().count(['hello world'])",
    ]
    imports = ["import bpe_openai", "import lre.tokens"]
    pairs = list(zip(imports, steps, strict=True))
    lines = [line for pair in (pairs if order == "package first" else pairs[::-1]) for line in pair]
    subprocess.run([sys.executable, "-c", "\n".join(lines)], check=True)  # noqa: S603


def test_one_letter_repeated_is_counted_exactly() -> None:
    assert BytePairs("o200k").count(["a" * 800_000]) == [100_000]  # eight letters a token


def test_threads_build_the_vocabulary_once(monkeypatch: pytest.MonkeyPatch) -> None:
    built: list[ModuleType] = []

    def slowly() -> ModuleType:
        time.sleep(0.05)
        built.append(_bindings())
        return built[-1]

    monkeypatch.setattr(exact, "_bindings", slowly)
    exact._build_byte_pairs.cache_clear()
    counts: list[list[int]] = []
    threads = [
        threading.Thread(target=lambda: counts.append(BytePairs("o200k").count(["hello world"])))
        for _ in range(6)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert counts == [[2]] * 6
    assert len(built) == 1
