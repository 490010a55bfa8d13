"""Every error is one line, and survives the way from one process to another."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import pytest

from lre import errors
from lre.errors import LreError, MissingExtraError, UnknownNameError

ARGUMENTS: dict[type[LreError], tuple[Any, ...]] = {
    UnknownNameError: ("policy", "lru", ["lre", "fifo"]),
    MissingExtraError: ("scikit-learn", "train"),
}


def tree(root: type[LreError] = LreError) -> list[type[LreError]]:
    return [root, *(kind for child in root.__subclasses__() for kind in tree(child))]


def raised(kind: type[LreError]) -> LreError:
    if kind in ARGUMENTS:
        return kind(*ARGUMENTS[kind])
    return kind("content is a number", where="messages[3].content", remedy="pass a string")


def test_the_tree_is_what_the_module_names() -> None:
    assert {kind.__name__ for kind in tree()} == set(errors.__all__)


@pytest.mark.parametrize("kind", tree())
@pytest.mark.parametrize("again", [lambda e: pickle.loads(pickle.dumps(e)), copy.copy])  # noqa: S301
def test_an_error_survives_pickling(kind: type[LreError], again: Any) -> None:
    error = raised(kind)
    found = again(error)
    assert type(found) is kind
    assert str(found) == str(error)
    assert (found.what, found.where, found.remedy) == (error.what, error.where, error.remedy)


@pytest.mark.parametrize("kind", tree())
def test_an_error_is_one_line(kind: type[LreError]) -> None:
    assert "\n" not in str(raised(kind))
