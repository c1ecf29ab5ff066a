"""A server that quotes the key, sends nonsense or is slow; processes that share a cache."""

from __future__ import annotations

import base64
import contextlib
import html
import json
import multiprocessing
import socket
import threading
import time
import urllib.parse
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from geceval.base.arguments import printable
from geceval.base.errors import GecevalError, UsageError
from geceval.metrics.judging.answers import Answers
from geceval.metrics.judging.costs import Budget, Prices
from geceval.metrics.judging.judge import Answer, Judge, JudgeError, Question, Request
from geceval.metrics.judging.judge_client import JudgeClient
from geceval.metrics.judging.server import Server, read_key
from support.effort import examples
from support.judges import Loopback, Reaction, answered, loopback

KEY = "sk-Ab+/9&<é>\"'\\x".replace("é", "e") + "0123456789"
REQUEST = Request("", "text", ("score",), 1, 5, 0.0, 7, 300, "schema")
GOOD = '{"score": 3}'

ENCODED: dict[str, Callable[[str], str]] = {
    "verbatim": str,
    "url": lambda key: urllib.parse.quote(key, safe=""),
    "url plus": urllib.parse.quote_plus,
    "every letter of the url": lambda key: "".join(f"%{byte:02x}" for byte in key.encode()),
    "json": lambda key: json.dumps(key)[1:-1],
    "json twice": lambda key: json.dumps(json.dumps(key)[1:-1])[1:-1],
    "every letter in json": lambda key: "".join(f"\\u{ord(letter):04X}" for letter in key),
    "html": html.escape,
    "every letter in html": lambda key: "".join(f"&#x{ord(letter):x};" for letter in key),
    "decimal html": lambda key: "".join(f"&#{ord(letter)};" for letter in key),
    "base64": lambda key: base64.b64encode(key.encode()).decode(),
    "base64 of the header": lambda key: base64.b64encode(f"Bearer {key}".encode()).decode(),
    "base64 of a user": lambda key: base64.b64encode(f"user:{key}:".encode()).decode(),
    "base64 for urls": lambda key: base64.urlsafe_b64encode(f"a{key}".encode()).decode(),
    "capitals": str.upper,
}


def leaks(text: str, key: str) -> bool:
    """Whether a text has twelve letters of the key's end in a row, in any of the encodings."""
    secret = key[-10:]
    forms = {secret, secret.upper(), *(own(secret) for name, own in ENCODED.items() if "base64" not in name)}
    plain = [base64.b64encode(bytes(before) + key.encode()).decode()[8:20] for before in range(3)]
    return any(form in text for form in (*forms, *plain))


@pytest.fixture(scope="module")
def there() -> Iterator[Loopback]:
    with loopback() as state:
        yield state


@settings(max_examples=examples(60), suppress_health_check=list(HealthCheck))
@given(
    how=st.sampled_from(sorted(ENCODED)),
    place=st.sampled_from(["answer", "json", "text", "html", "header", "redirect", "error", "long"]),
    status=st.sampled_from([200, 400, 401, 404, 429, 500]),
    before=st.text(max_size=5),
)
def test_no_key_is_kept_or_printed(there: Loopback, how: str, place: str, status: int, before: str) -> None:
    secret = before.encode(errors="ignore").decode() + ENCODED[how](KEY)
    headers: dict[str, str] = {}
    body = json.dumps({"error": secret})
    if place == "answer":
        body = answered(f'{{"score": 3}} {secret}')
    elif place in ("text", "html", "long"):
        body = {"text": secret, "html": f"<p>{secret}</p>", "long": "x" * 4090 + secret}[place]
    elif place in ("header", "redirect"):
        headers = {"Location" if place == "redirect" else "Retry-After": ENCODED["url"](KEY)}
        status = 302 if place == "redirect" else status
    there.react = lambda number, asked: Reaction(status, headers, body)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GECEVAL_API_KEY", KEY)
        try:
            found = Server("m", there.base_url, attempts=1, timeout=5).answer(REQUEST).text
        except GecevalError as error:
            found = str(error)
    assert not leaks(found, KEY), found


@pytest.mark.parametrize("key", ["a\nb", "clé", "a\x1bb"])
def test_keys_that_no_header_contains_are_refused(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GECEVAL_API_KEY", key)
    with pytest.raises(UsageError, match="GECEVAL_API_KEY") as refusal:
        read_key("http://localhost/v1")
    assert key not in str(refusal.value)


@pytest.mark.parametrize("body", ["[" * 200_000, '{"choices": ' + "9" * 5000 + "}", '{"a":' * 50_000])
def test_bodies_that_cannot_be_parsed_are_errors(there: Loopback, body: str) -> None:
    there.react = lambda number, asked: Reaction(body=body)
    with pytest.raises(JudgeError, match="unexpected response"):
        Server("m", there.base_url, attempts=1).answer(REQUEST)


@pytest.mark.parametrize("tokens", [(-5, -5), (10**400, 10**12)])
def test_numbers_of_tokens_that_cannot_be_are_not_used(there: Loopback, tokens: tuple[int, int]) -> None:
    there.react = lambda number, asked: Reaction(body=answered(GOOD, tokens))
    answer = Server("m", there.base_url).answer(REQUEST)
    assert (answer.prompt_tokens, answer.answer_tokens) == (None, None)


def test_texts_from_servers_are_safe() -> None:
    assert Answer("a\ud800b").text == "a?b"
    assert printable("a\ud800") == "a\\ud800"
    assert printable("a\x1b[31m\tb\n\u202e\x9b é") == "a\\x1b[31m\tb\n\\u202e\\x9b é"


def test_an_attempt_that_may_be_paid_counts(there: Loopback) -> None:
    there.requests.clear()
    there.react = lambda number, asked: Reaction(body="<html>")
    client = JudgeClient(Server("m", there.base_url), None, Prices(0.0, 1e6), 900.0, 1, 1)
    with pytest.raises(JudgeError, match="max_cost=900 is spent"):
        client.ask([Question(REQUEST)])
    assert len(there.requests) == 3  # of six
    assert client.budget.spent == 900.0


def test_refusals_are_not_paid(there: Loopback) -> None:
    reactions = [Reaction(503, {"Retry-After": "0"}, "busy"), Reaction(body=answered(GOOD))]
    there.react = lambda number, asked: reactions[number]
    there.requests.clear()
    client = JudgeClient(Server("m", there.base_url), None, Prices(0.0, 1e6), 900.0, 1, 1)
    client.ask([Question(REQUEST)])
    assert (len(there.requests), client.budget.spent) == (2, 10.0)


def test_budget_is_not_refilled() -> None:
    budget = Budget(Prices(1e6, 1e6), 10_000.0)
    budget.settle(budget.reserve(REQUEST), REQUEST, Answer("x", None, None))
    assert budget.spent > 300


def test_timeout_is_the_time_of_the_whole_answer(there: Loopback) -> None:
    there.react = lambda number, asked: Reaction(body=" " * 100 + answered(GOOD), drip=0.2)  # 26 s
    start = time.monotonic()
    with pytest.raises(JudgeError, match="timed out"):
        Server("m", there.base_url, attempts=1, timeout=0.3).answer(REQUEST)
    assert time.monotonic() - start < 15


def test_timeout_includes_a_header_that_drips() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def drip() -> None:
            connection, _ = listening.accept()
            with connection, contextlib.suppress(OSError):
                for byte in b"HTTP/1.1 200 OK\r\nX: " + b"a" * 200:
                    connection.send(bytes([byte]))
                    time.sleep(0.2)  # 44 s

        threading.Thread(target=drip, daemon=True).start()
        start = time.monotonic()
        with pytest.raises(JudgeError, match="timed out"):
            Server("m", f"http://127.0.0.1:{listening.getsockname()[1]}/v1", attempts=1, timeout=0.3).answer(REQUEST)
        assert time.monotonic() - start < 15


# --- processes that share a cache ---


@dataclass(frozen=True)
class Counting(Judge):
    """Notes each request in a file."""

    notes: Path

    @property
    def name(self) -> str:
        return "counting"

    def answer(self, request: Request) -> Answer:
        with self.notes.open("a") as file:
            file.write(f"{request.seed}\n")
        time.sleep(0.002)
        return Answer(f"{request.seed:05}" + "x" * 20_000)


def ask(folder: Path, seeds: list[int]) -> None:
    client = JudgeClient(Counting(folder / "notes"), folder / "cache", Prices(), None, 1, 4)
    requests = [Request("", "", ("a",), 1, 5, None, seed, 9, "no") for seed in seeds]
    client.ask([Question(request) for request in requests])


def test_processes_share_a_cache_without_loss_and_pay_once(tmp_path: Path) -> None:
    (tmp_path / "cache").write_bytes(b'{"request": "of a process that was ki')
    make = multiprocessing.get_context("spawn").Process
    processes = [make(target=ask, args=(tmp_path, list(range(k, 40)))) for k in range(3)]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
        assert process.exitcode == 0
    assert sorted(map(int, (tmp_path / "notes").read_text().split())) == list(range(40))
    found = Answers(tmp_path / "cache")
    assert sorted(int(answer.text[:5]) for answer in found.values()) == list(range(40))
