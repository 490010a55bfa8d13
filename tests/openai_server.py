"""A small server on loopback that speaks the Chat Completions API, and fails as real ones do.

Give it what becomes of the first request, the second, …; the last of these stands for all that
follow. Status codes and bodies are those of OpenAI and of llama.cpp.
"""

from __future__ import annotations

import json
import socket
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

__all__ = [
    "Request",
    "Server",
    "Step",
    "answers",
    "dies",
    "drops",
    "echoes",
    "fails",
    "hangs",
    "meets",
    "overloaded",
    "sends",
    "serving",
]

Step = Callable[["Request"], None]
"""What becomes of one request."""

_WAIT = 5.0  # seconds: nobody waits as long, but a test that fails shall end


class Server(ThreadingHTTPServer):
    """Knows one model, the key it wants (if any), and how many words it can read (if limited)."""

    daemon_threads = True

    def __init__(self, steps: tuple[Step, ...], key: str, context: int) -> None:
        super().__init__(("127.0.0.1", 0), Request)
        self.steps, self.key, self.context, self.model = steps, key, context, "tiny"
        self.asked: list[Mapping[str, Any]] = []
        self.busy: set[Request] = set()
        self.most = 0
        self.lock, self.closing = threading.Lock(), threading.Event()
        self.open: set[socket.socket] = set()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/v1"

    @property
    def questions(self) -> list[str]:
        """The last message of every request, in the order of arrival."""
        return [body["messages"][-1]["content"] for body in self.asked]

    def enter(self, request: Request) -> Step:
        """Note a request, and tell what becomes of it."""
        with self.lock:
            self.asked.append(request.body)
            self.busy.add(request)
            self.most = max(self.most, len(self.busy))
            return self.steps[min(len(self.asked), len(self.steps)) - 1]

    def die(self) -> None:
        """Stop listening, and drop every connection."""
        self.closing.set()
        self.shutdown()
        self.server_close()
        for connection in list(self.open):
            with suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)

    def handle_error(self, request: Any, client_address: Any) -> None:
        if not isinstance(sys.exception(), OSError):  # a client that left is no error
            super().handle_error(request, client_address)


class Request(BaseHTTPRequestHandler):
    """One connection, and the request that it carries now."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: Server
    body: dict[str, Any]

    def setup(self) -> None:
        super().setup()
        self.server.open.add(self.connection)

    def finish(self) -> None:
        self.server.open.discard(self.connection)
        super().finish()

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the parent's word
        pass

    def do_GET(self) -> None:
        entry = {"id": self.server.model, "object": "model", "created": 0, "owned_by": "tests"}
        if self.path == "/v1/models":
            self.send(200, {"object": "list", "data": [entry]})
        else:
            self.refuse(404, "File Not Found", "not_found_error", 404)

    def do_POST(self) -> None:
        self.body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if self.path != "/v1/chat/completions":
            self.refuse(404, "File Not Found", "not_found_error", 404)
        elif self.server.key and self.headers["Authorization"] != f"Bearer {self.server.key}":
            self.refuse(401, "Incorrect API key provided: sk-no.", code="invalid_api_key")
        elif self.body["model"] != self.server.model:
            what = f"The model `{self.body['model']}` does not exist"
            self.refuse(404, what, code="model_not_found")
        else:
            self.server.enter(self)(self)

    def answer(self, text: str) -> None:
        """Send a completion, or that the prompt is too long, as llama.cpp words it."""
        words = sum(len(m["content"].split()) for m in self.body["messages"])
        limit = self.server.context
        if limit and words > limit:
            what = f"request ({words} tokens) exceeds the available context size ({limit} tokens)"
            self.refuse(400, what + ", try increasing it", "exceed_context_size_error", 400)
        else:
            self.send(200, completion(self.body["model"], text, words))

    def refuse(
        self,
        status: int,
        message: str,
        kind: str = "invalid_request_error",
        code: str | int | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        error = {"message": message, "type": kind, "param": None, "code": code}
        self.send(status, {"error": error}, headers)

    def send(self, status: int, body: object, headers: Mapping[str, str] | None = None) -> None:
        content = body.encode() if isinstance(body, str) else json.dumps(body).encode()
        self.start(status, len(content), headers)
        self.wfile.write(content)

    def start(self, status: int, size: int, headers: Mapping[str, str] | None = None) -> None:
        """Begin a reply: the request is over, for when it is out the next may come."""
        with self.server.lock:
            self.server.busy.discard(self)
        self.send_response(status)
        usual = {"Content-Type": "application/json", "Content-Length": str(size)}
        for name, value in {**usual, **(headers or {})}.items():
            self.send_header(name, value)
        self.end_headers()


def completion(model: str, text: str, words: int) -> dict[str, Any]:
    """Write what a server answers; it counts words as tokens."""
    said = len(text.split())
    usage = {"prompt_tokens": words, "completion_tokens": said, "total_tokens": words + said}
    message = {"role": "assistant", "content": text}
    choice = {"index": 0, "message": message, "logprobs": None, "finish_reason": "stop"}
    head = {"id": "chatcmpl-1", "object": "chat.completion", "created": 0, "model": model}
    return {**head, "choices": [choice], "usage": usage}


def answers(text: str) -> Step:
    """Say this."""
    return lambda request: request.answer(text)


def echoes() -> Step:
    """Answer every question by itself, with "re " before it."""
    return lambda request: request.answer(f"re {request.body['messages'][-1]['content']}")


def sends(body: object, kind: str = "application/json") -> Step:
    """Send 200 and this, whatever it is."""
    return lambda request: request.send(200, body, {"Content-Type": kind})


def fails(status: int, message: str = "The server had an error", **more: Any) -> Step:
    """Refuse with a status; `kind`, `code` and `headers` as in `Request.refuse`."""
    return lambda request: request.refuse(status, message, **more)


def overloaded(seconds: int) -> Step:
    """Ask for patience: 429, and after how many seconds to come again."""
    headers = {"Retry-After": str(seconds)}
    return fails(429, "Rate limit reached", kind="requests", headers=headers)


def hangs() -> Step:
    """Say nothing until the server closes."""

    def hang(request: Request) -> None:
        request.server.closing.wait(_WAIT)
        request.close_connection = True

    return hang


def drops() -> Step:
    """Send half an answer and hang up."""

    def drop(request: Request) -> None:
        request.start(200, 1000)
        request.wfile.write(b'{"id": "chatcmpl-1", "choices": [')
        request.close_connection = True

    return drop


def dies() -> Step:
    """Die: this request and all others that are open are dropped, nobody listens any more."""

    def die(request: Request) -> None:
        request.server.die()
        request.close_connection = True

    return die


def meets(several: int) -> Step:
    """Answer only when so many requests are there at once."""
    barrier = threading.Barrier(several)

    def meet(request: Request) -> None:
        barrier.wait(_WAIT)
        echoes()(request)

    return meet


@contextmanager
def serving(*steps: Step, key: str = "", context: int = 0) -> Iterator[Server]:
    """Serve on a free port of loopback for as long as the block lasts."""
    server = Server(steps or (echoes(),), key, context)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.die()
        thread.join()
