"""Conversations as rows: each unit once, at the end, with its words and its labels."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from lre.features import Words, matrix, word_hashes
from lre.learn.answers import LABELS, Told
from lre.ledger import Ledger
from lre.messages import Text
from lre.policies import View
from lre.scorer.file import LONGEST
from lre.tokens import CounterSpec
from lre.traces import Trace

__all__ = ["Talk", "apart", "joined", "opened", "picked", "spellings", "talk"]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Hashes = npt.NDArray[np.uint64]

# One word of the lexer each: a longer match would tell more than the word that is known.
_WORD = re.compile(r"[\u3000-\u9fff]|[^\W\u3000-\u9fff]+(?:[./@-][^\W\u3000-\u9fff]+)*")
_FOLD = {upper: upper + 32 for upper in range(ord("A"), ord("Z") + 1)}


@dataclass(frozen=True)
class Talk:
    """Units: `values` have shape ``(units, features)``, `session` and each label ``(units,)``.

    `session` tells sessions apart by what is said in them; `labels` count, see
    `lre.learn.answers`.
    """

    features: tuple[str, ...]
    values: Floats
    said: Words
    session: Ints
    labels: Mapping[str, Floats]


def opened(trace: Trace, segmenter: str | None = None, counter: CounterSpec = "estimate") -> Ledger:
    """Read a conversation whole; by default in the units in which its log speaks of it."""
    ledger = Ledger(segmenter=segmenter or trace.segmenter, counter=counter)
    ledger.extend(trace.messages)
    return ledger


def talk(trace: Trace, view: View, features: Sequence[str], labels: Sequence[str]) -> Talk:
    """Take every unit as it is seen at the end."""
    told = Told(view.moment, view.owner, trace.questions)
    return Talk(
        tuple(features),
        matrix(view.moment, features),
        view.moment.said_words,
        _sessions(view),
        {name: LABELS[name](told) for name in labels},
    )


def joined(talks: Sequence[Talk]) -> Talk:
    """Put the rows of several conversations end to end.

    Raises
    ------
    ValueError
        If there are none.
    """
    starts = np.cumsum([0, *(len(one.values) for one in talks)])
    said = Words(
        np.concatenate([one.said.unit + at for one, at in zip(talks, starts, strict=False)]),
        np.concatenate([one.said.hash for one in talks]),
        np.concatenate([one.said.types for one in talks]),
    )
    return Talk(
        talks[0].features,
        np.concatenate([one.values for one in talks]),
        said,
        np.concatenate([one.session for one in talks]),
        {name: np.concatenate([one.labels[name] for one in talks]) for name in talks[0].labels},
    )


def apart(train: Sequence[Talk], test: Sequence[Talk]) -> Ints:
    """Find the rows of the joined `train` whose session stands in no conversation of `test`."""
    sessions, seen = (np.concatenate([one.session for one in some]) for some in (train, test))
    return np.flatnonzero(~np.isin(sessions, seen))


def picked(rows: Talk, places: Ints) -> Talk:
    """Take some rows; `places` are ascending."""
    number = np.full(len(rows.values), -1)
    number[places] = np.arange(len(places))
    there = number[rows.said.unit] >= 0
    said = Words(number[rows.said.unit[there]], rows.said.hash[there], rows.said.types[places])
    labels = {name: counts[places] for name, counts in rows.labels.items()}
    return replace(
        rows, values=rows.values[places], said=said, session=rows.session[places], labels=labels
    )


def _sessions(view: View) -> Ints:
    """Number each unit's session by a hash of all that is said in it, its time left out."""
    number = view.moment.session
    digests = [hashlib.blake2b(digest_size=8) for _ in range(int(number.max(initial=-1)) + 1)]
    for message, unit in zip(view.messages, view.owner, strict=True):
        for part in message.parts:
            if isinstance(part, Text):
                text = f"{message.role}\n{part.text}\n"
                digests[number[unit]].update(text.encode("utf-8", "surrogatepass"))
    found = np.array([int.from_bytes(one.digest(), "little", signed=True) for one in digests])
    return found[number] if len(number) else np.zeros(0, np.int64)


def spellings(texts: Iterable[str], wanted: Hashes) -> dict[int, str]:
    """Find out how words are spelt, in lower case, by their hash, from texts that have them.

    >>> wanted = np.array(word_hashes(["oslo"]), dtype=np.uint64)
    >>> list(spellings(["Is it Oslo?"], wanted).values())
    ['oslo']
    """
    missing, found = set(wanted.tolist()), dict[int, str]()
    seen: set[str] = set()
    for text in texts:
        new = sorted(set(_WORD.findall(text)) - seen)
        seen.update(new)
        for value, word in zip(word_hashes(new), new, strict=True):
            if value in missing and len(word) <= LONGEST:
                missing.remove(value)
                found[value] = word.translate(_FOLD)
        if not missing:
            break
    return found
