"""What a study needs and does not have: all of it is told at once, before any work."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from importlib.util import find_spec
from itertools import chain

from lre.errors import LreError, MissingExtraError
from lre.evict import evict
from lre.policies import Originated, Policy, Summarising, lacking
from lre.policies.acon import Acon

__all__ = ["demand"]

_MODULES = {"scikit-learn": "sklearn", "SciPy": "scipy"}
_EXTRAS = {
    **dict.fromkeys(("scikit-learn", "SciPy"), "train"),
    **dict.fromkeys(("matplotlib", "jinja2"), "plots"),
    "openai": "openai",
}
_ROOM = 60  # tokens: of the two that compete one goes
_SAID = {"Begin": "user", "Done": "assistant", "On": "user", "So": "assistant"}
_TRIAL = [{"role": role, "content": f"{word} " * 40} for word, role in _SAID.items()]


def demand(packages: Iterable[str], policies: Iterable[Policy] = (), extra: str = "") -> None:
    """Refuse to begin where a package is missing, or what a policy needs to decide.

    A policy that runs packages or a model of others decides once over four short messages; one
    that has summaries written only has to know whom to ask. `extra` is what to install for
    `packages`; by default the smallest that brings each.

    Raises
    ------
    LreError
        The only problem as it is, or all of them in one line.

    Examples
    --------
    >>> demand(["no_such_package"], extra="bench")
    Traceback (most recent call last):
    lre.errors.MissingExtraError: no_such_package is not installed: pip install 'lre[bench]'
    """
    every = [*_missing(packages, extra), *chain.from_iterable(map(_problems, policies))]
    found = list({str(problem): problem for problem in every}.values())
    if len(found) == 1:
        raise found[0]
    if found:
        what = "; ".join(str(LreError(one.what, where=one.where)) for one in found)
        raise LreError(what, remedy="; ".join(_remedies(found)))


def _missing(packages: Iterable[str], extra: str) -> Iterator[LreError]:
    for package in packages:
        if find_spec(_MODULES.get(package, package)) is None:
            yield MissingExtraError(package, extra or _EXTRAS[package])


def _problems(policy: Policy) -> Iterator[LreError]:
    """Say what keeps a policy from deciding."""
    if not (isinstance(policy, Originated) and policy.origin.packages):
        return
    if isinstance(policy, Summarising) and (missing := lacking(policy)):
        yield missing
    try:
        _try(policy)
    except LreError as error:
        yield error


def _try(policy: Policy) -> None:
    if isinstance(policy, Acon):
        _ = policy.endpoint  # made out, not asked
    elif not isinstance(policy, Summarising):  # a summary costs a call
        evict(_TRIAL, older_budget=_ROOM, recent=0, policy=policy)


def _remedies(problems: Iterable[LreError]) -> Iterator[str]:
    """Give one installation for all extras, and whatever else there is to do."""
    problems = list(problems)
    missing = [one.remedy for one in problems if isinstance(one, MissingExtraError)]
    extras = dict.fromkeys(remedy.partition("[")[2].partition("]")[0] for remedy in missing)
    if extras:
        yield f"pip install 'lre[{','.join(extras)}]'"
    yield from dict.fromkeys(one.remedy for one in problems if one.remedy not in missing)
