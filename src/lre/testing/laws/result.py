"""Laws 0 to 4: what comes back."""

from __future__ import annotations

import json
from typing import Any, Unpack

import numpy as np

from lre.evict import Settings, evict, prepare
from lre.explain import explain
from lre.testing.laws.base import demand
from lre.testing.reference import Case, added_problems, open_calls, tied

__all__ = ["unchanged_under_budget", "usable", "valid", "verbatim", "within_budget"]


def usable(messages: list[Any], **settings: Unpack[Settings]) -> None:
    """Law 0. `evict` raises only on unusable arguments; the receipt prints and is JSON."""
    try:
        result = evict(messages, **settings)
        explained = explain(messages, **settings)
        said = f"{result.receipt}{explained}"
        json.dumps([result.receipt.to_dict(), explained.to_dict()], allow_nan=False)
        said.encode("utf-8", "surrogatepass")
    except Exception as error:
        raise AssertionError(
            f"law 0 (usable): {type(error).__name__} was raised: {error}"
        ) from error
    _policy_gives_what_it_promises(messages, settings)


def _policy_gives_what_it_promises(messages: list[Any], settings: Settings) -> None:
    ledger, rules = prepare(messages, **settings)
    view, policy = ledger.view(), rules.policy
    scores = policy.score(view)
    size = len(view.units)
    demand(scores.shape == (size,), 0, f"{policy.name} scores {scores.shape}, not {(size,)}")
    demand(bool(np.isfinite(scores).all()), 0, f"{policy.name} gives a score that is no number")
    for some in (slice(0, 0), slice(1, None), slice(None)):
        chosen = policy.choose(scores[some], view.costs[some], 50)
        fits = chosen.shape == scores[some].shape and chosen.dtype == np.bool_
        what = f"{chosen.dtype} {chosen.shape}, not bool {scores[some].shape}"
        demand(fits, 0, f"{policy.name} chooses {what}")


def verbatim(messages: list[Any], **settings: Unpack[Settings]) -> None:
    """Law 1. Every returned message is the caller's own object, in order."""
    result = evict(messages, **settings)
    kept = result.selection.kept
    demand(len(result.messages) == len(kept), 1, f"{len(result.messages)} came back for {kept}")
    for entry, index in zip(result.messages, kept, strict=True):
        demand(entry is messages[index], 1, f"messages[{index}] came back as another object")
    decided = [index for d in result.selection.decisions for index in d.messages]
    demand(sorted(decided) == [*range(len(messages))], 1, f"decided on {decided}, not once on each")


def valid(messages: list[Any], **settings: Unpack[Settings]) -> None:
    """Law 2. Eviction adds no problem; what belongs together stays together; open calls stay."""
    case, result = Case(messages, settings), evict(messages, **settings)
    gone = {*range(len(messages))} - {*result.selection.kept}
    for one, other in tied(case.parsed):
        demand((one in gone) == (other in gone), 2, f"messages {one} and {other} were parted")
    lost = sorted(gone & {*open_calls(case.parsed)})
    demand(not lost, 2, f"messages {lost} with open calls are gone")
    added = added_problems(messages, result.messages, case.dialect)
    demand(not added, 2, f"without {sorted(gone)} there is also {'; '.join(added)}")


def within_budget(messages: list[Any], **settings: Unpack[Settings]) -> None:
    """Law 3. Within budget, or exactly what must stay and `over_budget`."""
    case, result = Case(messages, settings), evict(messages, **settings)
    kept, must = {*result.selection.kept}, case.must_stay
    demand(must <= kept, 3, f"pinned or recent messages {sorted(must - kept)} are gone")
    over = case.charged(must) > case.limit
    demand(result.over_budget == over, 3, f"over_budget is {result.over_budget}, not {over}")
    demand(not over or kept == must, 3, f"over budget, and {sorted(kept - must)} came back too")
    tokens = case.charged(kept)
    demand(over or tokens <= case.limit, 3, f"{tokens} tokens, {case.limit} allowed")
    told = (result.receipt.limit, result.receipt.after)
    right = (case.limit, case.prompt(kept))
    demand(told == right, 3, f"the receipt says limit and tokens are {told}, not {right}")


def unchanged_under_budget(messages: list[Any], **settings: Unpack[Settings]) -> None:
    """Law 4. Under budget the same list comes back."""
    case = Case(messages, settings)
    everything = {*range(len(messages))}
    if case.charged(everything) <= case.limit:
        _demand_unchanged(messages, settings, "under budget")
    settings = {**settings, "budget": case.prompt(everything), "older_budget": None}
    _demand_unchanged(messages, settings, "with just enough")


def _demand_unchanged(messages: list[Any], settings: Settings, when: str) -> None:
    result = evict(messages, **settings)
    decisions = result.selection.decisions
    gone = [d.unit for d in decisions if d.verdict != "kept"]
    demand(not gone, 4, f"{when}, units {gone} were evicted")
    scored = [d.unit for d in decisions if d.score is not None]
    demand(not scored, 4, f"{when}, units {scored} were scored all the same")
    demand(result.messages is messages, 4, f"{when}, another list came back")
    demand(not result.over_budget, 4, f"{when}, the result says over_budget")
