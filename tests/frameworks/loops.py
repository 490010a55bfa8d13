"""Agents without a framework: loops on the SDKs' own clients, as the SDKs' guides show them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from contract import lookup
from heard import Heard

__all__ = ["FUNCTION", "REF", "TOOL", "ChatAgent", "ListAgent", "MessagesAgent", "ResponsesAgent"]

REF = {"type": "object", "properties": {"ref": {"type": "string"}}, "required": ["ref"]}
FUNCTION = {"name": "lookup", "description": "Look a record up.", "parameters": REF}
TOOL = {"name": "lookup", "description": "Look a record up.", "input_schema": REF}


class ListAgent:
    """Keeps the list itself; its clients, one sync and one async, send what is on it."""

    logger = "openai.lre"

    def __init__(self, both: tuple[Any, Any], store: list[Any]) -> None:
        (self.client, self.later), self.store = both, store
        self.heard = Heard(self.logger)

    def told(self) -> Sequence[str]:
        return [*self.heard.texts]

    def stored(self) -> str:
        return "\n".join(map(str, self.store))


class ChatAgent(ListAgent):
    """On Chat Completions."""

    def request(self) -> Any:
        tools = [{"type": "function", "function": FUNCTION}]
        return {"model": "tiny", "messages": self.store, "tools": tools}

    def goes_on(self, message: Any) -> bool:
        self.store.append(message)
        for call in message.tool_calls or ():
            text = lookup(**json.loads(call.function.arguments))
            self.store.append({"role": "tool", "tool_call_id": call.id, "content": text})
        return bool(message.tool_calls)

    def ask(self, text: str) -> str:
        self.store.append({"role": "user", "content": text})
        while self.goes_on(self.answer()):
            pass
        return str(self.store[-1].content)

    def answer(self) -> Any:
        return self.client.chat.completions.create(**self.request()).choices[0].message

    async def aask(self, text: str) -> str:
        self.store.append({"role": "user", "content": text})
        async with self.later as client:
            while True:
                completion = await client.chat.completions.create(**self.request())
                if not self.goes_on(completion.choices[0].message):
                    return str(self.store[-1].content)

    def stream(self, text: str) -> str:
        self.store.append({"role": "user", "content": text})
        said = ""
        while True:
            with self.client.chat.completions.stream(**self.request()) as events:
                said += "".join(e.delta for e in events if e.type == "content.delta")
                message = events.get_final_completion().choices[0].message
            if not self.goes_on(message):
                return said


class ResponsesAgent(ListAgent):
    """On Responses; nothing is stored there, so reasoning comes sealed."""

    def request(self) -> Any:
        return {
            "model": "tiny",
            "input": self.store,
            "instructions": "Be brief.",
            "tools": [{"type": "function", **FUNCTION, "strict": True}],
            "store": False,
            "include": ["reasoning.encrypted_content"],
        }

    def goes_on(self, response: Any) -> bool:
        self.store += response.output
        calls = [item for item in response.output if item.type == "function_call"]
        for call in calls:
            text = lookup(**json.loads(call.arguments))
            output = {"type": "function_call_output", "call_id": call.call_id, "output": text}
            self.store.append(output)
        return bool(calls)

    def ask(self, text: str) -> str:
        self.store.append({"role": "user", "content": text})
        while self.goes_on(response := self.answer()):
            pass
        return str(response.output_text)

    def answer(self) -> Any:
        return self.client.responses.create(**self.request())

    async def aask(self, text: str) -> str:
        self.store.append({"role": "user", "content": text})
        async with self.later as client:
            while self.goes_on(response := await client.responses.create(**self.request())):
                pass
        return str(response.output_text)

    def stream(self, text: str) -> str:
        self.store.append({"role": "user", "content": text})
        said = ""
        while True:
            with self.client.responses.stream(**self.request()) as events:
                said += "".join(e.delta for e in events if e.type == "response.output_text.delta")
                response = events.get_final_response()
            if not self.goes_on(response):
                return said


class MessagesAgent(ListAgent):
    """On Anthropic Messages."""

    logger = "anthropic.lre"

    def request(self) -> Any:
        beside = {"system": "Be brief.", "tools": [TOOL], "max_tokens": 1000}
        return {"model": "tiny", "messages": self.store, **beside}

    def goes_on(self, message: Any) -> bool:
        self.store.append({"role": "assistant", "content": message.content})
        results = [
            {"type": "tool_result", "tool_use_id": block.id, "content": lookup(**block.input)}
            for block in message.content
            if block.type == "tool_use"
        ]
        if results:
            self.store.append({"role": "user", "content": results})
        return bool(results)

    def ask(self, text: str) -> str:
        self.store.append({"role": "user", "content": text})
        while self.goes_on(message := self.answer()):
            pass
        return str(message.content[-1].text)

    def answer(self) -> Any:
        return self.client.messages.create(**self.request())

    async def aask(self, text: str) -> str:
        self.store.append({"role": "user", "content": text})
        async with self.later as client:
            while self.goes_on(message := await client.messages.create(**self.request())):
                pass
        return str(message.content[-1].text)

    def stream(self, text: str) -> str:
        self.store.append({"role": "user", "content": text})
        said = ""
        while True:
            with self.client.messages.stream(**self.request()) as events:
                said += "".join(events.text_stream)
                message = events.get_final_message()
            if not self.goes_on(message):
                return said
