"""Hypothesis strategies: conversations in every wire format, well-formed ones and all others."""

from __future__ import annotations

import copy
from collections.abc import Callable
from itertools import accumulate
from typing import Any, Final

from hypothesis import strategies as st

from lre.lint import problems
from lre.testing.wire import WRITERS, Call, Entry, Result, Turn, tidy

__all__ = ["arguments", "cases", "conversations", "junk", "mangled", "texts", "valid_conversations"]

_WORDS: Final = (
    "W2378156", "src/lre/app.py", "mia@example.org", "tok_9f3cA1", "user_id", "HAT021", "#4711",
    "https://example.org/a/17", "127.0.0.1", "error:", "Traceback", "denied", "def", "return",
    "please", "thanks", "why?", "order", "the", "flight", '{"order_id":"W2378156"}', "\n", "```",
    "1200", "getUserName", "don't", "3.14",
)  # fmt: skip
_HOSTILE: Final = (
    "\ud800", "\udfff\ud83d", "\x00", "\u202eRTL\u202c", "订单号码", "ご注文は", "👩‍👩‍👧",
    "e\u0301", "\ufeff", "a" * 700, "QUJD" * 400, "_" * 90, "\u2028", "(((((", "\x1b[31m", "ß",
    "İ", "-.-@/",
)  # fmt: skip
_USELESS: Final = ("REDACTED", "", "call_1", "call_2")
_NEW = 0.7  # of calls have an id of their own


def texts(*, hostile: bool = True) -> st.SearchStrategy[str]:
    """Texts of words that come again and again; with lone surrogates and the like, if `hostile`."""
    words = st.sampled_from(_WORDS)
    if not hostile:
        plain = st.lists(words, min_size=1, max_size=8).map(" ".join).filter(str.strip).map(_ended)
        return st.one_of(plain, plain, _listed(plain))
    usual = st.lists(st.sampled_from([*_WORDS, *_WORDS, *_HOSTILE]), max_size=8).map(" ".join)
    odd = st.one_of(st.sampled_from(["", " ", "\n"]), st.text(max_size=12))
    return st.one_of(usual, usual, odd, _listed(usual))


def _listed(line: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    """Give a text of several lines, sentences or records, of which spans can go."""
    joints = st.sampled_from(["\n", "\r\n", ". The next: ", ', {"item": '])
    lines = st.lists(line, min_size=2, max_size=6)
    return st.tuples(joints, lines).map(lambda drawn: drawn[0].join(drawn[1]))


def _ended(text: str) -> str:
    return f"{text.rstrip()}."


class _Writer:
    """Draws turn after turn; remembers which calls wait for a result."""

    def __init__(self, draw: st.DrawFn, hostile: bool) -> None:
        self.draw, self.hostile = draw, hostile
        self.turns: list[Turn] = []
        self.waiting: list[str | None] = []
        self.count = 0

    def text(self) -> str:
        return self.draw(texts(hostile=self.hostile))

    def some(self, least: int, most: int) -> tuple[str, ...]:
        """Several texts."""
        return tuple(self.text() for _ in range(self.draw(st.integers(least, most))))

    def say(self, role: str) -> None:
        image = role == "user" and self.draw(st.integers(0, 7)) == 0
        self.turns.append(Turn(role, self.some(0 if self.hostile else 1, 2), image=image))

    def think(self) -> str:
        return self.text() if self.draw(st.booleans()) else ""

    def call(self, role: str = "assistant") -> None:
        calls = tuple(self._call() for _ in range(self.draw(st.integers(1, 3))))
        thought = self.think() if role == "assistant" else ""
        self.turns.append(Turn(role, self.some(0, 1), thought, calls=calls))
        self.waiting.extend(call.id for call in calls)

    def _call(self) -> Call:
        self.count += 1
        name: str | None = f"call_{self.count}"
        if self.hostile and self.draw(st.floats(0, 1)) > _NEW:
            name = self.draw(st.sampled_from([*_USELESS, None]))
        return Call(name, self.draw(st.sampled_from(["look", "book"])), {"what": self.text()})

    def answer(self, all_of_them: bool) -> None:
        """Give results for calls that wait, in any order; the rest waits on."""
        order = self.draw(st.permutations(self.waiting))
        least = len(order) if all_of_them else 0
        given = order[: self.draw(st.integers(least, len(order)))]
        for name in given:
            self.waiting.remove(name)
        results = tuple(self._result(name) for name in given)
        if self.draw(st.booleans()):
            self.turns.append(Turn("user", self.some(0, 1), results=results))
        else:
            self.turns.extend(Turn("user", results=(result,)) for result in results)

    def _result(self, name: str | None) -> Result:
        return Result(name, self.text(), self.draw(st.integers(0, 4)) == 0)

    def orphan(self) -> None:
        name = self.draw(st.sampled_from([*_USELESS, "nobody's", None]))
        self.turns.append(Turn("user", results=(self._result(name),)))

    def act(self) -> None:
        """Write a step of a log without tool calls: an action, and what came of it."""
        self.turns.append(Turn("assistant", (f"{self.text()}\n```bash\nls\n```",)))
        mark = self.draw(st.sampled_from(["Observation: ", "<returncode>0", "OK. "]))
        self.turns.append(Turn("user", (mark + self.text(),)))

    def muse(self) -> None:
        """Think in an entry of its own: what follows belongs to the same turn."""
        self.turns.append(Turn("assistant", thought=self.text()))

    def anything(self) -> None:
        kinds: dict[str, Callable[[], None]] = {
            "user": lambda: self.say("user"),
            "assistant": lambda: self.say("assistant"),
            "call": self.call,
            "answer": lambda: self.answer(all_of_them=False),
            "answers": lambda: self.answer(all_of_them=True),
            "act": self.act,
            "muse": self.muse,
            "system": lambda: self.say(self.draw(st.sampled_from(["system", "developer"]))),
            "orphan": self.orphan,
            "user's call": lambda: self.call("user"),
            "again": lambda: self.turns.extend(self.turns[-1:]),
        }
        usual = ["call", "answers", "answer", "user", "assistant"]
        kinds[self.draw(st.sampled_from([*usual, *kinds]))]()

    def exchange(self) -> None:
        """Write what every provider takes: words, or calls with all their results."""
        kind = self.draw(st.sampled_from(["user", "assistant", "call", "call", "act"]))
        if kind in ("assistant", "call") and self.draw(st.booleans()):
            self.muse()
        if kind == "call":
            self.call()
            self.answer(all_of_them=True)
        elif kind == "act":
            self.act()
        else:
            self.say(kind)


@st.composite
def conversations(draw: st.DrawFn, dialect: str, longest: int = 9) -> list[Entry]:
    """Draw a list of up to about `longest` turns as logs really have them.

    Parallel calls and results in any order, next to each other or not; calls without a result
    and results without a call; ids that are empty, repeated or useless; calls of the user's;
    text-only actions; reasoning; images; empty texts; system messages anywhere; lists that the
    assistant begins; text of every kind; now and then one object at two places.
    """
    writer = _Writer(draw, hostile=True)
    for _ in range(draw(st.integers(0, longest))):
        writer.anything()
    entries = [entry for turn in writer.turns for entry in WRITERS[dialect](turn)]
    if entries and draw(st.integers(0, 15)) == 0:
        entries.append(draw(st.sampled_from(entries)))
    return _in_sessions(draw, dialect, entries)


@st.composite
def _well_formed(draw: st.DrawFn, dialect: str, longest: int) -> list[Entry]:
    writer = _Writer(draw, hostile=False)
    if dialect.startswith("openai") and draw(st.booleans()):
        writer.say("system")
    writer.say("user")
    for _ in range(draw(st.integers(0, longest))):
        writer.exchange()
    entries = [entry for turn in tidy(dialect, writer.turns) for entry in WRITERS[dialect](turn)]
    return _in_sessions(draw, dialect, entries)


def _in_sessions(draw: st.DrawFn, dialect: str, entries: list[Entry]) -> list[Entry]:
    """Now and then let Chat entries name their session, one session after another."""
    if dialect != "openai-chat" or draw(st.integers(0, 3)):
        return entries
    steps = st.sampled_from([0, 0, 1])
    numbers = accumulate(draw(steps) for _ in entries)
    return [{**entry, "session": number} for entry, number in zip(entries, numbers, strict=True)]


def valid_conversations(dialect: str, longest: int = 7) -> st.SearchStrategy[list[Entry]]:
    """Lists in which `problems` finds nothing."""
    return _well_formed(dialect, longest).filter(lambda entries: not problems(entries, dialect))


@st.composite
def cases(draw: st.DrawFn, dialect: str) -> tuple[list[Entry], dict[str, Any]]:
    """Draw messages with usable arguments of `evict` beside policy and dialect."""
    messages = draw(st.one_of(conversations(dialect), valid_conversations(dialect)))
    settings = draw(arguments())
    if not messages:
        settings["pin"] = ()  # an index would lie outside
    return messages, settings


@st.composite
def arguments(draw: st.DrawFn) -> dict[str, Any]:
    """Draw arguments of `evict` beside messages, policy and dialect.

    Index pins are the first and the last message of a list.
    """
    amount = st.one_of(st.integers(1, 900), st.sampled_from(["1%", "25%", "60%", "90%", "150%"]))
    pins = [(), (), (), "W2378156", [0], [-1], [r"\d{4}", _has_image]]
    return {
        draw(st.sampled_from(["budget", "budget", "older_budget"])): draw(amount),
        "recent": draw(st.sampled_from([0, 1, 2, 5])),
        "pin": draw(st.sampled_from(pins)),
        "system": draw(st.sampled_from([None, None, "Be brief."])),
        "tools": draw(st.sampled_from([None, None, [{"name": "look", "input_schema": {}}]])),
        "granularity": draw(st.sampled_from(["unit", "span"])),
        "oversize": draw(st.sampled_from([None, None, "span"])),
        "segmenter": draw(st.sampled_from(["auto", "auto", "react", "turns", "sessions"])),
    }


def _has_image(raw: object) -> bool:
    return "image" in repr(raw)


def junk() -> st.SearchStrategy[Any]:
    """Whatever JSON can hold, with the providers' own words in it: mostly no message at all."""
    words = ["role", "content", "type", "text", "tool_calls", "function", "id", "tool_use", "user",
             "assistant", "input", "name", "arguments", "message", "function_call", "thinking",
             "tool", "output", "reasoning", "summary", "call_id", "tool_result", "image_url",
             "image", "document", "source", "data", "system", "action", "parts", "model", "thought",
             "functionCall", "functionResponse", "response", "inlineData", "thoughtSignature",
             "toolUse", "toolResult", "toolUseId", "reasoningContent", "cachePoint"]  # fmt: skip
    leaves = st.one_of(
        st.none(), st.booleans(), st.integers(), st.floats(), st.sampled_from(words), st.text()
    )
    return st.recursive(
        leaves,
        lambda inner: st.one_of(
            st.lists(inner, max_size=4),
            st.dictionaries(st.sampled_from(words), inner, max_size=5),
        ),
        max_leaves=14,
    )


@st.composite
def mangled(draw: st.DrawFn, dialect: str) -> list[Any]:
    """Draw a conversation in which one value, however deep, gave way to junk."""
    entries: list[Any] = copy.deepcopy(draw(_well_formed(dialect, 3)))
    value: Any = entries
    places: list[Any] = [*range(len(entries))]
    while True:
        place = draw(st.sampled_from(places))
        inner = value[place]
        if not (isinstance(inner, dict | list) and inner and draw(st.integers(0, 4))):
            value[place] = draw(junk())
            return entries
        value, places = inner, list(inner) if isinstance(inner, dict) else [*range(len(inner))]
