"""LoCoMo: long conversations of two people, in sessions, with questions about them.

Both speakers are people: the role of both is "user", and `name` tells them apart. An image is
its caption. The turn's own id (`dia_id`) serves to resolve evidence and reaches no entry.

Source: Maharana et al. 2024, Evaluating Very Long-Term Conversational Memory of LLM Agents;
``data/locomo10.json`` of snap-research/locomo. Names of the categories: as the paper's code
treats them (``task_eval/evaluation.py``) and its tables count them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from lre.traces.asked import Item, items
from lre.traces.base import Question, Record, Report, Trace, first_words

__all__ = ["CATEGORIES", "READER"]

CATEGORIES: Mapping[int, str] = {
    1: "multi-hop",
    2: "temporal",
    3: "open-domain",
    4: "single-hop",
    5: "adversarial",
}

_SESSION = re.compile("session_([0-9]{1,9})")
_BETWEEN = re.compile(r"[;,\s]+")  # some strings hold several references


class _LoCoMo:
    name = "locomo"
    describe = "LoCoMo: conversations in sessions, with questions"
    dialects = ("openai-chat",)
    example = "locomo10.json"

    def recognises(self, value: object) -> bool:
        return any(map(_is_sample, value if isinstance(value, list) else [value]))

    def traces(self, records: Iterable[Record], report: Report) -> Iterator[Trace]:
        for record in records:
            for item in items(record.where, record.value, report):
                if _is_sample(item.value):
                    yield from _sample(item)
                else:
                    item.skip("", "no LoCoMo conversation")


READER = _LoCoMo()


def _is_sample(value: object) -> bool:
    conversation = value.get("conversation") if isinstance(value, dict) else None
    return isinstance(conversation, dict) and any(map(_SESSION.fullmatch, conversation))


def _sample(item: Item) -> Iterator[Trace]:
    """Give the trace of one conversation, unless nothing is said in it."""
    messages: list[dict[str, Any]] = []
    turns: dict[object, int] = {}
    for dia_id, entry in _turns(item):
        if isinstance(dia_id, str):
            turns.setdefault(dia_id, len(messages))
        messages.append(entry)
    if not messages:
        item.skip(".conversation", "no turns")
        return
    questions = tuple(_questions(item, turns))
    yield Trace(
        name="",
        task=item.text("sample_id") or first_words(messages),
        messages=messages,
        meta={"where": item.place(), "reader": READER.name, "faults": dict(+item.faults)},
        questions=questions,
        segmenter="turns",
    )


def _turns(item: Item) -> Iterator[tuple[object, dict[str, Any]]]:
    """Give the turns in the order of their sessions' numbers, each with its id."""
    conversation = item.value["conversation"]
    keys = ((int(found[1]), found[0]) for found in map(_SESSION.fullmatch, conversation) if found)
    for number, key in sorted(keys):
        path = f".conversation.{key}"
        said = item.listed(path, conversation[key])
        time = conversation.get(f"{key}_date_time")
        item.faults["empty sessions"] += not said
        item.faults["sessions without a date"] += not isinstance(time, str)
        for i, turn in enumerate(said):
            content = _content(turn)
            if content is None:
                item.skip(f"{path}[{i}]", "no turn (it lacks speaker or text)")
                continue
            item.faults["empty turns"] += not content.strip()
            entry = {"role": "user", "name": turn["speaker"], "content": content}
            when = time if isinstance(time, str) else ""
            yield turn.get("dia_id"), {**entry, "session": number, "time": when}


def _content(turn: object) -> str | None:
    if not isinstance(turn, dict) or not isinstance(turn.get("speaker"), str):
        return None
    text, caption = turn.get("text"), turn.get("blip_caption")
    if not isinstance(text, str):
        return None
    return f"{text}\n[image: {caption}]" if isinstance(caption, str) and caption else text


def _questions(item: Item, turns: Mapping[object, int]) -> Iterator[Question]:
    for i, node in enumerate(item.listed(".qa", item.value.get("qa", []))):
        path = f".qa[{i}]"
        if not isinstance(node, dict) or not isinstance(node.get("question"), str):
            item.skip(path, "no question")
            continue
        yield Question(
            text=node["question"],
            answer=item.answer(f"{path}.answer", node.get("answer")),
            category=_category(node.get("category")),
            evidence=_evidence(item, f"{path}.evidence", node.get("evidence", []), turns),
        )


def _category(value: object) -> str:
    return CATEGORIES.get(value, str(value)) if isinstance(value, int) else ""


def _evidence(item: Item, path: str, cited: object, turns: Mapping[object, int]) -> tuple[int, ...]:
    """Resolve references to turns; those that lead nowhere are counted."""
    found: list[int] = []
    for i, text in enumerate(item.listed(path, cited)):
        if not isinstance(text, str):
            item.skip(f"{path}[{i}]", "no reference")
            continue
        ids = list(filter(None, _BETWEEN.split(text)))
        known = [turns[one] for one in ids if one in turns]
        item.faults["joined evidence"] += len(ids) > 1
        item.faults["unresolved evidence"] += len(ids) - len(known)
        found += known
    item.faults["repeated evidence"] += len(found) - len(set(found))
    item.faults["questions without evidence"] += not found
    return tuple(sorted(set(found)))
