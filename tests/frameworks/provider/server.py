"""An HTTP server that speaks several providers' APIs, and refuses what they refuse."""

from __future__ import annotations

import json
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from provider.story import Reply, Seen, run_of, story
from provider.wires import WIRES, Wire

__all__ = ["Provider", "serving"]


class Provider(ThreadingHTTPServer):
    """Counts the requests of each run, and keeps what came: bodies, messages, and refusals."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Request)
        self.bodies: dict[str, list[Any]] = {}
        self.seen: dict[str, list[list[Seen]]] = {}
        self.refused: list[str] = []
        self.lock = threading.Lock()

    @property
    def url(self) -> str:
        """Where to send requests, without ``/v1``."""
        return f"http://127.0.0.1:{self.server_port}"

    def answer(self, wire: Wire, body: Any) -> Reply:
        """Note a request that was accepted, and go on with its run."""
        run, length = run_of(json.dumps(body, ensure_ascii=False))
        with self.lock:
            before = self.bodies.setdefault(run, [])
            number = len(before)
            before.append(body)
            self.seen.setdefault(run, []).append(wire.seen(body))
        return story(run, number, length)

    def handle_error(self, request: Any, client_address: Any) -> None:
        if not isinstance(sys.exception(), OSError):  # a client that left is no error
            super().handle_error(request, client_address)


class _Request(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: Provider

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the parent's word
        pass

    def do_POST(self) -> None:
        raw = self.rfile.read(int(self.headers["Content-Length"]))
        path = self.path.partition("?")[0]
        wire = next((wire for wire in WIRES if wire.speaks(path)), None)
        if wire is None:
            self._send(404, {"error": {"message": f"no such path: {path}"}})
            return
        body = json.loads(raw)
        what = wire.refuses(body)
        if what:
            self.server.refused.append(what)
            self._send(400, wire.error(what))
            return
        reply = self.server.answer(wire, body)
        if wire.streams(path, body):
            self._stream(wire.stream(reply, body))
        else:
            self._send(200, wire.reply(reply, body))

    def _send(self, status: int, body: Any) -> None:
        content = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def _stream(self, events: Iterator[tuple[str, Any]]) -> None:
        """Send server-sent events; an event without a name has only data."""
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        for name, data in events:
            head = f"event: {name}\n" if name else ""
            text = data if isinstance(data, str) else json.dumps(data)
            self.wfile.write(f"{head}data: {text}\n\n".encode())
            self.wfile.flush()
        self.close_connection = True


@contextmanager
def serving() -> Iterator[Provider]:
    """Serve on a free port of loopback for as long as the block lasts."""
    server = Provider()
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
