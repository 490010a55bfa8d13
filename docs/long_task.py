"""What the means of frameworks leave of one long task, for ``docs/frameworks.md``.

    python docs/long_task.py > long-task.json

The task is a system prompt, what the user asks, and twenty calls with their results; each means
is told to keep about half of them. Where agents keep the system prompt apart, it stands apart here.
Frameworks that are not installed are left out.
"""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from types import SimpleNamespace
from typing import Any

CALLS, WORDS = 20, 20
KEPT = CALLS + 1  # messages: half of all
TOKENS = KEPT * WORDS // 2  # the calls themselves have no text
TEXT = "word " * WORDS
ROLES = {"system": "system", "task": "user", "call": "assistant", "result": "tool"}
NAMES = ["system", "task", *(f"{what} {i}" for i in range(CALLS) for what in ("call", "result"))]

COUNTER = SimpleNamespace(count_tokens=lambda given, **_: len(given))  # a message is a token

Kept = Sequence[str]


def messages(**make: Callable[[str], Any]) -> list[Any]:
    """Make all messages, each by its kind from its number."""
    return [make[kind](number) for kind, _, number in (name.partition(" ") for name in NAMES)]


def named(all_of_them: Sequence[Any], kept: Sequence[Any]) -> Kept:
    """Name what is left, which are the same objects."""
    names = {id(message): name for message, name in zip(all_of_them, NAMES, strict=True)}
    return [names[id(message)] for message in kept if id(message) in names]


def langchain(**settings: Any) -> Kept:
    """Trim by LangChain."""
    core = import_module("langchain_core.messages")
    look = {"name": "look", "args": {}}
    given = messages(
        system=lambda _: core.SystemMessage(TEXT, id="system"),
        task=lambda _: core.HumanMessage(TEXT, id="task"),
        call=lambda n: core.AIMessage("", tool_calls=[{**look, "id": n}], id=f"call {n}"),
        result=lambda n: core.ToolMessage(TEXT, tool_call_id=n, id=f"result {n}"),
    )
    kept = core.trim_messages(given, max_tokens=KEPT, token_counter=len, **settings)
    return [message.id for message in kept]


def litellm() -> Kept:
    """Trim by LiteLLM, which copies; the assistant has the last word, as it spares results."""
    os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")
    given = [
        {"role": ROLES[name.split()[0]], "content": "" if "call" in name else TEXT, "name": name}
        for name in NAMES
    ]
    last = {"role": "assistant", "content": "", "name": ""}
    kept = import_module("litellm.utils").trim_messages([*given, last], max_tokens=2 * TOKENS)
    return [message.get("name", "system") for message in kept if message.get("name") != ""]


def autogen(make: str, *settings: Any, **more: Any) -> Kept:
    """Read one of AutoGen's contexts."""
    core, of = import_module("autogen_core"), import_module("autogen_core.models")
    context = getattr(import_module("autogen_core.model_context"), make)(*settings, **more)
    given = messages(
        system=lambda _: None,
        task=lambda _: of.UserMessage(content=TEXT, source="user"),
        call=lambda n: of.AssistantMessage(
            content=[core.FunctionCall(id=n, name="look", arguments="{}")], source="agent"
        ),
        result=lambda n: of.FunctionExecutionResultMessage(
            content=[of.FunctionExecutionResult(call_id=n, name="look", content="", is_error=False)]
        ),
    )
    for message in given[1:]:
        asyncio.run(context.add_message(message))
    return ["system", *named(given, asyncio.run(context.get_messages()))]


def llama_index(memory: str) -> Kept:
    """Read one of LlamaIndex' memories."""
    of = import_module("llama_index.core.base.llms.types")
    given = [
        of.ChatMessage(
            role=ROLES[name.split()[0]],
            content="" if "call" in name else TEXT,
            additional_kwargs={"name": name},
        )
        for name in NAMES[1:]
    ]
    made = getattr(import_module("llama_index.core.memory"), memory)
    kept = made.from_defaults(token_limit=TOKENS)
    kept.put_messages(given)
    return ["system", *(message.additional_kwargs["name"] for message in kept.get())]


def strands(**settings: Any) -> Kept:
    """Manage the list of an agent of Strands."""
    manager = import_module("strands.agent.conversation_manager").SlidingWindowConversationManager
    given = messages(
        system=lambda _: None,
        task=lambda _: {"role": "user", "content": [{"text": TEXT}]},
        call=lambda n: {
            "role": "assistant",
            "content": [{"toolUse": {"toolUseId": n, "name": "look", "input": {}}}],
        },
        result=lambda n: {
            "role": "user",
            "content": [{"toolResult": {"toolUseId": n, "content": [{"text": TEXT}]}}],
        },
    )
    agent = SimpleNamespace(messages=given[1:])
    manager(window_size=KEPT, **settings).apply_management(agent)
    return ["system", *named(given, agent.messages)]


def google_adk() -> Kept:
    """Filter a request of ADK down to the latest turn of the user."""
    types = import_module("google.genai.types")
    given = messages(
        system=lambda _: None,
        task=lambda _: types.Content(role="user", parts=[types.Part(text=TEXT)]),
        call=lambda n: types.Content(
            role="model",
            parts=[types.Part(function_call=types.FunctionCall(id=n, name="look", args={}))],
        ),
        result=lambda n: types.Content(
            role="user",
            parts=[types.Part(function_response=types.FunctionResponse(id=n, name="look"))],
        ),
    )
    request = SimpleNamespace(contents=given[1:])
    plugin = import_module("google.adk.plugins.context_filter_plugin").ContextFilterPlugin
    filtering = plugin(num_invocations_to_keep=1)
    asyncio.run(filtering.before_model_callback(callback_context=None, llm_request=request))
    return ["system", *named(given, request.contents)]


def agent_framework(**settings: Any) -> Kept:
    """Truncate by Agent Framework."""
    of = import_module("agent_framework")
    given = messages(
        system=lambda _: of.Message(role="system", contents=[TEXT]),
        task=lambda _: of.Message(role="user", contents=[TEXT]),
        call=lambda n: of.Message(
            role="assistant",
            contents=[of.Content.from_function_call(call_id=n, name="look", arguments="{}")],
        ),
        result=lambda n: of.Message(
            role="tool", contents=[of.Content.from_function_result(call_id=n, result=TEXT)]
        ),
    )
    of.annotate_message_groups(given)
    asyncio.run(of.TruncationStrategy(max_n=KEPT, compact_to=KEPT, **settings)(given))
    return named(given, of.included_messages(given))


def lre() -> Kept:
    """Evict, with as many tokens as half of all."""
    given = messages(
        system=lambda _: {"role": "system", "content": TEXT},
        task=lambda _: {"role": "user", "content": TEXT},
        call=lambda n: {
            "role": "assistant",
            "content": None,
            "tool_calls": [
                {"id": n, "type": "function", "function": {"name": "look", "arguments": "{}"}}
            ],
        },
        result=lambda n: {"role": "tool", "tool_call_id": n, "content": TEXT},
    )
    return named(given, import_module("lre").evict(given, budget="50%").messages)


MEANS: Sequence[tuple[str, str, Callable[[], Kept]]] = (
    ("langchain-core", "`trim_messages`", langchain),
    (
        "langchain-core",
        '`trim_messages(start_on="human", include_system=True)`',
        lambda: langchain(start_on="human", include_system=True),
    ),
    ("litellm", "`trim_messages`", litellm),
    ("strands-agents", "`SlidingWindowConversationManager`", strands),
    ("strands-agents", "the same with `pin_first=1`", lambda: strands(pin_first=1)),
    ("google-adk", "`ContextFilterPlugin`", google_adk),
    ("llama-index-core", "`ChatMemoryBuffer`", lambda: llama_index("ChatMemoryBuffer")),
    ("llama-index-core", "`Memory`", lambda: llama_index("Memory")),
    ("agent-framework-core", "`TruncationStrategy`", agent_framework),
    (
        "agent-framework-core",
        "the same with `preserve_first_user_group=True`",
        lambda: agent_framework(preserve_first_user_group=True),
    ),
    ("autogen-core", "`Buffered…Context`", lambda: autogen("BufferedChatCompletionContext", KEPT)),
    (
        "autogen-core",
        "`HeadAndTail…Context`",
        lambda: autogen("HeadAndTailChatCompletionContext", 1, KEPT - 1),
    ),
    (
        "autogen-core",
        "`TokenLimited…Context`",
        lambda: autogen("TokenLimitedChatCompletionContext", COUNTER, token_limit=KEPT - 1),
    ),
    ("lre", "`evict`", lre),
)


def left() -> Iterator[dict[str, Any]]:
    """Tell of each means that can be run here what it left."""
    for package, means, run in MEANS:
        try:
            found = version(package)
        except PackageNotFoundError:
            continue
        kept = {*run()}
        pairs = [{f"call {i}", f"result {i}"} for i in range(CALLS)]
        yield {
            "package": package,
            "version": found,
            "means": means,
            "messages": len(kept),
            "system": "system" in kept,
            "task": "task" in kept,
            "parted": sum(len(pair & kept) == 1 for pair in pairs),
        }


if __name__ == "__main__":
    print(json.dumps([*left()], indent=1))
