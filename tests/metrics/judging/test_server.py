"""A server that answers well, badly, slowly, or not at all."""

from __future__ import annotations

import email.utils
import json
import logging
import time
from collections.abc import Iterator
from typing import Any

import pytest

from geceval.base.errors import UsageError
from geceval.metrics.judging import server as module
from geceval.metrics.judging.judge import Answer, JudgeError, Request
from geceval.metrics.judging.server import Server, is_loopback, read_key, read_retry_after
from support.judges import Loopback, Reaction, answered, loopback

USER = '----- data begin -----\n{"targets": {"1": "abc", "2": "abcd"}}\n----- data end -----'
REQUEST = Request("Be a judge.", USER, ("target_1", "target_2"), 1, 5, 0.5, 7, 300, "schema")
GOOD = '{"target_1": 2, "target_2": 1}'
KEY = "sk-very-secret-0123456789"


@pytest.fixture
def there(monkeypatch: pytest.MonkeyPatch) -> Iterator[Loopback]:
    monkeypatch.setattr(module, "FIRST_WAIT", 0.01)
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")  # not for this machine
    monkeypatch.delenv("GECEVAL_API_KEY", raising=False)
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with loopback() as state:
        yield state


def test_what_is_sent(there: Loopback) -> None:
    assert Server("m", there.base_url + "/").answer(REQUEST) == Answer(GOOD, 100, 10)
    [asked] = there.requests
    assert asked["messages"] == [{"role": "system", "content": "Be a judge."}, {"role": "user", "content": USER}]
    assert [asked[key] for key in ("model", "temperature", "seed", "max_tokens")] == ["m", 0.5, 7, 300]
    assert asked["response_format"]["type"] == "json_schema"
    schema = asked["response_format"]["json_schema"]
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
def test_other_ways_to_ask_for_the_form(there: Loopback, structured: Any, form: Any) -> None:
    there.react = lambda number, asked: Reaction(body=answered(GOOD))
    body = Server("m", there.base_url).body(Request("", USER, (), 1, 5, 0.0, 7, 300, structured))
    assert body.get("response_format") == form


@pytest.mark.parametrize(
    "bad",
    [
        Reaction(500, body="oops"),
        Reaction(503, {"Retry-After": "0"}, "busy"),
        Reaction(429, {"Retry-After": "soon"}, "slower"),
        Reaction(200, body="<html>gateway</html>"),
        Reaction(200, body='{"choices": []}'),
        Reaction(200, body="[]"),
        Reaction(200, body=answered(GOOD), cut=True),
        Reaction(200, delay=1.0),
    ],
    ids=lambda reaction: f"{reaction.status}-{reaction.body and reaction.body[:12]}",
)
def test_what_may_pass_is_tried_again(there: Loopback, bad: Reaction) -> None:
    there.react = lambda number, asked: bad if number < 2 else Reaction()
    timeout = 0.4 if bad.delay else 60.0
    assert Server("m", there.base_url, timeout=timeout).answer(REQUEST).text == GOOD
    assert len(there.requests) == 3 or (bad.delay and len(there.requests) > 3)  # a busy machine is late once more


def test_the_server_says_when_it_wants_to_be_asked_again(there: Loopback) -> None:
    there.react = lambda number, asked: Reaction(429, {"Retry-After": "0.4"}) if number == 0 else Reaction()
    assert Server("m", there.base_url).answer(REQUEST).text == GOOD
    assert there.times[1] - there.times[0] >= 0.4
    there.react = lambda number, asked: Reaction(429, {"Retry-After": "86400"}, "quota")
    with pytest.raises(JudgeError, match=r"status 429 .*quota; the server requires a pause of 86400 seconds"):
        Server("m", there.base_url).answer(REQUEST)
    assert len(there.requests) == 3


def test_wanted_wait() -> None:
    later = email.utils.formatdate(time.time() + 100, usegmt=True)
    earlier = email.utils.formatdate(time.time() - 100, usegmt=True)
    assert 95 < read_retry_after({"Retry-After": later}) <= 100
    for value in (earlier, "", "-3", "nan", "inf", "later"):
        assert read_retry_after({"Retry-After": value}) == 0
    assert read_retry_after({}) == 0


def test_what_does_not_pass_is_an_error_with_what_the_server_said(there: Loopback) -> None:
    there.react = lambda number, asked: Reaction(503, body="still loading")
    with pytest.raises(JudgeError, match="status 503 Service Unavailable: still loading") as refusal:
        Server("m", there.base_url, attempts=3).answer(REQUEST)
    assert len(there.requests) == 3
    assert "the same command sends only the remaining requests" in str(refusal.value)
    for status, hint in ((400, "structured=object or no"), (401, "GECEVAL_API_KEY"), (404, "")):
        there.requests.clear()
        there.react = lambda number, asked, status=status: Reaction(status, body='{"error": "that will not do"}')
        with pytest.raises(JudgeError, match=rf"status {status} .*that will not do") as refusal:
            Server("m", there.base_url).answer(REQUEST)
        assert hint in str(refusal.value)
        assert len(there.requests) == 1


def test_nobody_there(there: Loopback) -> None:
    with pytest.raises(JudgeError, match=r"no answer: .*refused"):
        Server("m", "http://127.0.0.1:9/v1", attempts=2).answer(REQUEST)


def test_an_answer_without_content_is_one(there: Loopback) -> None:
    there.react = lambda number, asked: Reaction(body=answered(None))
    assert Server("m", there.base_url).answer(REQUEST) == Answer("", 100, 10)
    there.react = lambda number, asked: Reaction(body=json.dumps({"choices": [{"message": {"content": "x"}}]}))
    assert Server("m", there.base_url).answer(REQUEST) == Answer("x", None, None)


def test_the_rate_is_kept(there: Loopback) -> None:
    server = Server("m", there.base_url, rate=600)
    for _ in range(4):
        server.answer(REQUEST)
    assert all(late - early > 0.08 for early, late in zip(there.times, there.times[1:], strict=False))


# --- the key ---


def test_the_key_goes_into_the_header_and_nowhere_else(
    there: Loopback, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    monkeypatch.setenv("GECEVAL_API_KEY", f"{KEY}\n")
    server = Server("m", there.base_url)
    server.answer(REQUEST)
    assert there.headers[0]["Authorization"] == f"Bearer {KEY}"
    assert KEY not in json.dumps(there.requests) + repr(server) + server.name + caplog.text
    for status in (401, 500):
        there.react = lambda number, asked, status=status: Reaction(status, body=f"bad key {KEY}")
        with pytest.raises(JudgeError, match=r"bad key \[key\]") as refusal:
            Server("m", there.base_url, attempts=1).answer(REQUEST)
        assert KEY not in str(refusal.value) + repr(refusal.getrepr(style="long"))


def test_the_key_is_not_taken_elsewhere(there: Loopback, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GECEVAL_API_KEY", KEY)
    with loopback() as other:
        for status in (301, 302, 303, 307, 308):
            there.react = lambda number, asked, status=status: Reaction(
                status, {"Location": f"{other.base_url}/chat/completions"}
            )
            with pytest.raises(JudgeError, match=f"status {status}"):
                Server("m", there.base_url).answer(REQUEST)
        assert not other.requests


def test_which_key_is_for_whom(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GECEVAL_API_KEY", raising=False)
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    assert read_key("https://api.openai.com/v1") == KEY
    for other in ("http://api.openai.com/v1", "https://openai.com.evil.example/v1", "https://notopenai.com/v1"):
        assert read_key(other) is None
    monkeypatch.setenv("GECEVAL_API_KEY", "own")
    assert read_key("https://api.openai.com/v1") == read_key("http://localhost:8000/v1") == "own"


def test_this_machine_is_known_by_its_names() -> None:
    for host in ("localhost", "me.localhost", "127.0.0.1", "127.3.2.1", "::1"):
        assert is_loopback(host)
    for host in ("localhost.example", "notlocalhost", "10.0.0.1", "api.openai.com", ""):
        assert not is_loopback(host)


@pytest.mark.parametrize(
    "address",
    ["localhost:8000/v1", "ftp://x/v1", "http://", "http://x:99999999/v1", "http://a b/v1", "http://x/v1|y", ""],
)
def test_what_is_no_address(address: str) -> None:
    with pytest.raises(UsageError, match="not a valid address"):
        Server("m", address)


@pytest.mark.parametrize("address", [f"https://me:{KEY}@x/v1", f"https://x/v1?key={KEY}", f"https://x/v1#{KEY}"])
def test_no_password_in_an_address(address: str) -> None:
    with pytest.raises(UsageError, match="signatures contain it") as refusal:
        Server("m", address)
    assert KEY not in str(refusal.value)
