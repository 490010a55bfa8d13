"""Wire formats: how messages are read, written and checked, and which format a list is in.

>>> dialect, messages = parse([{"role": "system", "content": "Be brief."}])
>>> dialect.name, messages[0].role
('openai-chat', 'system')
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from lre.dialects.anthropic import Anthropic
from lre.dialects.base import Dialect, Framing, Problem, as_mapping, preview
from lre.dialects.bedrock import Bedrock
from lre.dialects.gemini import Gemini
from lre.dialects.openai_chat import OpenAIChat
from lre.dialects.openai_responses import OpenAIResponses
from lre.errors import MessageError, UnknownNameError
from lre.messages import Message

__all__ = [
    "DIALECTS",
    "Dialect",
    "Framing",
    "Problem",
    "Recogniser",
    "check_list",
    "get",
    "parse",
    "read",
    "recognise",
]

_KNOWN: tuple[Dialect, ...] = (
    OpenAIChat(),
    OpenAIResponses(),
    Anthropic(),
    Gemini(),
    Bedrock(),
)

DIALECTS: Mapping[str, Dialect] = {dialect.name: dialect for dialect in _KNOWN}
"""Every dialect by its name; the first is taken for a list that gives no hint."""


def get(name: str) -> Dialect:
    """Find a dialect by its name.

    Raises
    ------
    UnknownNameError
        If there is none; the message lists the names.
    """
    if not isinstance(name, str) or name not in DIALECTS:
        raise UnknownNameError("dialect", name, DIALECTS)
    return DIALECTS[name]


class Recogniser:
    """Tells the dialect from the entries seen so far; what is seen later never undoes a proof.

    The strongest evidence decides (see `Dialect.evidence`), among equals the earliest.

    >>> recogniser = Recogniser()
    >>> recogniser.see({"role": "user", "content": "Hi"})
    >>> recogniser.dialect.name
    'openai-chat'
    >>> recogniser.see({"role": "assistant", "content": [{"type": "thinking", "thinking": "…"}]})
    >>> recogniser.dialect.name
    'anthropic'
    """

    def __init__(self) -> None:
        self.dialect: Dialect = _KNOWN[0]
        self._strength = 0

    def see(self, entry: object) -> None:
        """Take the next entry of the list; what is no entry at all proves nothing."""
        if self._strength == 3:
            return
        try:
            fields = as_mapping(entry, "message")
        except MessageError:
            return  # reading it says what is wrong, and where
        for dialect in _KNOWN:
            strength = dialect.evidence(fields)
            if strength > self._strength:
                self.dialect, self._strength = dialect, strength


def recognise(entries: Iterable[object]) -> Dialect:
    """Tell the dialect of a whole list."""
    recogniser = Recogniser()
    for entry in entries:
        recogniser.see(entry)
    return recogniser.dialect


def check_list(entries: object) -> Sequence[Any]:
    """Hand back what is a list of something.

    Raises
    ------
    MessageError
        If it is a mapping, text, or no sequence at all.
    """
    if isinstance(entries, Sequence) and not isinstance(entries, str | bytes | bytearray):
        return entries
    raise MessageError(
        f"{preview(entries)} is no list of messages",
        where="messages",
        remedy="pass the list itself, such as request['messages']",
    )


def parse(
    entries: Sequence[Any], dialect: str | Dialect | None = None
) -> tuple[Dialect, list[Message]]:
    """Read a list of messages, in the given dialect or the one that it shows to be in.

    The entries are neither changed nor copied: each becomes the `raw` of its message.

    Raises
    ------
    MessageError
        If it is no list, or an entry cannot be read, with its path such as ``messages[3].role``.
    UnknownNameError
        If there is no dialect of that name.
    """
    check_list(entries)
    if dialect is None:
        dialect = recognise(entries)
    elif isinstance(dialect, str):
        dialect = get(dialect)
    return dialect, read(dialect, entries)


def read(
    dialect: Dialect, entries: Sequence[Any], before: Message | None = None, start: int = 0
) -> list[Message]:
    """Read entries that follow the message `before`; the first has the index `start`.

    Raises
    ------
    MessageError
        If an entry cannot be read, with its path.
    """
    messages: list[Message] = []
    for index, entry in enumerate(entries, start):
        where = f"messages[{index}]"
        try:
            before = dialect.parse(entry, before, where)
        except RecursionError as error:
            raise MessageError(
                "is nested too deeply", where=where, remedy="flatten it, or leave it out"
            ) from error
        except MessageError as error:
            if error.where:
                raise
            raise MessageError(error.what, where=where, remedy=error.remedy) from error
        messages.append(before)
    return messages
