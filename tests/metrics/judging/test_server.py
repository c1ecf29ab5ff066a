"""Requests to a server: body, key, address."""

from __future__ import annotations

import contextlib
import logging
import socket
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from geceval.base.arguments import printable
from geceval.base.errors import MissingExtraError, UsageError
from geceval.metrics.judging import judge_client
from geceval.metrics.judging.judge import Answer, AttemptError, JudgeError, Prices, Question, Request
from geceval.metrics.judging.judge_client import JudgeClient
from geceval.metrics.judging.server import Server, is_loopback, read_key, read_retry_after
from support.judges import KEY, Loopback, Reaction, answered, loopback
from support.messages import message_of

USER = '----- data begin -----\n{"targets": {"1": "abc", "2": "abcd"}}\n----- data end -----'
REQUEST = Request("Be a judge.", USER, ("target_1", "target_2"), 1, 5, 0.5, 7, 300, "schema")
GOOD = '{"target_1": 2, "target_2": 1}'


@pytest.fixture
def there(monkeypatch: pytest.MonkeyPatch) -> Iterator[Loopback]:
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")  # not for this machine
    monkeypatch.delenv("GECEVAL_API_KEY", raising=False)
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with loopback() as state:
        yield state


def test_what_is_sent(there: Loopback) -> None:
    assert Server("m", there.base_url + "/").answer(REQUEST) == Answer(GOOD, 100, 10)
    [body] = there.requests
    assert body["messages"] == [{"role": "system", "content": "Be a judge."}, {"role": "user", "content": USER}]
    assert [body[key] for key in ("model", "temperature", "seed", "max_tokens")] == ["m", 0.5, 7, 300]
    assert body["response_format"]["type"] == "json_schema"
    schema = body["response_format"]["json_schema"]
    assert schema["strict"] is True
    assert schema["schema"]["required"] == ["target_1", "target_2"]
    assert schema["schema"]["additionalProperties"] is False
    assert schema["schema"]["properties"]["target_2"] == {"type": "integer", "minimum": 1, "maximum": 5}
    assert "Authorization" not in there.headers[0]


def test_what_a_server_refuses_can_be_left_out() -> None:
    server = Server("m", "http://127.0.0.1:1/v1")
    assert {"temperature", "seed"} <= set(server.body(REQUEST))
    bare = server.body(Request("", USER, (), 1, 5, None, 7, 300, "no", seeds=False))
    assert set(bare) == {"model", "messages", "max_tokens"}
    body = Server("m", "https://api.openai.com/v1").body(REQUEST)
    assert body["max_completion_tokens"] == 300
    assert "max_tokens" not in body


@pytest.mark.parametrize(("structured", "form"), [("object", {"type": "json_object"}), ("no", None)])
def test_other_ways_to_ask_for_the_form(structured: Any, form: Any) -> None:
    body = Server("m", "http://127.0.0.1:1/v1").body(Request("", USER, (), 1, 5, 0.0, 7, 300, structured))
    assert body.get("response_format") == form


def test_an_answer_without_content_is_one(there: Loopback) -> None:
    there.react = lambda number, body: Reaction(body=answered(None))
    assert Server("m", there.base_url).answer(REQUEST) == Answer("", 100, 10)
    there.react = lambda number, body: Reaction(body='{"choices": [{"message": {"content": "x"}}]}')
    assert Server("m", there.base_url).answer(REQUEST) == Answer("x", None, None)


def test_the_package_is_imported_by_the_first_request(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "openai", None)
    server = Server("m", "http://127.0.0.1:1/v1")
    with pytest.raises(MissingExtraError, match="needs the package openai") as refusal:
        server.answer(REQUEST)
    assert refusal.value.hint == "pip install 'geceval[judge]'"


def test_seconds_of_retry_after() -> None:
    assert read_retry_after("0.4") == 0.4
    for value in ("", "-3", "nan", "inf", "later", "9" * 400, "Wed, 21 Oct 2125 07:28:00 GMT"):
        assert read_retry_after(value) == 0


# --- the key ---


def test_the_key_goes_into_the_header_and_nowhere_else(
    there: Loopback, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    monkeypatch.setenv("GECEVAL_API_KEY", f"{KEY}\n")
    server = Server("m", there.base_url)
    server.answer(REQUEST)
    assert there.headers[0]["Authorization"] == f"Bearer {KEY}"
    assert KEY not in repr([there.requests, server, server.name]) + caplog.text


def test_variables_for_openai_are_not_sent_elsewhere(there: Loopback, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_ADMIN_KEY", "OPENAI_ORG_ID", "OPENAI_PROJECT_ID"):
        monkeypatch.setenv(name, KEY)
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    monkeypatch.setenv("OPENAI_CUSTOM_HEADERS", f"Authorization: Bearer {KEY}\nX-Gateway: {KEY}")
    assert Server("m", there.base_url).answer(REQUEST).text == GOOD
    assert KEY not in repr(there.headers)


def test_which_key_is_for_whom(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GECEVAL_API_KEY", raising=False)
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    assert read_key("https://api.openai.com/v1") == KEY
    for address in ("http://api.openai.com/v1", "https://openai.com.evil.example/v1", "https://notopenai.com/v1"):
        assert read_key(address) is None
    monkeypatch.setenv("GECEVAL_API_KEY", "own")
    assert read_key("https://api.openai.com/v1") == read_key("http://localhost:8000/v1") == "own"


@pytest.mark.parametrize("key", ["a\nb", "clé", "a\x1bb"])
def test_keys_that_no_header_contains_are_refused(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GECEVAL_API_KEY", key)
    with pytest.raises(UsageError, match="GECEVAL_API_KEY") as refusal:
        read_key("http://localhost/v1")
    assert key not in str(refusal.value)


# --- the address ---


def test_this_machine_is_known_by_its_names() -> None:
    for host in ("localhost", "me.localhost", "127.0.0.1", "127.3.2.1", "[::1]"):
        assert is_loopback(f"http://{host}:8000/v1")
    for host in ("localhost.example", "notlocalhost", "10.0.0.1", "api.openai.com"):
        assert not is_loopback(f"https://{host}/v1")


@pytest.mark.parametrize(
    "address",
    ["localhost:8000/v1", "ftp://x/v1", "http://", "http://x:99999999/v1", "http://a b/v1", "http://x/v1|y", ""],
)
def test_invalid_address_is_refused(address: str) -> None:
    assert "not a valid address" in message_of(Server, "m", address)


@pytest.mark.parametrize("address", [f"https://me:{KEY}@x/v1", f"https://x/v1?key={KEY}", f"https://x/v1#{KEY}"])
def test_no_password_in_an_address(address: str) -> None:
    with pytest.raises(UsageError, match="signatures contain it") as refusal:
        Server("m", address)
    assert KEY not in str(refusal.value)


# --- servers that quote the key or send nonsense or never end or redirect ---


SCORE_REQUEST = Request("", "text", ("score",), 1, 5, 0.0, 7, 300, "schema")
SCORE_ANSWER = '{"score": 3}'


@pytest.fixture
def keyed(there: Loopback, monkeypatch: pytest.MonkeyPatch) -> Loopback:
    monkeypatch.setattr(judge_client, "FIRST_WAIT", 0.01)
    monkeypatch.setenv("GECEVAL_API_KEY", KEY)
    return there


def client(server: Server, attempts: int, path: Path | None = None) -> JudgeClient:
    return JudgeClient(server, path, Prices(), None, 1, 1, attempts)


def ask(keyed: Loopback, attempts: int = 1, **settings: Any) -> Any:
    [reply] = client(Server("m", keyed.base_url, **settings), attempts).ask([Question(SCORE_REQUEST)])
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
def test_no_error_contains_the_key(keyed: Loopback, reaction: Reaction) -> None:
    keyed.react = lambda number, body: reaction
    with pytest.raises(AttemptError) as refusal:
        client(Server("m", keyed.base_url), 2).ask([Question(SCORE_REQUEST)])
    error = refusal.value
    assert error.__context__ is None
    assert error.__cause__ is None
    frames = traceback.TracebackException.from_exception(error, capture_locals=True).stack[1:]
    assert KEY not in repr([str(error), vars(error), *(frame.locals for frame in frames)])
    assert KEY in keyed.headers[0]["Authorization"]


@pytest.mark.parametrize("text", [f"Your key is {KEY}.", f'{{"score": 3, "{KEY}": 3}}'])
def test_no_answer_contains_the_key(keyed: Loopback, text: str, tmp_path: Path) -> None:
    keyed.react = lambda number, body: Reaction(body=answered(text))
    path = tmp_path / "answers.sqlite"
    [reply] = client(Server("m", keyed.base_url), 1, path).ask([Question(SCORE_REQUEST)])
    assert "[key]" in str(reply.unreadable)
    assert KEY not in str(reply.unreadable)
    assert KEY.encode() not in path.read_bytes()


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_redirects_are_not_followed(keyed: Loopback, status: int) -> None:
    with loopback() as second_server:
        location = {"Location": f"{second_server.base_url}/chat/completions"}
        keyed.react = lambda number, body: Reaction(status, location, "moved")
        with pytest.raises(JudgeError, match=f"status {status}"):
            ask(keyed, 3)
        assert not second_server.requests
    assert len(keyed.requests) == 1


# --- failures ---

FAILURES = {
    "500": Reaction(500, body="oops"),
    "503": Reaction(503, {"Retry-After": "0"}, "busy"),
    "429": Reaction(429, {"Retry-After": "soon"}, "slower"),
    "page": Reaction(200, body="<html>gateway</html>"),
    "no choices": Reaction(200, body='{"choices": []}'),
    "list": Reaction(200, body="[]"),
    "cut": Reaction(200, body=answered(SCORE_ANSWER), cut=True),
}


@pytest.mark.parametrize("failure", FAILURES.values(), ids=FAILURES)
def test_temporary_failures_are_tried_again(keyed: Loopback, failure: Reaction) -> None:
    keyed.react = lambda number, body: failure if number < 2 else Reaction(body=answered(SCORE_ANSWER))
    assert ask(keyed, 6) == {"score": 3}
    assert len(keyed.requests) == 3


def test_lasting_failures_are_errors_with_status_and_hint(keyed: Loopback) -> None:
    keyed.react = lambda number, body: Reaction(503, body="still loading")
    with pytest.raises(JudgeError, match=r"/v1: status 503 Service Unavailable\n") as refusal:
        ask(keyed, 3)
    assert len(keyed.requests) == 3
    assert "the same command sends only the remaining requests" in str(refusal.value)
    for status, hint in ((400, "structured=object or no"), (401, "GECEVAL_API_KEY"), (404, "")):
        keyed.requests.clear()
        keyed.react = lambda number, body, status=status: Reaction(status, body='{"error": "that will not do"}')
        with pytest.raises(JudgeError, match=f"status {status} ") as refusal:
            ask(keyed, 3)
        assert hint in str(refusal.value)
        assert "that will not do" not in str(refusal.value)
        assert len(keyed.requests) == 1


def test_pauses_of_a_server_are_kept_if_they_are_short(keyed: Loopback) -> None:
    busy = Reaction(429, {"Retry-After": "0.4"}, "slower")
    keyed.react = lambda number, body: Reaction(body=answered(SCORE_ANSWER)) if number else busy
    ask(keyed, 2)
    assert keyed.times[1] - keyed.times[0] >= 0.4
    keyed.react = lambda number, body: Reaction(429, {"Retry-After": "86400"}, "quota")
    with pytest.raises(JudgeError, match=r"status 429 Too Many Requests; the server requires a pause of 86400 seconds"):
        ask(keyed, 3)
    assert len(keyed.requests) == 3


def test_server_that_does_not_answer_is_an_unpaid_error() -> None:
    with pytest.raises(AttemptError, match=r"no answer \(ConnectionRefusedError\)") as refusal:
        Server("m", "http://127.0.0.1:9/v1").answer(SCORE_REQUEST)
    assert not refusal.value.paid


# --- bodies ---

BODIES = {
    "nested": "[" * 200_000,
    "digits": '{"choices": ' + "9" * 5000 + "}",
    "unclosed": '{"a":' * 50_000,
    "large": " " * (1 << 25),
}


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
def test_bodies_of_another_form_are_errors(keyed: Loopback, body: str) -> None:
    keyed.react = lambda number, payload: Reaction(body=body)
    with pytest.raises(AttemptError, match=r"unexpected response|too large") as refusal:
        Server("m", keyed.base_url).answer(SCORE_REQUEST)
    assert refusal.value.paid


@pytest.mark.parametrize("tokens", [(-5, -5), (10**400, 10**12)])
def test_numbers_of_tokens_that_cannot_be_are_not_used(keyed: Loopback, tokens: tuple[int, int]) -> None:
    keyed.react = lambda number, body: Reaction(body=answered(SCORE_ANSWER, tokens))
    answer = Server("m", keyed.base_url).answer(SCORE_REQUEST)
    assert (answer.prompt_tokens, answer.answer_tokens) == (None, None)


def test_texts_from_servers_are_safe() -> None:
    assert Answer("a\ud800b").text == "a?b"
    assert printable("a\ud800") == "a\\ud800"
    assert printable("a\x1b[31m\tb\n\u202e\x9b é") == "a\\x1b[31m\tb\n\\u202e\\x9b é"


# --- the deadline ---


def drip(connection: socket.socket) -> None:
    """A header that never ends."""
    connection.send(b"HTTP/1.1 200 OK\r\nX: ")
    while True:
        connection.send(b"a")
        time.sleep(0.01)


def flood(connection: socket.socket) -> None:
    """An error whose text never ends."""
    connection.send(b"HTTP/1.1 500 Oops\r\nTransfer-Encoding: chunked\r\n\r\n")
    while True:
        connection.send(b"10000\r\n" + b"x" * 0x10000 + b"\r\n")


def silence(connection: socket.socket) -> None:
    """No answer until the client hangs up."""
    while connection.recv(1 << 16):
        pass


def drip_body(connection: socket.socket) -> None:
    """A body that never ends."""
    connection.send(b"HTTP/1.1 200 OK\r\nContent-Length: 1000000000\r\n\r\n")
    while True:
        connection.send(b" ")
        time.sleep(0.01)


@pytest.mark.parametrize(
    ("behave", "timeout", "message"),
    [
        (drip, 0.3, "no answer within 0.3 seconds"),
        (silence, 0.3, "no answer within 0.3 seconds"),
        (drip_body, 0.3, "no answer within 0.3 seconds"),
        (flood, 120.0, "status 500"),
    ],
)
def test_the_deadline_is_of_the_whole_answer(
    behave: Callable[[socket.socket], None], timeout: float, message: str
) -> None:
    """A request without a deadline would not end before the timeout of the test."""
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def serve() -> None:
            connection, _ = listening.accept()
            with connection, contextlib.suppress(OSError):
                behave(connection)

        threading.Thread(target=serve, daemon=True).start()
        with pytest.raises(AttemptError, match=message) as refusal:
            Server("m", f"http://127.0.0.1:{listening.getsockname()[1]}/v1", timeout).answer(SCORE_REQUEST)
        assert (refusal.value.paid, refusal.value.again) == (timeout < 1, True)


@pytest.mark.parametrize("place", ["request", "response"])
def test_programming_error_is_no_answer_of_the_server(
    there: Loopback, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    import openai

    def fail(*_: Any, **__: Any) -> Any:
        raise TypeError("unexpected keyword")

    if place == "request":
        completions = openai.resources.chat.completions.AsyncCompletions
        monkeypatch.setattr(completions, "create", fail)
    else:
        monkeypatch.setattr("geceval.metrics.judging.server.LARGEST_RESPONSE", None)
    judge = client(Server("m", there.base_url), 3)
    with pytest.raises(TypeError):
        judge.ask([Question(REQUEST)])
    assert judge.budget.spent == 0
    assert len(there.requests) == (place == "response")
