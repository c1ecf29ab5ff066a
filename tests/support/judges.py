"""Judges for tests: one that answers by rule, and a server on this machine that answers well or badly."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from geceval.extending import Answer, Judge, Request

#: A key that no stream and no file may contain.
KEY = "sk-very-secret-0123456789"


def data_of(message: str) -> Any:
    """What a request shows, out of its message."""
    return json.loads(message.split("----- data begin -----\n")[1].split("\n----- data end -----")[0])


def grade(shown: Any) -> int:
    """A grade from 1 to 5 that follows from what is graded alone: shorter is better."""
    return 5 - len(str(shown)) % 5


def ruled(message: str, keys: list[str]) -> str:
    """An answer by rule to any of our requests."""
    data = data_of(message)
    if "targets" in data:
        return json.dumps({key: grade(data["targets"][key.removeprefix("target_")]) for key in keys})
    if keys and keys[0].startswith("change_"):
        return json.dumps({key: 20 * grade(data[key]["to"]) for key in keys})
    if "meaning_edits" in keys:
        return json.dumps(dict.fromkeys(keys, 1))
    return json.dumps({key: 2 * grade(data["target"]) - (key == "edits") for key in keys})


@dataclass(frozen=True)
class Ruled(Judge):
    """Answers by rule; it can be pickled."""

    @property
    def name(self) -> str:
        return "ruled"

    def answer(self, request: Request) -> Answer:
        return Answer(ruled(request.user, list(request.keys)))


@dataclass
class Scripted(Judge):
    """Answers by a function of the request, and counts."""

    function: Callable[[Request], str]
    asked: list[Request] = field(default_factory=list)

    @property
    def name(self) -> str:
        return "scripted"

    def answer(self, request: Request) -> Answer:
        self.asked.append(request)
        return Answer(self.function(request), 10, 5)

    __hash__ = object.__hash__


@dataclass(frozen=True)
class Reaction:
    """What the server does with a request: a status with headers and a body, after some seconds; ``cut``: it hangs up
    in the middle of the body; ``drip``: seconds between two bytes."""

    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    body: str | None = None
    delay: float = 0.0
    cut: bool = False
    drip: float = 0.0


def answered(text: str | None, tokens: tuple[int, int] = (100, 10)) -> str:
    """The body of a good response."""
    usage = {"prompt_tokens": tokens[0], "completion_tokens": tokens[1]}
    return json.dumps({"choices": [{"message": {"role": "assistant", "content": text}}], "usage": usage})


@dataclass
class Loopback:
    """What the server got, and how it reacts to its n-th request (by rule unless told otherwise)."""

    base_url: str
    react: Callable[[int, dict[str, Any]], Reaction] = lambda number, asked: Reaction()
    requests: list[dict[str, Any]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    times: list[float] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)


@contextmanager
def loopback() -> Iterator[Loopback]:
    """A server of OpenAI's protocol on this machine."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:  # http.server's name
            request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            with state.lock:
                number = len(state.requests)
                state.requests.append(request)
                state.headers.append(dict(self.headers))
                state.times.append(time.monotonic())
            reaction = state.react(number, request)
            time.sleep(reaction.delay)
            body = reaction.body
            if body is None:
                form = request.get("response_format", {}).get("json_schema", {}).get("schema", {})
                body = answered(ruled(request["messages"][1]["content"], form.get("required", [])))
            content = body.encode()
            self.send_response(reaction.status)
            for name, value in reaction.headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            for byte in content if reaction.drip else b"":
                self.wfile.write(bytes([byte]))
                time.sleep(reaction.drip)
            self.wfile.write(content[: len(content) // 2] if reaction.cut else b"" if reaction.drip else content)

        def log_message(self, *args: Any) -> None:
            pass

        def handle(self) -> None:
            with suppress(BrokenPipeError, ConnectionResetError):  # who asked went away
                super().handle()

    class Server(ThreadingHTTPServer):
        request_queue_size = 128  # of 5, usual there, some of eight askers wait a second
        daemon_threads = True

    server = Server(("127.0.0.1", 0), Handler)
    state = Loopback(f"http://127.0.0.1:{server.server_port}/v1")
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield state
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
