"""What a wire format has to say about itself, and how entries are read."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from lre.errors import MessageError
from lre.messages import Message

__all__ = ["Dialect", "Framing", "Problem", "as_mapping", "blocks", "json_text", "preview"]


@dataclass(frozen=True, slots=True)
class Framing:
    """Tokens that a provider adds around the content.

    `reply` is paid once a prompt; the others for each message, call or result.
    """

    message: int
    call: int
    result: int
    reply: int


@dataclass(frozen=True, slots=True)
class Problem:
    """Something that the provider would reject.

    `index` is the entry's place in the list, `rule` a short stable name, `text` one line of
    what is wrong and how to mend it, `source` where the provider says so.
    """

    index: int
    rule: str
    text: str
    source: str = ""


class Dialect(Protocol):
    """A wire format: how its entries are recognised, read, written and checked.

    `evidence` answers 0 (could be anything), 1 (usual here, possible elsewhere) or 2 (only
    here) for one entry. `parse` reads one entry, given the parsed entry before it; it raises
    `MessageError` with the path `where` on an unknown role or an unreadable entry, and never
    changes or copies the entry: it becomes `Message.raw`. `render` writes entries for
    messages: `raw` where there is one, else built from the parts. `problems` lists what the
    provider would reject in this order, an empty list if nothing.
    """

    name: str
    framing: Framing

    def evidence(self, entry: Mapping[str, Any]) -> int: ...

    def parse(self, entry: object, previous: Message | None, where: str) -> Message: ...

    def render(self, messages: Sequence[Message]) -> list[Any]: ...

    def problems(self, messages: Sequence[Message]) -> list[Problem]: ...


def as_mapping(entry: object, where: str) -> Mapping[str, Any]:
    """See an entry or block as a mapping; SDK objects (pydantic models) are dumped.

    >>> as_mapping({"role": "user"}, "messages[0]")
    {'role': 'user'}
    """
    if isinstance(entry, Mapping):
        return entry
    dump = getattr(entry, "model_dump", None)
    if callable(dump) and not isinstance(entry, type):
        dumped: Mapping[str, Any] = dump(exclude_none=True)
        return dumped
    raise MessageError(
        f"{preview(entry)} is no message",
        where=where,
        remedy="give a mapping with a role, or the SDK's own object",
    )


def json_text(value: object) -> str:
    """Give arguments as text: text stays as it is, anything else becomes compact JSON."""
    if isinstance(value, str):
        return value
    return json.dumps(value, ensure_ascii=False, separators=(", ", ": "), default=str)


def preview(value: object) -> str:
    """Show a value in an error message, cut to some forty characters."""
    text = repr(value) if isinstance(value, str | int | float | None) else type(value).__name__
    return text if len(text) <= 40 else text[:37] + "…" + text[-1]


def blocks(content: object, where: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Walk a list of content blocks with the path of each."""
    if not isinstance(content, Sequence) or isinstance(content, str | bytes):
        raise MessageError(
            f"content is {preview(content)}", where=where, remedy="give text or a list of parts"
        )
    for i, block in enumerate(content):
        path = f"{where}[{i}]"
        yield path, {"type": "text", "text": block} if isinstance(block, str) else as_mapping(
            block, path
        )
