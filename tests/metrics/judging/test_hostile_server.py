"""A server that quotes the key, sends nonsense, is slow, never ends or redirects."""

from __future__ import annotations

import contextlib
import socket
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from geceval.base.arguments import printable
from geceval.metrics.judging import judge_client
from geceval.metrics.judging.judge import Answer, AttemptError, JudgeError, Prices, Question, Request
from geceval.metrics.judging.judge_client import JudgeClient
from geceval.metrics.judging.server import Server
from support.judges import KEY, Loopback, Reaction, answered, loopback

REQUEST = Request("", "text", ("score",), 1, 5, 0.0, 7, 300, "schema")
GOOD = '{"score": 3}'


@pytest.fixture
def there(monkeypatch: pytest.MonkeyPatch) -> Iterator[Loopback]:
    monkeypatch.setattr(judge_client, "FIRST_WAIT", 0.01)
    monkeypatch.setenv("GECEVAL_API_KEY", KEY)
    with loopback() as state:
        yield state


def client(server: Server, attempts: int, path: Path | None = None) -> JudgeClient:
    return JudgeClient(server, path, Prices(), None, 1, 1, attempts)


def ask(there: Loopback, attempts: int = 1, **settings: Any) -> Any:
    [reply] = client(Server("m", there.base_url, **settings), attempts).ask([Question(REQUEST)])
    return reply.meaning


# --- the key ---

REFUSALS = {
    "error": Reaction(401, body=f'{{"error": {{"message": "Incorrect API key provided: {KEY}", "code": "{KEY}"}}}}'),
    "failure": Reaction(500, {"Retry-After": KEY, "X-Request-Id": KEY}, f"Bearer {KEY}"),
    "redirect": Reaction(302, {"Location": f"http://127.0.0.1:9/{KEY}"}, KEY),
    "page": Reaction(body=f"<p>{KEY}</p>"),
    "other form": Reaction(body=f'{{"choices": "{KEY}"}}'),
    "cut": Reaction(body=KEY * 2, cut=True),
}


@pytest.mark.parametrize("reaction", REFUSALS.values(), ids=REFUSALS)
def test_no_error_contains_the_key(there: Loopback, reaction: Reaction) -> None:
    there.react = lambda number, asked: reaction
    with pytest.raises(AttemptError) as refusal:
        client(Server("m", there.base_url), 2).ask([Question(REQUEST)])
    error = refusal.value
    assert error.__context__ is None
    assert error.__cause__ is None
    frames = traceback.TracebackException.from_exception(error, capture_locals=True).stack[1:]
    assert KEY not in repr([str(error), vars(error), *(frame.locals for frame in frames)])
    assert KEY in there.headers[0]["Authorization"]


@pytest.mark.parametrize("text", [f"Your key is {KEY}.", f'{{"score": 3, "{KEY}": 3}}'])
def test_no_answer_contains_the_key(there: Loopback, text: str, tmp_path: Path) -> None:
    there.react = lambda number, asked: Reaction(body=answered(text))
    path = tmp_path / "answers.sqlite"
    [reply] = client(Server("m", there.base_url), 1, path).ask([Question(REQUEST)])
    assert "[key]" in str(reply.unreadable)
    assert KEY not in str(reply.unreadable)
    assert KEY.encode() not in path.read_bytes()


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_redirects_are_not_followed(there: Loopback, status: int) -> None:
    with loopback() as other:
        location = {"Location": f"{other.base_url}/chat/completions"}
        there.react = lambda number, asked: Reaction(status, location, "moved")
        with pytest.raises(JudgeError, match=f"status {status}"):
            ask(there, 3)
        assert not other.requests
    assert len(there.requests) == 1


# --- failures ---

FAILURES = {
    "500": Reaction(500, body="oops"),
    "503": Reaction(503, {"Retry-After": "0"}, "busy"),
    "429": Reaction(429, {"Retry-After": "soon"}, "slower"),
    "page": Reaction(200, body="<html>gateway</html>"),
    "no choices": Reaction(200, body='{"choices": []}'),
    "list": Reaction(200, body="[]"),
    "cut": Reaction(200, body=answered(GOOD), cut=True),
    "slow": Reaction(200, delay=1.5),
}


@pytest.mark.parametrize("failure", FAILURES.values(), ids=FAILURES)
def test_temporary_failures_are_tried_again(there: Loopback, failure: Reaction) -> None:
    there.react = lambda number, asked: failure if number < 2 else Reaction(body=answered(GOOD))
    assert ask(there, 6, timeout=0.8 if failure.delay else 60.0) == {"score": 3}
    assert len(there.requests) == 3 or (failure.delay and len(there.requests) > 3)  # a busy machine is late once more


def test_lasting_failures_are_errors_with_status_and_hint(there: Loopback) -> None:
    there.react = lambda number, asked: Reaction(503, body="still loading")
    with pytest.raises(JudgeError, match=r"/v1: status 503 Service Unavailable\n") as refusal:
        ask(there, 3)
    assert len(there.requests) == 3
    assert "the same command sends only the remaining requests" in str(refusal.value)
    for status, hint in ((400, "structured=object or no"), (401, "GECEVAL_API_KEY"), (404, "")):
        there.requests.clear()
        there.react = lambda number, asked, status=status: Reaction(status, body='{"error": "that will not do"}')
        with pytest.raises(JudgeError, match=f"status {status} ") as refusal:
            ask(there, 3)
        assert hint in str(refusal.value)
        assert "that will not do" not in str(refusal.value)
        assert len(there.requests) == 1


def test_pauses_of_a_server_are_kept_if_they_are_short(there: Loopback) -> None:
    busy = Reaction(429, {"Retry-After": "0.4"}, "slower")
    there.react = lambda number, asked: Reaction(body=answered(GOOD)) if number else busy
    ask(there, 2)
    assert there.times[1] - there.times[0] >= 0.4
    there.react = lambda number, asked: Reaction(429, {"Retry-After": "86400"}, "quota")
    with pytest.raises(JudgeError, match=r"status 429 Too Many Requests; the server requires a pause of 86400 seconds"):
        ask(there, 3)
    assert len(there.requests) == 3


def test_nobody_there() -> None:
    with pytest.raises(AttemptError, match=r"no answer \(ConnectionRefusedError\)") as refusal:
        Server("m", "http://127.0.0.1:9/v1").answer(REQUEST)
    assert not refusal.value.paid


# --- bodies ---

BODIES = {
    "nested": "[" * 200_000,
    "digits": '{"choices": ' + "9" * 5000 + "}",
    "unclosed": '{"a":' * 50_000,
    "large": " " * (1 << 25),
}


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
def test_bodies_of_another_form_are_errors(there: Loopback, body: str) -> None:
    there.react = lambda number, asked: Reaction(body=body)
    with pytest.raises(AttemptError, match=r"unexpected response|too large") as refusal:
        Server("m", there.base_url).answer(REQUEST)
    assert refusal.value.paid


@pytest.mark.parametrize("tokens", [(-5, -5), (10**400, 10**12)])
def test_numbers_of_tokens_that_cannot_be_are_not_used(there: Loopback, tokens: tuple[int, int]) -> None:
    there.react = lambda number, asked: Reaction(body=answered(GOOD, tokens))
    answer = Server("m", there.base_url).answer(REQUEST)
    assert (answer.prompt_tokens, answer.answer_tokens) == (None, None)


def test_texts_from_servers_are_safe() -> None:
    assert Answer("a\ud800b").text == "a?b"
    assert printable("a\ud800") == "a\\ud800"
    assert printable("a\x1b[31m\tb\n\u202e\x9b é") == "a\\x1b[31m\tb\n\\u202e\\x9b é"


# --- the deadline ---


def drip(connection: socket.socket) -> None:
    """A header of which a byte arrives now and then: 44 s."""
    for byte in b"HTTP/1.1 200 OK\r\nX: " + b"a" * 200:
        connection.send(bytes([byte]))
        time.sleep(0.2)


def flood(connection: socket.socket) -> None:
    """An error whose text never ends."""
    connection.send(b"HTTP/1.1 500 Oops\r\nTransfer-Encoding: chunked\r\n\r\n")
    while True:
        connection.send(b"10000\r\n" + b"x" * 0x10000 + b"\r\n")


def silence(connection: socket.socket) -> None:
    """Nothing, for 44 s."""
    time.sleep(44)


@pytest.mark.parametrize(
    ("behave", "message"), [(drip, "no answer within 0.3"), (flood, "status 500"), (silence, "no answer within 0.3")]
)
def test_the_deadline_is_of_the_whole_answer(behave: Callable[[socket.socket], None], message: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def serve() -> None:
            connection, _ = listening.accept()
            with connection, contextlib.suppress(OSError):
                behave(connection)

        threading.Thread(target=serve, daemon=True).start()
        start = time.monotonic()
        with pytest.raises(AttemptError, match=message):
            Server("m", f"http://127.0.0.1:{listening.getsockname()[1]}/v1", timeout=0.3).answer(REQUEST)
        assert time.monotonic() - start < 15


def test_the_deadline_includes_the_body(there: Loopback) -> None:
    there.react = lambda number, asked: Reaction(body=" " * 100 + answered(GOOD), drip=0.2)  # 26 s
    start = time.monotonic()
    with pytest.raises(AttemptError, match=r"no answer within 0\.3 seconds") as refusal:
        Server("m", there.base_url, timeout=0.3).answer(REQUEST)
    assert refusal.value.paid
    assert time.monotonic() - start < 15
