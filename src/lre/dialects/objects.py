"""What Gemini and Bedrock write as objects: keys in two spellings, encoded bytes, arguments."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

from lre.dialects.slots import child
from lre.messages import Message

__all__ = ["encoded_size", "field", "given", "key", "written"]

_CAPITAL = re.compile(r"[A-Z]")


@cache
def _snake(name: str) -> str:
    return _CAPITAL.sub(lambda found: f"_{found[0].lower()}", name)


def key(value: object, name: str) -> str:
    """Tell how a mapping or SDK object spells a key: in snake_case, or else in camelCase.

    >>> key({"function_call": {}}, "functionCall"), key({}, "functionCall")
    ('function_call', 'functionCall')
    """
    snake = _snake(name)
    spelt = snake in value if isinstance(value, Mapping) else hasattr(value, snake)
    return snake if spelt else name


def field(value: object, name: str) -> Any:
    """Look a key up in either spelling; None where it is missing.

    >>> field({"thought_signature": "abc"}, "thoughtSignature")
    'abc'
    """
    return child(value, key(value, name))


def encoded_size(value: object) -> int:
    """Count the base64 characters of encoded data, which SDKs hold as bytes.

    >>> encoded_size("QUJD"), encoded_size(b"ABC"), encoded_size(None)
    (4, 4, 0)
    """
    if isinstance(value, bytes | bytearray):
        return (len(value) + 2) // 3 * 4
    return len(value) if isinstance(value, str) else 0


def given(arguments: str) -> dict[str, Any]:
    """Read arguments as the object that a provider wants; free text becomes its `input`.

    >>> given('{"path": "src"}'), given("make")
    ({'path': 'src'}, {'input': 'make'})
    """
    try:
        value = json.loads(arguments)
    except ValueError:
        value = None
    return value if isinstance(value, dict) else {"input": arguments}


def written(
    messages: Sequence[Message], build: Callable[[Message], dict[str, Any]], body: str
) -> list[Any]:
    """Write entries: `raw` where there is one; built results in a row share an entry's `body`."""
    entries: list[Any] = []
    joins = False
    for message in messages:
        results = message.raw is None and message.role == "tool"
        entry = build(message) if message.raw is None else message.raw
        if joins and results:
            entries[-1][body] += entry[body]
        else:
            entries.append(entry)
        joins = results
    return entries
