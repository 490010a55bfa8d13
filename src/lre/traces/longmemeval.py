"""LongMemEval: questions, each with a haystack of sessions between a user and an assistant.

Two forms are read: the original, in which each question carries its sessions; and one in which
every session stands once, ``{"sessions": {id: turns}, "questions": […]}``. Each question is a
trace, made when it is asked for; its texts are those of the parsed file, not copies. Evidence are
the turns marked `has_answer` of the sessions in `answer_session_ids`; where none of a session is
marked, all of its turns. The ids of sessions (those with evidence begin with ``answer_``) and the
marks reach no entry.

Source: Wu et al. 2024, LongMemEval: Benchmarking Chat Assistants on Long-Term Interactive Memory.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any

from lre.traces.asked import Item, items
from lre.traces.base import Question, Record, Report, Trace, first_words

__all__ = ["READER"]

_Turns = list[tuple[str, str, bool]]  # role, content, and whether it is said to hold the answer
_ROLES = ("user", "assistant")


class _LongMemEval:
    name = "longmemeval"
    describe = "LongMemEval: questions with haystacks of sessions"
    dialects = ("openai-chat",)
    example = "longmemeval_s_cleaned.json"

    def recognises(self, value: object) -> bool:
        nodes, _, key = _form(value)
        return any(_has_list(node, key) for node in (nodes if isinstance(nodes, list) else [nodes]))

    def traces(self, records: Iterable[Record], report: Report) -> Iterator[Trace]:
        for record in records:
            for item, sessions in _haystacks(record, report):
                yield from _trace(item, sessions)


READER = _LongMemEval()


def _has_list(node: object, key: str) -> bool:
    return isinstance(node, dict) and isinstance(node.get(key), list)


def _form(value: object) -> tuple[object, str, str]:
    """Give the questions, their path in the file, and the key of their haystacks."""
    if isinstance(value, dict) and isinstance(value.get("sessions"), dict):
        return value.get("questions"), "questions", "haystack_session_ids"
    return value, "", "haystack_sessions"


def _haystacks(record: Record, report: Report) -> Iterator[tuple[Item, list[_Turns]]]:
    """Give each question with the sessions of its haystack, in their order."""
    nodes, path, key = _form(record.value)
    whole = Item(record.value, record.where, "", report)
    apart = record.value["sessions"].items() if path else ()
    pool = {name: _turns(whole, f".sessions.{name}", said) for name, said in apart}
    for item in items(record.where, nodes, report, path):
        if _is_question(item, key):
            yield item, _fetched(item, pool) if path else _own(item)


def _is_question(item: Item, haystack: str) -> bool:
    if _has_list(item.value, haystack) and isinstance(item.value.get("question"), str):
        return True
    item.skip("", f"no LongMemEval question (it lacks question or {haystack})")
    return False


def _own(item: Item) -> list[_Turns]:
    """Read the sessions that a question carries."""
    sessions = enumerate(item.value["haystack_sessions"])
    return [_turns(item, f".haystack_sessions[{i}]", said) for i, said in sessions]


def _fetched(item: Item, pool: dict[str, _Turns]) -> list[_Turns]:
    """Look up the sessions that a question names; one that is missing keeps its place."""
    haystack: list[_Turns] = []
    for i, name in enumerate(item.value["haystack_session_ids"]):
        turns = pool.get(name) if isinstance(name, str) else None
        if turns is None:
            item.skip(f".haystack_session_ids[{i}]", "no such session")
        haystack.append(turns or [])
    return haystack


def _turns(item: Item, path: str, said: object) -> _Turns:
    """Read the turns of a session."""
    turns: _Turns = []
    for i, turn in enumerate(item.listed(path, said)):
        role, content = (turn.get("role"), turn.get("content")) if isinstance(turn, dict) else "??"
        if role in _ROLES and isinstance(content, str):
            turns.append((role, content, turn.get("has_answer") is True))
        else:
            item.skip(f"{path}[{i}]", "no turn of user or assistant with text")
    return turns


def _trace(item: Item, haystack: list[_Turns]) -> Iterator[Trace]:
    """Give the trace of one question, unless its haystack is empty."""
    messages: list[dict[str, Any]] = []
    holding: list[list[int]] = []
    for place, turns in enumerate(haystack):
        holding.append([len(messages) + i for i in _marked(turns)])
        messages += _entries(turns, place, _date(item, place))
    if not messages:
        item.skip("", "the haystack holds no turn")
        return
    question = _question(item, holding)
    item.faults["empty sessions"] += sum(not turns for turns in haystack)
    item.faults["empty turns"] += sum(not entry["content"].strip() for entry in messages)
    name = item.text("question_id")
    yield Trace(
        name="",
        task=name or first_words(messages),
        messages=messages,
        meta={
            "where": item.place(),
            "reader": READER.name,
            "abstention": name.endswith("_abs"),
            "faults": dict(+item.faults),
        },
        questions=(question,),
        segmenter="sessions",
    )


def _entries(turns: _Turns, place: int, date: str) -> Iterator[dict[str, Any]]:
    for role, content, _ in turns:
        yield {"role": role, "content": content, "session": place, "time": date}


def _date(item: Item, place: int) -> str:
    dates = item.value.get("haystack_dates")
    known = isinstance(dates, list) and place < len(dates) and isinstance(dates[place], str)
    item.faults["sessions without a date"] += not known
    return dates[place] if known else ""


def _marked(turns: _Turns) -> list[int]:
    """Give the places of the turns that are said to hold the answer: all, where none is marked."""
    return [i for i, (_, _, mark) in enumerate(turns) if mark] or [*range(len(turns))]


def _question(item: Item, holding: list[list[int]]) -> Question:
    """Read the question; `holding` are the messages of each session that may be its evidence."""
    evidence = _evidence(item, holding)
    item.faults["questions without evidence"] += not evidence
    return Question(
        text=item.value["question"],
        answer=item.answer(".answer", item.value.get("answer")),
        category=item.text("question_type"),
        evidence=evidence,
        asked=item.text("question_date"),
    )


def _evidence(item: Item, holding: list[list[int]]) -> tuple[int, ...]:
    """Give these messages of all the sessions that are said to hold the answer."""
    names, gold = _names(item, "haystack_session_ids"), _names(item, "answer_session_ids")
    held = {*names} & {*gold} - {""}
    item.faults["evidence sessions not in the haystack"] += sum(name not in held for name in gold)
    item.faults["repeated sessions"] += len(names) - len({*names})
    known = zip(names, holding, strict=False)
    return tuple(chain.from_iterable(messages for name, messages in known if name in held))


def _names(item: Item, key: str) -> list[str]:
    """Give the ids under a key; what is none keeps its place as ""."""
    found = item.listed(f".{key}", item.value.get(key))
    return [name if isinstance(name, str) else "" for name in found]
