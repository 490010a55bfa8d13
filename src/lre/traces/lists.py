"""Message lists as providers take them, in whatever file they are found.

- A list of messages, or one message a line (then the file is one session).
- An object that holds one, at any depth that `lre.traces.walk` reaches: the formats that have a
  name of their own inherit `Lists` and differ only in what they recognise.

Beside a list ``messages`` may stand ``questions``, what was asked later and answered:
``[{"question": …, "answer": …, "evidence": [places of messages]}]``, the last two if known.

Only requests are read: the reply in an HTTP log's response is left out, since the next request
repeats it. An ``input`` that is plain text, an empty list and null hold no history and give no
trace, without a report. A list that holds anything but messages is reported and its session
skipped: a list with a hole would lie about what the model saw. In a file of one message a
line, each line is a record, so that only the bad line is skipped.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from lre.traces.base import Question, Record, Report, Trace, first_words
from lre.traces.walk import Found, is_entry, is_message, walk

__all__ = ["READER", "Lists"]

_SYSTEM = ("system", "instructions")


class Lists:
    """Reads the message lists of any value; a format of a name of its own inherits it."""

    name = "lists"
    describe = "any other message lists as providers take them, in JSON or JSON Lines"
    dialects: tuple[str, ...] = ("openai-chat", "openai-responses", "anthropic", "bedrock")
    example = "messages.json"

    def owns(self, value: object) -> bool:  # noqa: ARG002
        """Tell whether a value is of this format and no other; here, it is of any."""
        return True

    def recognises(self, value: object) -> bool:
        """Tell whether a value is of this format, and there is something to read in it."""
        if not self.owns(value):
            return False
        return is_message(value) or any(one.entries is not None for one in walk(value))

    def traces(self, records: Iterable[Record], report: Report) -> Iterator[Trace]:
        """Read the sessions of one file; records that are messages are one session together."""
        lines: list[Any] = []
        where = ""
        for record in records:
            found = list(walk(record.value))
            if not found and is_entry(record.value):
                lines.append(record.value)
                where = where or record.where
                continue
            for one in found or [Found("", None, {}, {})]:
                yield from _session(self.name, one, record.where, report)
        yield from _session(self.name, Found("", lines, {}, {}), where, report)


READER = Lists()


def _session(reader: str, found: Found, where: str, report: Report) -> Iterator[Trace]:
    """Give the trace of one list, or report why there is none."""
    place = f"{where}: {found.path}" if found.path else where
    if found.entries is None:
        report(place, "no messages are found here: skipped")
        return
    for i, entry in enumerate(found.entries):
        if not is_entry(entry):
            at = f"{place}[{i}]" if found.path else f"{place}: [{i}]"
            report(at, "no message (it has no role): its session is skipped")
            return
    messages = [entry for entry in found.entries if entry.get("role") != "exit"]
    if messages:
        yield _trace(reader, found, messages, place)


def _trace(reader: str, found: Found, messages: list[Any], place: str) -> Trace:
    node = found.node
    plain = {
        key: value
        for key, value in node.items()
        if isinstance(value, str | int | float) and key not in _SYSTEM
    }
    return Trace(
        name="",
        task=_task(found.facts) or first_words(messages),
        messages=messages,
        system=next((node[key] for key in _SYSTEM if key in node), None),
        tools=node.get("tools", node.get("functions")),
        meta={**plain, **found.facts, "where": place, "reader": reader},
        questions=tuple(_questions(node, len(messages))),
    )


def _questions(node: Mapping[str, Any], size: int) -> Iterator[Question]:
    """Read what was asked later; what is no question is left out."""
    asked = node.get("questions")
    for one in asked if isinstance(asked, list) else ():
        if isinstance(one, dict) and isinstance(one.get("question"), str):
            answer, cited = one.get("answer"), one.get("evidence")
            places = {i for i in cited if _is_place(i, size)} if isinstance(cited, list) else set()
            yield Question(
                one["question"],
                answer if isinstance(answer, str) else "",
                evidence=tuple(sorted(places)),
            )


def _is_place(value: object, size: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < size


def _task(facts: Mapping[str, Any]) -> str:
    """Name the task by its id alone.

    Some files tell the domain and some do not: with it, one task could stand in two folds.
    """
    return str(facts.get("instance_id", facts.get("task_id", "")))
