"""LLMLingua-2: how likely each token of a text is kept, and texts without the others.

Pan et al. 2024 (arXiv 2403.12968), through their package llmlingua.
"""

from __future__ import annotations

import os
import random
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from typing import Any, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from lre.errors import MissingExtraError, SettingError
from lre.tokens.base import well_formed
from lre.tokens.exact import BytePairs

__all__ = ["WEIGHTS", "LlmlinguaPruner", "Pruner", "pruner"]

Floats = npt.NDArray[np.float64]

EXTRA = "token-pruning"
WEIGHTS = "microsoft/llmlingua-2-xlm-roberta-large-meetingbank"
_REMEMBERED = 4096
_LEAST = 0.01  # llmlingua asks for a percentile above 100 below it
_REMEDY = (
    "give the folder of weights trained as LLMLingua-2 is: llmlingua-2@PATH, or token-pruning@PATH "
    "to score by it"
)
_FAMILIES = {"bert": "bert-base-multilingual-cased", "xlm-roberta": "xlm-roberta-large"}


@runtime_checkable
class Pruner(Protocol):
    """Says of tokens whether they matter: what one text gets does not depend on the others."""

    def keep(self, texts: Sequence[str]) -> Floats:
        """Give the mean probability that a token is kept, shape ``(texts,)``, 0 for no tokens."""
        ...

    def compress(self, texts: Sequence[str], rate: float) -> list[str]:
        """Write each text with some `rate` (0 to 1) of its tokens."""
        ...


class LlmlinguaPruner:
    """A `PromptCompressor` of llmlingua, with `use_llmlingua2`; the last texts are cached.

    `keep` asks the compressor's model itself: it has no method for this that is public, and pads
    every text to 512 tokens. What the model reads is the same.
    """

    def __init__(self, compressor: Any) -> None:
        self._compressor = compressor
        self._kept = lru_cache(_REMEMBERED)(self._keep)
        self._short = lru_cache(_REMEMBERED)(self._compress)

    def keep(self, texts: Sequence[str]) -> Floats:
        """Give the mean probability that a token is kept, shape ``(texts,)``, 0 for no tokens."""
        return np.array([self._kept(text) for text in texts], dtype=np.float64)

    def compress(self, texts: Sequence[str], rate: float) -> list[str]:
        """Write each text with some `rate` (0 to 1) of its tokens."""
        return [self._short(text, max(rate, _LEAST)) for text in texts]

    def _keep(self, text: str) -> float:
        tokenizer, size = self._compressor.tokenizer, self._compressor.max_seq_len - 2
        ids = tokenizer(well_formed(text), add_special_tokens=False, verbose=False)["input_ids"]
        windows = [ids[start : start + size] for start in range(0, len(ids), size)]
        total = sum(float(self._probabilities(window).sum()) for window in windows)
        return total / max(len(ids), 1)

    def _probabilities(self, ids: list[int]) -> Any:
        import torch

        # llmlingua frames texts with BERT's marks, those of an XLM-RoBERTa (unknown to it) too.
        begin, end = self._compressor.tokenizer.convert_tokens_to_ids(["[CLS]", "[SEP]"])
        seen = torch.tensor([[begin, *ids, end]])
        with torch.inference_mode():
            logits = self._compressor.model(input_ids=seen).logits[0, 1:-1]
            return torch.softmax(logits.double(), dim=-1)[:, 1]

    def _compress(self, text: str, rate: float) -> str:
        try:
            found = self._compressor.compress_prompt_llmlingua2([well_formed(text)], rate=rate)
        except IndexError:  # llmlingua finds no word that its vocabulary knows
            return text
        short: str = found["compressed_prompt_list"][0]
        return short


def pruner(model: str | Pruner | None = None) -> Pruner:
    """Load LLMLingua-2, on the CPU.

    Parameters
    ----------
    model
        A folder, or a name on the Hugging Face hub, of a token classifier that was trained as
        LLMLingua-2 is (BERT or XLM-RoBERTa); None for the published weights. What is a pruner
        already is handed back.

    Raises
    ------
    MissingExtraError
        If llmlingua is not installed.
    SettingError
        If the weights cannot be had, or are of another kind.
    """
    return _load(model or WEIGHTS) if model is None or isinstance(model, str) else model


@lru_cache(maxsize=2)
def _load(model: str) -> Pruner:
    try:
        import llmlingua  # noqa: F401
    except ImportError as error:
        raise MissingExtraError("llmlingua", EXTRA) from error
    place = os.path.expanduser(model)
    try:
        with _own_randomness():
            return LlmlinguaPruner(_compressor(place))
    except SettingError:
        raise
    except Exception as error:  # transformers raises nothing narrower
        reason = str(error).strip().partition("\n")[0]
        raise SettingError(
            f"no weights of LLMLingua-2 can be read ({reason})", where=model, remedy=_REMEDY
        ) from error


def _compressor(place: str) -> Any:
    """Make a `PromptCompressor` from a folder of any name, without a download for counting."""
    from llmlingua import PromptCompressor

    class Compressor(PromptCompressor):  # type: ignore[misc]
        def __init__(self) -> None:
            self.model_name = _family(place)
            self.oai_tokenizer = _Counting()
            self.load_model(place, "cpu", {"trust_remote_code": False})
            self.init_llmlingua2()

    return Compressor()


class _Counting:
    """Counts as the tokenizer of gpt-3.5-turbo does, which llmlingua downloads to count words."""

    def encode(self, text: str) -> range:
        return range(BytePairs("cl100k").count([text])[0])


def _family(place: str) -> str:
    """Give the name by which llmlingua knows how this kind of model marks words."""
    from transformers import AutoConfig

    config = AutoConfig.from_pretrained(place)
    heads = config.architectures or ()
    if config.model_type in _FAMILIES and any("ForTokenClass" in head for head in heads):
        return _FAMILIES[config.model_type]
    raise SettingError(
        f"a {config.model_type} ({', '.join(heads)}) is no token classifier of LLMLingua-2",
        where=place,
        remedy=_REMEDY,
    )


@contextmanager
def _own_randomness() -> Iterator[None]:
    """Put back what llmlingua seeds: the generators of the whole process, and its environment."""
    import torch

    ours, numbers = random.getstate(), np.random.get_state()
    environment = os.environ.get("PYTHONHASHSEED")
    try:
        with torch.random.fork_rng(devices=[]):
            yield
    finally:
        random.setstate(ours)
        np.random.set_state(numbers)
        os.environ.pop("PYTHONHASHSEED", None)
        if environment is not None:
            os.environ["PYTHONHASHSEED"] = environment
