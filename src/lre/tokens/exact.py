"""Exact counts: OpenAI's encodings, and any tokenizer.json of Hugging Face."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from functools import cache
from importlib import import_module
from importlib.machinery import PathFinder
from importlib.util import find_spec, module_from_spec
from pathlib import Path
from threading import Lock
from types import ModuleType
from typing import Any

from lre.errors import MissingExtraError, SettingError
from lre.tokens.base import well_formed

__all__ = ["BytePairs", "HuggingFace"]

_BUILDING = Lock()


class BytePairs:
    """OpenAI's `o200k` or `cl100k`, with the vocabulary that bpe-openai brings along.

    Text that spells a special token, such as ``<|endoftext|>``, is ordinary text. Time grows
    with length only, whatever the text.

    >>> BytePairs("o200k").count(["hello world", ""])
    [2, 0]
    """

    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return f"BytePairs({self.name!r})"

    def count(self, texts: Sequence[str]) -> list[int]:
        """Give the tokens of each text."""
        count = _byte_pairs(self.name)
        try:
            return list(map(count, texts))
        except UnicodeEncodeError:
            return [count(well_formed(text)) for text in texts]


def _byte_pairs(name: str) -> Callable[[str], int]:
    """Give the count function of an encoding, built once a process."""
    with _BUILDING:
        return _build_byte_pairs(name)


@cache
def _build_byte_pairs(name: str) -> Callable[[str], int]:
    # The public Encoding has no count, and refuses texts above a million characters.
    count: Callable[[str], int] = _bindings().tokenizer_for_encoding(f"{name}_base").count
    return count


def _bindings() -> ModuleType:
    """Load bpe-openai's compiled part alone.

    Its Python part first reads three vocabularies into dicts: 0.4 s and 70 MB that no count needs.
    """
    full = "bpe_openai._bindings"
    package = find_spec("bpe_openai")
    spec = package and PathFinder.find_spec(full, package.submodule_search_locations)
    if full in sys.modules or spec is None or spec.loader is None:
        return import_module(full)
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class HuggingFace:
    """A `tokenizer.json`, by the tokenizers package: no special tokens are added or read.

    Parameters
    ----------
    path : Path
        The file.

    Raises
    ------
    MissingExtraError
        If the tokenizers package is not installed.
    SettingError
        If there is no such file, or it holds no tokenizer.
    """

    def __init__(self, path: Path) -> None:
        self.name = str(path)
        self._tokenizer = _read_tokenizer(path)

    def __repr__(self) -> str:
        return f"HuggingFace({self.name!r})"

    def count(self, texts: Sequence[str]) -> list[int]:
        """Give the tokens of each text."""
        readable = [text if text.isascii() else well_formed(text) for text in texts]
        encodings = self._tokenizer.encode_batch_fast(readable, add_special_tokens=False)
        return list(map(len, encodings))


def _read_tokenizer(path: Path) -> Any:
    try:
        from tokenizers import Tokenizer
    except ImportError as error:
        raise MissingExtraError("tokenizers", "huggingface") from error
    if not path.is_file():
        raise SettingError("no such file", where=str(path), remedy="give a tokenizer.json")
    try:
        tokenizer = Tokenizer.from_file(str(path))
    except Exception as error:  # tokenizers raises nothing narrower
        reason = str(error).splitlines()[0]
        raise SettingError(
            f"no tokenizer can be read ({reason})",
            where=str(path),
            remedy="give the tokenizer.json of a Hugging Face model",
        ) from error
    # Files often carry the padding and the cut at 512 tokens of their training.
    tokenizer.no_padding()
    tokenizer.no_truncation()
    tokenizer.encode_special_tokens = True
    return tokenizer
