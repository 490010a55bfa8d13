"""Contract checks for whoever writes a policy, a dialect, a feature or a segmenter.

Each draws conversations, runs all that applies, and raises `AssertionError` with the smallest
conversation that breaks it. The Hypothesis profile says how many are drawn; `examples`
overrides it.
"""

from __future__ import annotations

import copy
import os
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from itertools import product
from typing import Any, TypeVar

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.errors import FlakyFailure

from lre import dialects, policies
from lre.dialects import DIALECTS, Dialect
from lre.features import Feature
from lre.pieces import SPLITTERS
from lre.policies import Policy
from lre.testing import contracts
from lre.testing.laws import LAWS, demand
from lre.testing.samples import KNOTS, LISTS, SAMPLES, fingerprint
from lre.testing.strategies import (
    cases,
    conversations,
    junk,
    mangled,
    valid_conversations,
)
from lre.testing.wire import WRITERS

__all__ = [
    "check_dialect",
    "check_feature",
    "check_policy",
    "check_reproducible",
    "check_segmenter",
    "laws_of",
]

Drawn = TypeVar("Drawn")
Entries = st.SearchStrategy[list[Any]]

_GOES = st.lists(st.booleans(), min_size=16, max_size=16)  # which units are taken out
_NAMES = st.sampled_from(sorted(WRITERS))
_ELSEWHERE = """
import sys
from lre.testing.samples import fingerprint
print(*map(fingerprint, sys.argv[1:]), sep="\\n")
"""


def laws_of(policy: str | Policy) -> list[int]:
    """Number the laws that a policy has to keep: all but those that it waives.

    >>> laws_of("full")
    [0, 1, 2, 4, 5, 6, 7, 8, 9]
    """
    return [number for number in LAWS if number not in policies.policy(policy).waives]


def check_policy(
    policy: str | Policy, laws: Sequence[int] | None = None, examples: int | None = None
) -> None:
    """Check that a policy keeps the laws, in every dialect and at both granularities.

    Parameters
    ----------
    policy
        A name, ``"package.module:Class"``, or the policy itself.
    laws
        Numbers of `lre.testing.laws.LAWS`; all that the policy does not waive, if None.
    examples
        How many conversations to draw for each law.

    Raises
    ------
    AssertionError
        If a law is broken.

    Examples
    --------
    >>> check_policy("fifo", laws=[1, 4], examples=5)
    """
    for number in laws_of(policy) if laws is None else laws:
        check_law(number, policy, sorted(DIALECTS), examples)


def check_law(
    law: int, policy: str | Policy, spoken: Sequence[str], examples: int | None = None
) -> None:
    """Check one law of one policy in some dialects, named or not."""
    drawn = st.sampled_from(spoken).flatmap(
        lambda name: st.tuples(st.sampled_from([name, None]), cases(name))
    )

    def attempt(case: tuple[str | None, tuple[list[Any], Mapping[str, Any]]]) -> None:
        name, (messages, arguments) = case
        # A policy that remembers gets a fresh start, or else no failure could be made smaller.
        fresh = policy if isinstance(policy, str) else copy.deepcopy(policy)
        LAWS[law](messages, policy=fresh, dialect=name, **arguments)

    for name in spoken:
        for messages, granularity in product((SAMPLES[name], KNOTS[name], LISTS[name]), SPLITTERS):
            chosen = {"budget": "50%", "recent": 1, "granularity": granularity}
            attempt((None, (copy.deepcopy(messages), chosen)))
    _run(attempt, drawn, examples)


def check_dialect(
    dialect: str | Dialect, entries: Entries | None = None, examples: int | None = None
) -> None:
    """Check what a dialect promises; with a name that `evict` knows, the laws as well.

    Parameters
    ----------
    dialect
        A name, or the dialect itself.
    entries
        Lists of messages; may be left out for a dialect of `lre`.
    examples
        How many lists to draw for each promise.

    Raises
    ------
    AssertionError
        If a promise is broken.

    Examples
    --------
    >>> check_dialect("anthropic", examples=2)
    """
    spoken = dialects.get(dialect) if isinstance(dialect, str) else dialect
    ours = entries is None and DIALECTS.get(spoken.name) is spoken
    drawn = conversations(spoken.name) if entries is None else entries
    wrong = st.lists(junk(), max_size=3) | mangled(spoken.name) if ours else st.lists(junk())
    _run(lambda messages: contracts.reads_and_writes(spoken, messages), drawn, examples)
    _run(lambda messages: contracts.reports(spoken, messages), drawn, examples)
    _run(lambda case: contracts.cuts(spoken, *case), st.tuples(drawn, _GOES), examples)
    _run(lambda messages: contracts.refuses(spoken, messages), wrong, examples)
    for samples in (SAMPLES, KNOTS, LISTS) if ours else ():
        contracts.cuts(spoken, samples[spoken.name], [False, True])
        for place in range(len(samples[spoken.name])):
            goes = [place == unit for unit in range(place + 1)]
            contracts.eviction_adds_no_problem(spoken, samples[spoken.name], goes)
    all_kinds = drawn | valid_conversations(spoken.name) if ours else drawn
    _run(
        lambda case: contracts.eviction_adds_no_problem(spoken, *case),
        st.tuples(all_kinds, _GOES),
        examples,
    )
    for number in LAWS if ours else ():
        check_law(number, "fifo", [spoken.name], examples)


def check_reproducible(*names: str) -> None:
    """Check that another process, in which sets and hashes differ, decides the same (law 6).

    Parameters
    ----------
    names
        Names of policies, or ``"package.module:Class"``: another process has to find them.

    Raises
    ------
    AssertionError
        If one of them decides otherwise there.
    """
    here = [fingerprint(name) for name in names]
    for seed in ("1", "2"):
        told = subprocess.run(  # noqa: S603 - this very interpreter
            [sys.executable, "-c", _ELSEWHERE, *names],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=False,
        )
        demand(not told.returncode, 6, f"{names} fail in another process: {told.stderr}")
        for name, text, there in zip(names, here, told.stdout.splitlines(), strict=True):
            demand(text == there, 6, f"{name} decides otherwise in another process")


def check_feature(feature: Feature, examples: int | None = None) -> None:
    """Check that a feature is finite, in its range, causal, and the same in pieces.

    Raises
    ------
    AssertionError
        If it is not.

    Examples
    --------
    >>> from lre.features import FEATURES
    >>> check_feature(FEATURES["error"], examples=2)
    """
    for name in KNOTS:
        contracts.feature_is_sound(feature, SAMPLES[name], name)
        contracts.feature_is_sound(feature, KNOTS[name], name)
        contracts.feature_is_sound(feature, LISTS[name], name)
    drawn = _NAMES.flatmap(lambda name: st.tuples(conversations(name), st.just(name)))
    _run(lambda case: contracts.feature_is_sound(feature, *case), drawn, examples)


def check_segmenter(how: str, examples: int | None = None) -> None:
    """Check that a segmenter's units are whole and stay whole when others go.

    Raises
    ------
    AssertionError
        If they do not.

    Examples
    --------
    >>> check_segmenter("turns", examples=2)
    """
    drawn = _NAMES.flatmap(
        lambda name: st.tuples(
            conversations(name).map(lambda entries: dialects.parse(entries, name)[1]), _GOES
        )
    )
    _run(lambda case: contracts.segments(how, *case), drawn, examples)


def _run(
    attempt: Callable[[Drawn], None], drawn: st.SearchStrategy[Drawn], examples: int | None
) -> None:
    @settings(
        max_examples=examples or settings().max_examples,
        deadline=None,
        database=None,
        report_multiple_bugs=False,
        suppress_health_check=list(HealthCheck),
    )
    @given(drawn)
    def attempts(case: Drawn) -> None:
        attempt(case)

    try:
        attempts()
    except FlakyFailure as error:  # broken, though not twice in the same way
        raise error.exceptions[0] from None
