"""What the parts of Gemini's contents hold, in camelCase (REST) or snake_case (SDK).

Prices of media are ceilings, by the defaults of Gemini 3: an image 1,120 tokens (before, 258 a
tile of 768 × 768), a document 560 a page and three pages at least, a sound 32 and a video 263 a
second, a minute at least.
Source: Gemini API reference, Content and Part; Gemini API docs, Media resolution, Tokens, Video
understanding.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from lre.dialects.base import (
    Block,
    as_mapping,
    blocks,
    foreign,
    json_text,
    kind_of,
    other_parts,
    read_result,
)
from lre.dialects.objects import encoded_size, field
from lre.dialects.slots import child
from lre.messages import Media, Part, Reasoning, Text, ToolCall

__all__ = ["data_of", "media", "read_content", "said"]

_TOLD = ("output", "result", "content", "error")
_BESIDE = {"type", "thought", "thoughtSignature", "thought_signature"}
_LEAST: Final = {"image": 1120, "application": 1680, "audio": 1920, "video": 15_780}
_CHARACTERS: Final = {"application": 100, "audio": 680, "video": 630}  # of base64, for a token
_CODE: Final = "code_execution"  # pairs code with its outcome where neither has an id


def read_content(content: object, where: str) -> Iterator[Part]:
    """Read parts: a list of them, or plain text as the first SDK took it."""
    parts = [content] if isinstance(content, str) else content or ()
    for path, block in blocks(parts, where):
        if kind_of(block) not in ("", "text"):
            raise foreign(path)
        yield from _read(block, path)


def data_of(part: object) -> list[str]:
    """Name what a part holds: exactly one thing, as the provider wants it.

    >>> data_of({"function_call": {"name": "look"}, "thought_signature": "abc"}), data_of({})
    (['functionCall'], [])
    """
    return [name for name in _READERS if field(part, name) is not None]


def said(response: object) -> list[str]:
    """Name the keys of a function response that hold text: its output, or an error.

    >>> said({"output": "4", "seconds": 2})
    ['output']
    """
    told = response if isinstance(response, Mapping) else {}
    return [name for name in _TOLD if isinstance(told.get(name), str)]


def media(mime: str, size: int = 0) -> Media:
    """Price media by their MIME type and, where these are there, their characters of base64.

    A sound is taken for 128 kbit/s, a video for 1 Mbit/s.

    >>> media("image/png", 9000), media("audio/mpeg").tokens
    (Media(kind='image', tokens=1120), 1920)
    """
    kind = mime.partition("/")[0]
    kind = kind if kind in _LEAST else "application"
    tokens = max(_LEAST[kind], size // _CHARACTERS[kind] if kind in _CHARACTERS else 0)
    return Media("document" if kind == "application" else kind, tokens)


def _read(part: Block, where: str) -> list[Part]:
    sealed = encoded_size(field(part, "thoughtSignature"))
    held = data_of(part)
    if part.get("thought") and held in ([], ["text"]):
        return [Reasoning(json_text(part.get("text")), sealed)]
    seal: list[Part] = [Reasoning("", sealed)] if sealed else []
    if held:
        return [*seal, *_READERS[held[0]](field(part, held[0]), f"{where}.{held[0]}")]
    rest = {name: part[name] for name in part if name not in _BESIDE}
    return [*seal, *(other_parts(rest, _LEAST["application"]) if rest else ())]


def _call(body: Any, where: str) -> list[Part]:
    called = as_mapping(body, where)
    name = called.get("name") or field(called, "toolType")
    return [ToolCall(*map(json_text, (called.get("id"), name, called.get("args"))))]


def _response(body: Any, where: str) -> list[Part]:
    """Read text that was said as it stands, and the rest of a response as JSON."""
    answered = as_mapping(body, where)
    told: Any = answered.get("response")
    spoken = said(told)
    texts = [told[name] for name in spoken]
    rest = {k: v for k, v in told.items() if k not in spoken and v is not None} if spoken else told
    if rest:
        texts.append(json_text(rest))
    parts = [*map(Text, texts), *read_content(answered.get("parts"), f"{where}.parts")]
    failed = bool(child(told, "error")) or told == {"error": ""}
    return [read_result(answered.get("id"), parts, failed)]


def _blob(body: Any, where: str) -> list[Part]:
    blob = as_mapping(body, where)
    return [media(json_text(field(blob, "mimeType")), encoded_size(blob.get("data")))]


def _code(body: Any, where: str) -> list[Part]:
    code = as_mapping(body, where)
    return [ToolCall(json_text(code.get("id") or _CODE), _CODE, json_text(code.get("code")))]


def _outcome(body: Any, where: str) -> list[Part]:
    done = as_mapping(body, where)
    failed = not json_text(done.get("outcome")).endswith("OK")
    return [read_result(done.get("id") or _CODE, [Text(json_text(done.get("output")))], failed)]


_READERS: Mapping[str, Callable[[Any, str], list[Part]]] = {
    "text": lambda text, _: [Text(json_text(text))],
    "functionCall": _call,
    "functionResponse": _response,
    "inlineData": _blob,
    "fileData": _blob,
    "executableCode": _code,
    "codeExecutionResult": _outcome,
    "toolCall": _call,
    "toolResponse": _response,
}
