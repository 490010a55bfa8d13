"""Gemini's generateContent, with the API's own words of refusal; calls have no ids."""

from __future__ import annotations

import base64
from collections.abc import Iterator, Sequence
from typing import Any

from provider.story import Reply, Seen

__all__ = ["Gemini"]


class Gemini:
    """``POST /v1beta/models/MODEL:generateContent`` and ``:streamGenerateContent?alt=sse``."""

    def speaks(self, path: str) -> bool:
        return path.endswith((":generateContent", ":streamGenerateContent"))

    def refuses(self, body: Any) -> str:
        contents = body.get("contents")
        if not contents:
            return "* GenerateContentRequest.contents: contents is not specified\n"
        wrong = (*_malformed(contents), *_disordered(contents), *_unsigned(contents))
        return next(iter(wrong), "")

    def seen(self, body: Any) -> list[Seen]:
        contents = body["contents"]
        return [
            _seen(one, before) for one, before in zip(contents, [None, *contents], strict=False)
        ]

    def error(self, what: str) -> Any:
        return {"error": {"code": 400, "message": what, "status": "INVALID_ARGUMENT"}}

    def reply(self, reply: Reply, body: Any) -> Any:  # noqa: ARG002
        return _chunk(reply, [*_said(reply.text), *_calls(reply)], "STOP")

    def streams(self, path: str, body: Any) -> bool:  # noqa: ARG002
        return path.endswith(":streamGenerateContent")

    def stream(self, reply: Reply, body: Any) -> Iterator[tuple[str, Any]]:  # noqa: ARG002
        half = len(reply.text) // 2
        for piece in filter(None, (reply.text[:half], reply.text[half:])):
            yield "", _chunk(reply, _said(piece))
        yield "", _chunk(reply, _calls(reply), "STOP")


def _malformed(contents: Sequence[Any]) -> Iterator[str]:
    for index, content in enumerate(contents):
        at = f"* GenerateContentRequest.contents[{index}].parts"
        if content.get("role", "user") not in ("user", "model"):
            yield "Please use a valid role: user, model."
        if not content.get("parts"):
            yield f"{at}: contents.parts must not be empty.\n"
        for place, part in enumerate(content.get("parts") or ()):
            answer = part.get("functionResponse")
            if answer is not None and not answer.get("name"):
                yield f"{at}[{place}].function_response.name: Name cannot be empty.\n"
            if not {"text", "functionCall", "functionResponse", "inlineData"} & set(part):
                what = "required oneof field 'data' must have one initialized field"
                yield f"{at}[{place}].data: {what}\n"


def _disordered(contents: Sequence[Any]) -> Iterator[str]:
    before: Any = {"role": "model", "parts": []}  # a list may not begin with the model's
    for content in contents:
        calls, answers = _count(before, "functionCall"), _count(content, "functionResponse")
        if answers and not calls:
            yield (
                "Please ensure that function response turn comes immediately after a function "
                "call turn."
            )
        if answers != calls:
            yield (
                "Please ensure that the number of function response parts is equal to the number "
                "of function call parts of the function call turn."
            )
        if _count(content, "functionCall") and before.get("role") == "model":
            yield (
                "Please ensure that function call turn comes immediately after a user turn or "
                "after a function response turn."
            )
        before = content


def _unsigned(contents: Sequence[Any]) -> Iterator[str]:
    """Demand signatures in what was done since the user last spoke, as Gemini 3 does."""
    spoken = [i for i, one in enumerate(contents) if one.get("role") == "user" and _text(one)]
    for index, content in enumerate(contents):
        first = next((part for part in content["parts"] if "functionCall" in part), None)
        if first and index > max(spoken, default=-1) and "thoughtSignature" not in first:
            yield (
                "Function call is missing a thought_signature in functionCall parts. This is "
                "required for tools to work correctly, and missing thought_signature may lead to "
                "degraded model performance. Additional data, function call `default_api:"
                f"{first['functionCall']['name']}` , position {index + 1}."
            )


def _count(content: Any, kind: str) -> int:
    return sum(kind in part for part in content.get("parts") or ())


def _text(content: Any) -> str:
    return "".join(part.get("text", "") for part in content["parts"])


def _seen(content: Any, before: Any) -> Seen:
    """Name calls by what they ask for, and results by the calls before them, in order."""
    answers = [part["functionResponse"] for part in content["parts"] if "functionResponse" in part]
    texts = [str(answer["response"].get("result", answer["response"])) for answer in answers]
    results = tuple(zip(_ids(before), texts, strict=True)) if texts else ()
    role = "assistant" if content.get("role") == "model" else "tool" if texts else "user"
    return Seen(role, _text(content), _ids(content), results)


def _ids(content: Any) -> tuple[str, ...]:
    calls = [part["functionCall"] for part in content["parts"] if "functionCall" in part]
    return tuple(call["args"]["ref"].replace("R-", "call_").replace("-", "_") for call in calls)


def _chunk(reply: Reply, parts: list[Any], reason: str | None = None) -> dict[str, Any]:
    candidate: dict[str, Any] = {"content": {"role": "model", "parts": parts}, "index": 0}
    usage = {"promptTokenCount": 100, "candidatesTokenCount": 10, "totalTokenCount": 110}
    return {
        "candidates": [candidate | ({"finishReason": reason} if reason else {})],
        "usageMetadata": usage,
        "responseId": f"response-{reply.number}",
    }


def _said(text: str) -> list[Any]:
    return [{"text": text}] if text else []


def _calls(reply: Reply) -> list[Any]:
    """Write the calls; the first of them is signed."""
    parts: list[Any] = [
        {"functionCall": {"name": c.name, "args": c.arguments}} for c in reply.calls
    ]
    if parts:
        sealed = base64.b64encode(f"thoughts of step {reply.number}".encode()).decode()
        parts[0]["thoughtSignature"] = sealed
    return parts
