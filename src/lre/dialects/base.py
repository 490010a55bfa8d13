"""What a wire format has to say about itself, and how entries are read."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from lre.errors import MessageError
from lre.messages import Media, Message, Part, Text, ToolResult

__all__ = [
    "Block",
    "Dialect",
    "Framing",
    "Path",
    "Problem",
    "as_mapping",
    "block_types",
    "blocks",
    "foreign",
    "inner",
    "json_text",
    "kind_of",
    "other_parts",
    "preview",
    "read_parts",
    "read_result",
    "shown",
    "unknown_role",
]

Block = Mapping[str, Any]
"""One content block (or part, or item) as the provider writes it."""

Path = tuple[str | int, ...]
"""Leads from an entry to something in it, such as ``("content", 0, "text")``."""

_OWN = "give a mapping with a role, or the SDK's own object"
_FOREIGN_KEYS = frozenset({"toolUse", "toolResult", "functionCall", "functionResponse"})
_FOREIGN_TYPES = frozenset({"tool-call", "tool-result"})

# An encoded picture, sound, document or encrypted text: long, and without a single blank.
_SEALED = re.compile(r"(?:data:[^,]{0,200},)?[A-Za-z0-9+/_=-]{256,}")


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

    `evidence` answers 0 (could be anything), 1 (usual here), 2 (hardly elsewhere) or 3 (only
    here) for one entry. `parse` reads one entry, given the parsed entry before it; it raises
    `MessageError` with the path `where` on an unknown role or an unreadable entry, and never
    changes or copies the entry: it becomes `Message.raw`. `slots` leads to the texts of an entry
    that may be cut, in order, and never raises. `render` writes entries: `raw` where there is
    one, else built from the parts. `problems` lists what the provider would reject, in order.
    `alternates` says that two entries of one role in a row are refused.
    """

    name: str
    framing: Framing
    alternates: bool

    def evidence(self, entry: Block) -> int: ...

    def parse(self, entry: object, previous: Message | None, where: str) -> Message: ...

    def slots(self, entry: object) -> list[Path]: ...

    def render(self, messages: Sequence[Message]) -> list[Any]: ...

    def problems(self, messages: Sequence[Message]) -> list[Problem]: ...


def as_mapping(entry: object, where: str) -> Block:
    """See an entry or block as a mapping; SDK objects (pydantic models) are dumped.

    >>> as_mapping({"role": "user"}, "messages[0]")
    {'role': 'user'}
    """
    if isinstance(entry, Mapping):
        return entry
    dump = getattr(entry, "model_dump", None)
    if callable(dump) and not isinstance(entry, type):
        # Fields that a newer API added make pydantic warn; they are none of the caller's faults.
        try:
            dumped: Block = dump(exclude_none=True, warnings=False)
        except TypeError as error:
            raise MessageError(f"model_dump failed ({error})", where=where, remedy=_OWN) from error
        return dumped
    raise MessageError(f"{preview(entry)} is no message", where=where, remedy=_OWN)


def json_text(value: object) -> str:
    """Give arguments as text: text stays as it is, nothing becomes "", the rest compact JSON.

    >>> json_text({"city": "Zürich"})
    '{"city": "Zürich"}'
    """
    if isinstance(value, str):
        return value
    if value is None:
        return ""
    try:
        return json.dumps(value, ensure_ascii=False, separators=(", ", ": "), default=str)
    except (TypeError, ValueError) as error:  # a key that is no text, a cycle
        raise MessageError(f"cannot be written as JSON ({error})", remedy="mend it") from error


def preview(value: object) -> str:
    """Show a value in an error message, cut to some forty characters."""
    text = repr(value) if isinstance(value, str | int | float | None) else type(value).__name__
    return text if len(text) <= 40 else text[:37] + "…" + text[-1]


def unknown_role(role: object, where: str, roles: Iterable[str]) -> MessageError:
    """Build the error for a role that the dialect does not have."""
    what = "no role" if role is None else f"unknown role {preview(role)}"
    return MessageError(what, where=f"{where}.role", remedy="use one of " + ", ".join(roles))


def blocks(content: object, where: str) -> Iterator[tuple[str, Block]]:
    """Walk a list of content blocks with the path of each."""
    if not isinstance(content, Sequence) or isinstance(content, str | bytes):
        raise MessageError(
            f"content is {preview(content)}", where=where, remedy="give text or a list of parts"
        )
    for i, block in enumerate(content):
        path = f"{where}[{i}]"
        if isinstance(block, str):
            yield path, {"type": "text", "text": block}
        else:
            yield path, as_mapping(block, path)


def inner(value: object, key: str) -> object:
    """Look a key up in what may be no mapping."""
    return value.get(key) if isinstance(value, Mapping) else None


def block_types(content: object) -> set[str]:
    """Name the types of a list of blocks without reading them; of anything else, none.

    >>> sorted(block_types([{"type": "text", "text": "Hi"}, {"type": "image_url"}]))
    ['image_url', 'text']
    """
    if not isinstance(content, list | tuple):
        return set()
    return {kind_of(block) for block in content}


def kind_of(block: object) -> str:
    """Give the `type` of a block or entry, a mapping or an SDK object; "" where it is no text.

    >>> kind_of({"type": "text"}), kind_of({"type": []})
    ('text', '')
    """
    kind = block.get("type") if isinstance(block, Mapping) else getattr(block, "type", None)
    return kind if isinstance(kind, str) else ""


def read_parts(
    content: object, where: str, read: Callable[[Block, str], Iterable[Part]]
) -> list[Part]:
    """Read content that may be missing, text, or a list of blocks; `read` reads one block."""
    if content is None or content == "":
        return []
    if isinstance(content, str):
        return [Text(content)]
    parts: list[Part] = []
    for path, block in blocks(content, where):
        if _is_foreign(block):
            raise foreign(path)
        parts.extend(read(block, path))
    return parts


def _is_foreign(block: Block) -> bool:
    """Tell whether Bedrock, Gemini or the Vercel SDK writes calls and results like this."""
    return kind_of(block) in _FOREIGN_TYPES or not _FOREIGN_KEYS.isdisjoint(block)


def foreign(where: str) -> MessageError:
    """Build the error for a block of another dialect: its calls and results would be torn."""
    return MessageError(
        "a block of another API, whose calls and results would be torn",
        where=where,
        remedy="name the dialect that it is in, or none",
    )


def read_result(call_id: object, parts: Iterable[Part], is_error: bool = False) -> ToolResult:
    """Fold what came back from a call into one part: texts by line, media beside them."""
    content = list(parts)
    texts = (part.text for part in content if isinstance(part, Text))
    media = tuple(part for part in content if isinstance(part, Media))
    return ToolResult(json_text(call_id), "\n".join(texts), is_error, media)


def shown(part: Text | Media) -> str:
    """Give a part as text; media that were not kept as they came become ``[image]``."""
    return part.text if isinstance(part, Text) else f"[{part.kind}]"


def other_parts(block: Block, ceiling: int) -> list[Part]:
    """Read a block of a type that the dialect has no better reading for.

    Its `text`, or else itself as JSON. Encoded fields are no words: they become media priced
    at one token in four characters, at most `ceiling`.

    >>> other_parts({"type": "video", "url": "https://example.org/a.mp4"}, 5000)
    [Text(text='{"type": "video", "url": "https://example.org/a.mp4"}')]
    >>> other_parts({"type": "video", "data": "AAAA" * 1000}, 5000)
    [Text(text='{"type": "video"}'), Media(kind='video', tokens=1000)]
    """
    text = block.get("text")
    if isinstance(text, str):
        return [Text(text)]
    sealed = {key: size for key, value in block.items() if (size := _sealed(value))}
    shown = Text(json_text({key: block[key] for key in block if key not in sealed}))
    if not sealed:
        return [shown]
    kind = kind_of(block) or "data"
    return [shown, Media(kind, min(ceiling, sum(sealed.values()) // 4))]


def _sealed(value: object) -> int:
    """Count the characters of encoded text anywhere in a value."""
    if isinstance(value, str):
        return len(value) if _SEALED.fullmatch(value) else 0
    if isinstance(value, Mapping):
        return sum(map(_sealed, value.values()))
    return sum(map(_sealed, value)) if isinstance(value, list | tuple) else 0
