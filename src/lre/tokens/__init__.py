"""Token counters by name, batched and cached; what messages cost.

Exact counts need no download; `estimate` needs no vocabulary and does not undercount Chinese,
code or base64. Nothing heavy is imported before the first count.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache
from pathlib import Path

from lre.errors import UnknownNameError
from lre.tokens.base import Cached, Called, Counter
from lre.tokens.cost import extra_cost, message_costs

__all__ = ["Cached", "Counter", "CounterSpec", "counter", "extra_cost", "message_costs"]

CounterSpec = str | Path | Callable[[str], int] | Counter

_NAMES = ("cl100k", "estimate", "o200k")


def counter(spec: CounterSpec = "o200k") -> Counter:
    """Make a counter, or find the one that was made before.

    Parameters
    ----------
    spec : str, Path, callable or Counter
        ``"o200k"`` or ``"cl100k"`` (exact, OpenAI's encodings), ``"estimate"`` (fast, no
        vocabulary), the path of a Hugging Face ``tokenizer.json`` (extra `huggingface`), or a
        function from a text to its number of tokens. All of these are cached by text. A Counter
        comes back as it is.

    Returns
    -------
    Counter
        The same object, cache included, for the same name, or the same unchanged file.

    Raises
    ------
    UnknownNameError
        If it is none of these.
    SettingError
        If a path leads to no tokenizer.
    MissingExtraError
        If a path is given and the tokenizers package is not installed.

    Examples
    --------
    >>> counter().count(["hello world"])
    [2]
    >>> counter(lambda text: len(text) // 4).count(["hello world"])
    [2]
    """
    if isinstance(spec, Path) or (isinstance(spec, str) and spec.endswith(".json")):
        return _from_file(Path(spec).resolve())
    if isinstance(spec, str):
        if spec in _NAMES:
            return _named(spec)
    elif isinstance(spec, Counter):
        return spec
    elif callable(spec):
        return Cached(Called(spec))
    raise UnknownNameError("counter", spec, [*_NAMES, "the path of a tokenizer.json"])


@cache
def _named(name: str) -> Counter:
    if name == "estimate":
        from lre.tokens.estimate import Estimate

        return Cached(Estimate())
    from lre.tokens.exact import BytePairs

    return Cached(BytePairs(name))


def _from_file(path: Path) -> Counter:
    changed = path.stat().st_mtime_ns if path.is_file() else 0
    return _read_file(path, changed)


@lru_cache(maxsize=8)
def _read_file(path: Path, _changed: int) -> Counter:
    from lre.tokens.exact import HuggingFace

    return Cached(HuggingFace(path))
