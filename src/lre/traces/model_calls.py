"""What tracers log: requests to models, each of which repeats the conversation so far.

An agent of fifty steps leaves fifty requests, and the last holds all of them. Of requests that
were sent again with more after them only the longest is read, with its reply; what a sub-agent
was asked, or a history that was rewritten, is no beginning of another and stays a session.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from lre.traces.base import Trace, first_words
from lre.traces.entries import Entry, trace
from lre.traces.turns import Turn

__all__ = ["Request", "sessions", "tool_result", "unrepeated"]

_MARKED = 4  # levels of lists in which marks stand: messages, blocks, blocks of results
_CALL_ID = ("gen_ai.tool.call.id", "ai.toolCall.id")


@dataclass(frozen=True, slots=True)
class Request:
    """One call of a model: what it was given, and what it answered.

    `group` is the conversation or run in which requests repeat one another, `task` what the
    log calls the lineage ("" where it has no name for it), and `id` the span's.
    """

    where: str
    sent: list[Entry]
    reply: list[Entry] = field(default_factory=list)
    id: str = ""
    group: str = ""
    task: str = ""
    time: str = ""
    system: Any = None
    tools: Any = None
    meta: Mapping[str, Any] = field(default_factory=dict)


def sessions(
    reader: str,
    requests: Iterable[Request],
    parents: Mapping[str, str] | None = None,
    results: Mapping[str, Entry] | None = None,
) -> Iterator[Trace]:
    """Give a trace for each request that no other continues.

    `parents` are those of spans. `results` are what the spans of tools say, by the call's id:
    which results are errors, and what the last reply's calls gave, as no later request says.

    >>> hi, yes = {"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Yes?"}
    >>> log = [Request("f:1", [hi], [yes]), Request("f:2", [hi, yes, hi], [yes])]
    >>> [len(trace.messages) for trace in sessions("otel", log)]
    [4]
    """
    groups: dict[str, list[Request]] = {}
    for one in _leaves([*requests], parents or {}):
        groups.setdefault(one.group, []).append(one)
    for group in groups.values():
        ordered = sorted(group, key=lambda one: one.time)
        kept = [ordered[i] for i in unrepeated([one.sent for one in ordered])]
        task = next((one.task for one in kept if one.task), "") or first_words(kept[0].sent)
        for one in kept:
            yield _trace(reader, one, task, results or {})


def tool_result(attributes: object, output: object, error: bool) -> dict[str, Entry]:
    """Write what a tool's span says of its result, by the id of the call; {} without an id.

    >>> list(tool_result({"gen_ai.tool.call.id": "c1"}, "a box", False))
    ['c1']
    """
    known = attributes if isinstance(attributes, Mapping) else {}
    call_id = next((known[key] for key in _CALL_ID if isinstance(known.get(key), str)), "")
    if not call_id or output is None:
        return {}
    turn = Turn("tool")
    turn.result(call_id, output, error=error)
    return {call_id: turn.entries()[0]}


def _leaves(requests: Sequence[Request], parents: Mapping[str, str]) -> list[Request]:
    """Leave out spans around requests, which log the same once more (the Vercel AI SDK's do)."""
    above: set[str] = set()
    for one in requests:
        at = parents.get(one.id, "")
        while at and at not in above:
            above.add(at)
            at = parents.get(at, "")
    return [one for one in requests if one.id not in above]


def unrepeated(lists: Sequence[Sequence[Entry]]) -> list[int]:
    """Give the places of the lists that no other list begins with; of equals the last stays.

    >>> hi, yes = {"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Yes?"}
    >>> unrepeated([[hi], [hi, yes, hi], [yes]])
    [1, 2]
    """
    chains = [_chain(sent) for sent in lists]
    continued = {digest for chain in chains for digest in chain[:-1]}
    last = {chain[-1]: i for i, chain in enumerate(chains)}
    return sorted(i for digest, i in last.items() if digest not in continued)


def _chain(sent: Sequence[Entry]) -> list[bytes]:
    """Digest every beginning of a list; system prompts, which agents rewrite, do not count."""
    running, chain = hashlib.sha256(), [b""]
    for entry in sent:
        if entry.get("role") not in ("system", "developer"):
            running.update(_text(entry).encode("utf-8", "backslashreplace"))
            chain.append(running.digest())
    return chain


def _text(entry: Entry) -> str:
    try:
        return json.dumps(_bare(entry), sort_keys=True, default=str)
    except RecursionError:
        return "nested too deeply"


def _bare(value: Any, depth: int = 0) -> Any:
    """Leave out the marks of a cache, which move on with every request, and write text as text."""
    if isinstance(value, dict):
        return {key: _bare(one, depth) for key, one in value.items() if key != "cache_control"}
    if not isinstance(value, list) or depth == _MARKED:
        return value
    match blocks := [_bare(one, depth + 1) for one in value]:
        case [{"type": "text", "text": str(text), **rest}] if not rest:
            return text
    return blocks


def _trace(reader: str, one: Request, task: str, results: Mapping[str, Entry]) -> Trace:
    sent = [_marked(entry, results) for entry in one.sent]
    messages = [*sent, *one.reply, *_open_results(one.reply, results)]
    apart = {"system": one.system, "tools": one.tools}
    facts = {**one.meta, "time": one.time or None}
    return trace(reader, one.where, messages, task=task, **apart, **facts)


def _marked(entry: Entry, results: Mapping[str, Entry]) -> Entry:
    call_id = entry.get("tool_call_id")
    failed = isinstance(call_id, str) and results.get(call_id, {}).get("error")
    return {**entry, "error": True} if failed else entry


def _open_results(reply: Sequence[Entry], results: Mapping[str, Entry]) -> list[Entry]:
    listed = [entry.get("tool_calls") for entry in reply]
    calls = [one for made in listed if isinstance(made, list) for one in made]
    ids = [one.get("id") for one in calls if isinstance(one, dict)]
    return [results[one] for one in ids if isinstance(one, str) and one in results]
