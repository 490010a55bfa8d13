"""`evict`: the one composition. Messages → units → features → scores → selection → messages."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, TypedDict, Unpack

from lre.decide import Eviction, Rules, decide
from lre.dialects import check_list
from lre.ledger import Ledger
from lre.messages import Budget
from lre.pins import Pin
from lre.policies import Policy
from lre.policies import policy as get_policy
from lre.tokens import CounterSpec

__all__ = ["Reading", "Settings", "evict", "prepare"]


class Reading(TypedDict, total=False):
    """How messages are read: the arguments of a `Ledger`."""

    pin: Pin | Iterable[Pin]
    system: object
    tools: object
    dialect: str | None
    counter: CounterSpec
    segmenter: str


class Settings(Reading, total=False):
    """The arguments of `evict` beside the messages, for those that hand them on."""

    budget: float | str | None
    older_budget: float | str | None
    policy: str | Policy
    granularity: str
    oversize: str | None
    recent: int


def evict(
    messages: Sequence[Any],
    *,
    budget: float | str | None = None,
    older_budget: float | str | None = None,
    policy: str | Policy = "lre",
    granularity: str = "unit",
    oversize: str | None = None,
    recent: int = 5,
    pin: Pin | Iterable[Pin] = (),
    system: object = None,
    tools: object = None,
    dialect: str | None = None,
    counter: CounterSpec = "o200k",
    segmenter: str = "auto",
) -> Eviction:
    """Fit a history into a budget; what stays, stays word for word.

    Parameters
    ----------
    messages
        A list of any supported dialect; neither it nor its entries are changed.
    budget, older_budget
        Exactly one: the most tokens that the whole prompt may cost (the returned messages,
        `system` and `tools`), or that the units outside pins and recent window may cost
        together. A share such as ``"25%"`` is of what all of it costs before anything goes.
    policy
        A name (`lre policies` lists them) or a policy of your own.
    granularity
        ``"unit"``: units stay or go as a whole. ``"span"``: of what stays, lines, records and
        sentences may be cut; the message is then a copy, in which each gap shows a marker. A
        policy that does not value pieces keeps whole units either way.
    oversize
        ``"span"``: where pins and recent window alone break the budget, results that take more
        than their share of it are cut into spans as well. By default nothing of these is cut.
    recent
        How many of the latest units are always kept.
    pin
        What else is always kept: indices, patterns to find in a message's text, or predicates
        of your own message objects. System messages, the task (the first user message), open
        calls and the latest unit always are.
    system, tools
        What is sent with the messages but apart from them; counted, never evicted.
    dialect, segmenter
        Names, where recognising them by themselves is not what you want.
    counter
        A name, a callable, or the path of a ``tokenizer.json``.

    Returns
    -------
    Eviction
        `messages` (the very list given, if it fits the budget), `receipt`, `over_budget`.

    Raises
    ------
    BudgetError
        Without exactly one budget that is a positive number.
    MessageError
        If `messages` is no list of messages.
    SettingError
        If another argument cannot be used.

    Examples
    --------
    >>> chat = [{"role": "user", "content": f"Note {i}: ticket T-{i}00{i}"} for i in range(40)]
    >>> result = evict(chat, budget="50%")
    >>> len(result.messages) < 40, result.messages[0] is chat[0]
    (True, True)
    """
    ledger, rules = prepare(
        messages,
        budget=budget,
        older_budget=older_budget,
        policy=policy,
        granularity=granularity,
        oversize=oversize,
        recent=recent,
        pin=pin,
        system=system,
        tools=tools,
        dialect=dialect,
        counter=counter,
        segmenter=segmenter,
    )
    result = decide(ledger, rules)
    if isinstance(messages, list) and result.is_unchanged:
        return replace(result, messages=messages)
    return result


def prepare(
    messages: Sequence[Any],
    *,
    budget: float | str | None = None,
    older_budget: float | str | None = None,
    policy: str | Policy = "lre",
    granularity: str = "unit",
    oversize: str | None = None,
    recent: int = 5,
    **reading: Unpack[Reading],
) -> tuple[Ledger, Rules]:
    """Check the arguments of `evict` and read the messages."""
    limit = Budget.of(budget=budget, older_budget=older_budget)
    rules = Rules(limit, get_policy(policy), recent, granularity, oversize=oversize)
    ledger = Ledger(**reading)
    ledger.extend(check_list(messages))
    ledger.pins.check(len(ledger))
    return ledger, rules
