"""Small conversations by hand, in every dialect, on which any law can be tried at once."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping

from lre.evict import evict
from lre.pieces import SPLITTERS
from lre.policies import Policy
from lre.testing.wire import WRITERS, Call, Entry, Result, Turn, tidy

__all__ = ["KNOTS", "LISTS", "SAMPLES", "fingerprint"]

_TURNS = (
    Turn("user", ("Change flight HAT021 of mia@example.org to 2024-05-17, please.",)),
    Turn(
        "assistant",
        ("Let me look.",),
        "Both at once.",
        calls=(
            Call("call_1", "find_user", {"mail": "mia@example.org"}),
            Call("call_2", "find_flights", {"day": "2024-05-17"}),
        ),
    ),
    Turn(
        "user",
        results=(
            Result(
                "call_2", '[{"flight": "HAT021", "seats": 4}, {"flight": "HAT136", "seats": 0}]'
            ),
            Result("call_1", '{"user_id": "mia_li_3668", "token": "tok_9f3cA1"}'),
        ),
    ),
    Turn("assistant", ("HAT136 is full. Shall I take HAT021?",)),
    Turn("user", ("Yes. 请快一点。", "And an aisle seat."), image=True),
    Turn("assistant", calls=(Call("call_3", "book", {"flight": "HAT021", "user": "mia_li_3668"}),)),
    Turn("user", results=(Result("call_3", "error: payment denied \ud800", failed=True),)),
    Turn("assistant", ("The payment was denied; which card?\n```bash\nls cards\n```",)),
    Turn("user", ("Observation: card_77, card_78",)),
    Turn("assistant", calls=(Call("call_4", "book", {"card": "card_77"}),)),
    Turn("user", ("Use card_78 instead!",), results=(Result("call_4", "booked: W2378156"),)),
    Turn("assistant", thought="Seat 12C is an aisle seat."),
    Turn("assistant", ("Booked: W2378156, seat 12C.",)),
    Turn("user", ("Thanks. What is my user id?",)),
)

_KNOT = (
    Turn("assistant", ("Hello! How can I help?",)),
    Turn("user", ("Book HAT021 for mia@example.org.",)),
    Turn("user", results=(Result("nobody's", "seat 12C"),)),
    Turn("assistant", calls=(Call(None, "book", {"flight": "HAT021"}),)),
    Turn("user", results=(Result(None, "W2378156"),)),
    Turn("assistant", calls=(Call("call_1", "find", {"flight": "HAT021"}),)),
    Turn("user", ("Hurry, please.",)),
    Turn("assistant", calls=(Call("REDACTED", "find", {"mail": "mia@example.org"}),)),
    Turn("user", ("Are you there?",)),
    Turn("system", ("Answer in one sentence.",)),
    Turn("user", results=(Result("REDACTED", "user mia_li_3668"), Result("call_1", "4 seats"))),
    Turn("user", calls=(Call("call_1", "show", {"booking": "W2378156"}),)),
    Turn("user", results=(Result("call_1", ""), Result("call_1", "error", failed=True))),
    Turn("assistant", calls=(Call("REDACTED", "pay", {"booking": "W2378156"}),)),
    Turn("user", ("Forget it.",)),
    Turn("assistant", ("W2378156 waits.",), "What did mia_li_3668 want?"),
    Turn("assistant", ("Anything else?",)),
    Turn("user", ("",)),
)


_FLIGHTS = "\n".join(
    f"HAT{number} leaves at {number % 24}:30 from gate {number % 7}, {number % 5} seats are left"
    for number in range(101, 109)
)
_ORDERS = json.dumps(
    [
        {"order_id": f"W23781{n}", "status": "pending", "item": f"lamp-{n}", "note": "call first"}
        for n in range(50, 56)
    ]
)
_LISTS = (
    Turn("user", ("Which flights leave today, and what did I order? I am mia@example.org.",)),
    Turn("assistant", calls=(Call("call_1", "list_flights", {"day": "2024-05-17"}),)),
    Turn("user", results=(Result("call_1", _FLIGHTS),)),
    Turn("assistant", ("Flight HAT104 has seats. Shall I look at the orders as well?",)),
    Turn("user", ("Yes, please. Mind order W2378151. It is the one that I need most of all.",)),
    Turn("assistant", thought=_FLIGHTS, calls=(Call("call_2", "list_orders", {"note": _FLIGHTS}),)),
    Turn("user", results=(Result("call_2", _ORDERS),)),
    Turn("assistant", (f"These are all:\n{_FLIGHTS}", "HAT107 has a seat at the window, too.")),
    Turn("user", (f"Once more:\r\n{_FLIGHTS}\r\n",)),
    Turn("assistant", (f"I read it.\n```bash\ncat <<EOF\n{_FLIGHTS}\nEOF\n```",)),
    Turn("user", (f"Observation: {_FLIGHTS}\n{_FLIGHTS}",)),
    Turn("assistant", calls=(Call("call_3", "get_order", {"order": "W2378151"}),)),
    Turn("user", results=(Result("call_3", '{"order_id": "W2378151", "gate": "HAT104"}'),)),
    Turn("assistant", ("Order W2378151 is pending.",)),
)


def _written(turns: Iterable[Turn]) -> dict[str, list[Entry]]:
    turns = list(turns)
    return {name: [e for turn in turns for e in write(turn)] for name, write in WRITERS.items()}


def _tidied(turns: Iterable[Turn]) -> dict[str, list[Entry]]:
    turns = list(turns)
    return {
        name: [e for t in tidy(name, turns) for e in write(t)] for name, write in WRITERS.items()
    }


KNOTS: Mapping[str, list[Entry]] = _written(_KNOT)
"""By dialect: the assistant begins, results of two turns in one message, an orphan, a result
twice, useless and repeated ids, an old call without one, a call of the user's, one that nobody
answers, a late system message, an empty end. Units merge after others began between them."""

LISTS: Mapping[str, list[Entry]] = _written(_LISTS)
"""By dialect: results, words, thoughts, arguments and text-only actions of many lines or records,
of which spans can go."""

SAMPLES: Mapping[str, list[Entry]] = _tidied(_TURNS)
"""By dialect: parallel calls answered in another order, thoughts beside what they led to and in
a message of their own, an image, a failure, a text-only action, an Anthropic message of a result
and words; no provider would object."""


def fingerprint(policy: str | Policy) -> str:
    """Write down all that a policy decides on the samples: the same text on every machine.

    >>> fingerprint("fifo") == fingerprint("fifo")
    True
    """
    results = [
        evict(
            messages,
            policy=policy,
            budget=share,
            recent=1,
            dialect=dialect,
            granularity=granularity,
        )
        for samples in (SAMPLES, KNOTS, LISTS)
        for dialect, messages in samples.items()
        for share in ("20%", "50%", "80%")
        for granularity in SPLITTERS
    ]
    return json.dumps([[result.receipt.to_dict(), result.messages] for result in results])
