"""Requests to a server: body, key, address."""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from geceval.base.errors import MissingExtraError, UsageError
from geceval.metrics.judging.judge import Answer, Request
from geceval.metrics.judging.server import Server, is_loopback, read_key, read_retry_after
from support.judges import KEY, Loopback, Reaction, answered, loopback

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
def test_other_ways_to_ask_for_the_form(structured: Any, form: Any) -> None:
    body = Server("m", "http://127.0.0.1:1/v1").body(Request("", USER, (), 1, 5, 0.0, 7, 300, structured))
    assert body.get("response_format") == form


def test_an_answer_without_content_is_one(there: Loopback) -> None:
    there.react = lambda number, asked: Reaction(body=answered(None))
    assert Server("m", there.base_url).answer(REQUEST) == Answer("", 100, 10)
    there.react = lambda number, asked: Reaction(body='{"choices": [{"message": {"content": "x"}}]}')
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
    for other in ("http://api.openai.com/v1", "https://openai.com.evil.example/v1", "https://notopenai.com/v1"):
        assert read_key(other) is None
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
def test_what_is_no_address(address: str) -> None:
    with pytest.raises(UsageError, match="not a valid address"):
        Server("m", address)


@pytest.mark.parametrize("address", [f"https://me:{KEY}@x/v1", f"https://x/v1?key={KEY}", f"https://x/v1#{KEY}"])
def test_no_password_in_an_address(address: str) -> None:
    with pytest.raises(UsageError, match="signatures contain it") as refusal:
        Server("m", address)
    assert KEY not in str(refusal.value)
