"""Servers of OpenAI's chat protocol: vLLM, llama.cpp, hosted services.

A request is one POST of the standard library. The API key is read from the environment, and is sent only in the header
of requests.
"""

from __future__ import annotations

import base64
import email.utils
import html
import http.client
import io
import ipaddress
import json
import os
import random
import re
import socket
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from email.message import Message
from functools import cache
from typing import Any, ClassVar

from geceval.base.errors import UsageError
from geceval.metrics.judging.judge import Answer, Judge, JudgeError, Request, shorten

#: Statuses after which the same request may succeed.
TEMPORARY = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 529})
#: Seconds before the second attempt; they double with each further one.
FIRST_WAIT, LONGEST_WAIT = 0.5, 60.0
#: The largest number of seconds of ``Retry-After``.
LONGEST_PAUSE = 600.0
#: The largest number of bytes of an answer.
LARGEST_ANSWER = 1 << 24
#: The largest number of tokens that a server may report; other numbers are not used.
MOST_TOKENS = 10**9

#: The variables of the key: geceval's for any server, OpenAI's for OpenAI's servers only.
KEY, OPENAI_KEY = "GECEVAL_API_KEY", "OPENAI_API_KEY"
OPENAI_HOSTS = ("openai.com", "openai.azure.com")


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """Handler that refuses redirects, because urllib would send the key with them."""

    def redirect_request(self, *args: Any, **kwargs: Any) -> None:
        return None


class _BeforeDeadline(io.RawIOBase):
    """Bytes of a socket that arrive before its timeout, counted from the first call."""

    def __init__(self, sock: socket.socket) -> None:
        self._socket, self._file = sock, sock.makefile("rb", 0)
        self._deadline = time.monotonic() + (sock.gettimeout() or 0)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int | None:
        left = self._deadline - time.monotonic()
        if left <= 0:
            raise TimeoutError("timed out")
        self._socket.settimeout(left)
        return self._file.readinto(buffer)

    def close(self) -> None:
        self._file.close()
        super().close()


class _Response(http.client.HTTPResponse):
    """Response whose header and body arrive within the timeout."""

    def __init__(self, sock: socket.socket, *more: Any, **named: Any) -> None:
        super().__init__(sock, *more, **named)
        self.fp.close()
        self.fp = io.BufferedReader(_BeforeDeadline(sock))


class _Connections(urllib.request.HTTPHandler, urllib.request.HTTPSHandler):
    """Handler whose connections return a ``_Response``."""

    def do_open(self, http_class: Any, req: urllib.request.Request, **named: Any) -> http.client.HTTPResponse:
        def connection(*more: Any, **own: Any) -> Any:
            made = http_class(*more, **own)
            made.response_class = _Response
            return made

        return super().do_open(connection, req, **named)


class _TryAgainError(Exception):
    """A temporary error.

    ``after``: seconds to wait before the next attempt. ``may_be_paid``: whether an answer may have been generated.
    """

    def __init__(self, why: str, after: float = 0.0, *, may_be_paid: bool = False) -> None:
        super().__init__(why)
        self.after, self.may_be_paid = after, may_be_paid


class RequestPace:
    """Time of the next request.

    There are at most ``per_minute`` requests, and none during a pause that the server requires.
    """

    def __init__(self, per_minute: float | None) -> None:
        self._gap = 60.0 / per_minute if per_minute else 0.0
        self._next = 0.0
        self._lock = threading.Lock()

    def wait(self) -> None:
        """Sleep until the next request may be sent."""
        with self._lock:
            turn = max(self._next, time.monotonic())
            self._next = turn + self._gap
        time.sleep(max(0.0, turn - time.monotonic()))

    def pause(self, seconds: float) -> None:
        """Pause all requests."""
        with self._lock:
            self._next = max(self._next, time.monotonic() + seconds)


@dataclass(frozen=True)
class Server(Judge):
    """Language model on a server.

    Args:
        model: Name of the model on the server.
        base_url: Address of the server, including ``/v1``.
        attempts: Maximum number of attempts per request while the server is busy, fails or cannot be reached.
        rate: Maximum number of requests per minute. None: no limit.
        timeout: Seconds to wait for an answer.

    Raises:
        UsageError: If the address is invalid or contains a password.
    """

    costly: ClassVar[bool] = True

    model: str
    base_url: str
    attempts: int = 6
    rate: float | None = None
    timeout: float = 120.0
    pace: RequestPace = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        address = parse_address(self.base_url)
        object.__setattr__(self, "base_url", address.geturl().rstrip("/"))
        object.__setattr__(self, "pace", RequestPace(self.rate))

    @property
    def name(self) -> str:
        return f"{self.model}@{self.base_url}"

    def answer(self, request: Request) -> Answer:
        return self.answer_within(request, lambda: None)

    def answer_within(self, request: Request, charge: Callable[[], None]) -> Answer:
        body = json.dumps(self.body(request)).encode()
        for attempt in range(self.attempts):
            self.pace.wait()
            try:
                return self._send(body)
            except _TryAgainError as fault:
                why = str(fault)
                if fault.may_be_paid:
                    charge()
                if fault.after > LONGEST_PAUSE:
                    why += f"; the server requires a pause of {fault.after:.0f} seconds"
                    break
                self.pace.pause(fault.after)
                if attempt + 1 < self.attempts:
                    longest = min(LONGEST_WAIT, FIRST_WAIT * 2**attempt)
                    time.sleep(longest * random.uniform(0.5, 1.0))
        hint = "answers are cached: the same command sends only the remaining requests"
        raise JudgeError(f"{self.base_url}: {why}", hint=hint)

    def body(self, request: Request) -> dict[str, Any]:
        """Return the body of a request."""
        roles = (("system", request.system), ("user", request.user))
        asked = {
            "model": self.model,
            "messages": [{"role": role, "content": content} for role, content in roles],
            # OpenAI's newer models accept the former only, other servers the latter.
            "max_completion_tokens" if is_openai(self.base_url) else "max_tokens": request.max_tokens,
        }
        if request.temperature is not None:
            asked["temperature"] = request.temperature
        if request.seeds:
            asked["seed"] = request.seed
        if request.structured == "schema":
            form = {"name": "judgment", "strict": True, "schema": request.schema}
            asked["response_format"] = {"type": "json_schema", "json_schema": form}
        elif request.structured == "object":
            asked["response_format"] = {"type": "json_object"}
        return asked

    def _send(self, body: bytes) -> Answer:
        headers = {"Content-Type": "application/json"}
        key = read_key(self.base_url)
        if key:
            headers["Authorization"] = f"Bearer {key}"
        post = urllib.request.Request(f"{self.base_url}/chat/completions", body, headers, method="POST")
        try:
            with _opener(self.base_url).open(post, timeout=self.timeout) as response:
                content = response.read(LARGEST_ANSWER)
        except urllib.error.HTTPError as error:
            raise self._read_refusal(error, key) from None
        except (OSError, http.client.HTTPException) as error:
            reason = getattr(error, "reason", None) or error
            why = f"no answer: {shorten(hide_key(key, str(reason) or type(error).__name__))}"
            raise _TryAgainError(why, may_be_paid=not isinstance(error, urllib.error.URLError)) from None
        return _read_answer(content, key)

    def _read_refusal(self, error: urllib.error.HTTPError, key: str | None) -> Exception:
        """Return the exception for a response with another status than 200."""
        try:
            said = shorten(hide_key(key, error.read(1 << 16).decode(errors="replace")), 200)
        except (OSError, http.client.HTTPException):
            said = ""
        why = f"status {error.code} {error.reason}".strip() + (f": {said}" if said else "")
        why = hide_key(key, why)
        if error.code in TEMPORARY:
            return _TryAgainError(why, read_retry_after(error.headers))
        hint = None
        if error.code in (401, 403):
            hint = f"set the API key in the environment variable {KEY}"
        elif error.code in (400, 422):
            hint = "try without unsupported parameters: structured=object or no, temperature=none, send_seed=no"
        return JudgeError(f"{self.base_url}: {why}", hint=hint)


def _read_answer(content: bytes, key: str | None) -> Answer:
    """Return the answer in the body of a response, without the key.

    Raises _TryAgainError for a body of another form.
    """
    try:
        whole = json.loads(content)
        text = whole["choices"][0]["message"].get("content")
        usage = whole.get("usage") or {}
        tokens = [usage.get(name) for name in ("prompt_tokens", "completion_tokens")]
    except (ValueError, KeyError, IndexError, TypeError, AttributeError, RecursionError):
        said = shorten(hide_key(key, content.decode(errors="replace")))
        raise _TryAgainError(f"unexpected response: {said}", may_be_paid=True) from None
    # Without content it is a refusal, an unreadable answer.
    prompt, answer = (count if isinstance(count, int) and 0 <= count <= MOST_TOKENS else None for count in tokens)
    return Answer(hide_key(key, text) if isinstance(text, str) else "", prompt, answer)


def read_retry_after(headers: Mapping[str, str] | Message) -> float:
    """Return the seconds of ``Retry-After``; 0 if it is missing or invalid."""
    value = str(headers.get("Retry-After", ""))
    try:
        seconds = float(value)
    except ValueError:
        try:
            seconds = email.utils.parsedate_to_datetime(value).timestamp() - time.time()
        except (ValueError, TypeError, OverflowError):
            return 0.0
    return seconds if 0 < seconds < float("inf") else 0.0


def hide_key(key: str | None, text: str) -> str:
    """Return a text in which the key is replaced.

    A server may have quoted it, also encoded for URLs, JSON, HTML or in base64.
    """
    return _quoted(key).sub("[key]", text) if key else text


@cache
def _quoted(key: str) -> re.Pattern[str]:
    """Return the pattern of a key with escaped characters, or in base64."""
    characters = []
    for character in key:
        code, name = ord(character), html.escape(character)
        forms = [re.escape(character), f"%{code:02x}", rf"\\+u{code:04x}", f"&#0*{code};?", f"&#x0*{code:x};?"]
        characters.append("(?:" + "|".join([*forms, re.escape(name), rf"\\+{re.escape(character)}"]) + ")")
    forms = ["".join(characters)]
    for before in range(3 if len(key) > 5 else 0):  # bytes before the key share characters with it
        first, last = (0, 2, 3)[before], (before + len(key)) * 8 // 6
        for encode in (base64.b64encode, base64.urlsafe_b64encode):
            forms.append(re.escape(encode(bytes(before) + key.encode()).decode()[first:last]))
    return re.compile("|".join(forms), re.IGNORECASE)


def read_key(base_url: str) -> str | None:
    """Return the API key in the environment.

    OpenAI's variable is read only for OpenAI's servers.

    Raises:
        UsageError: If the key has other characters than printable ASCII; does not contain the key.
    """
    name = OPENAI_KEY if is_openai(base_url) and not os.environ.get(KEY) else KEY
    key = os.environ.get(name, "").strip()
    if not (key.isascii() and key.isprintable()):
        raise UsageError(f"the API key in {name} has characters that no header contains")
    return key or None


def is_openai(base_url: str) -> bool:
    """Return whether an address is an HTTPS address of OpenAI."""
    address = urllib.parse.urlsplit(base_url)
    host = address.hostname or ""
    known = any(host == own or host.endswith(f".{own}") for own in OPENAI_HOSTS)
    return known and address.scheme == "https"


def parse_address(base_url: str) -> urllib.parse.SplitResult:
    """Return the parts of a server's address.

    Raises:
        UsageError: If the address is invalid, or if a signature must not contain it.
    """
    try:
        address = urllib.parse.urlsplit(base_url)
        good = address.scheme in ("http", "https") and address.hostname and (address.port is None or address.port > 0)
    except ValueError:
        good = False
    if not good or any(char.isspace() or char == "|" for char in base_url):
        raise UsageError("the server is not a valid address; an example is http://localhost:8000/v1")
    if address.username is not None or address.password is not None or address.query or address.fragment:
        message = "the address of the server must not contain a user, password or query: signatures contain it"
        raise UsageError(message, hint=f"set the API key in the environment variable {KEY}")
    return address


def _opener(base_url: str) -> urllib.request.OpenerDirector:
    """Return an opener without redirects, and without a proxy for local servers."""
    handlers: list[urllib.request.BaseHandler] = [_NoRedirects(), _Connections()]
    if is_loopback(urllib.parse.urlsplit(base_url).hostname or ""):
        handlers.append(urllib.request.ProxyHandler({}))
    return urllib.request.build_opener(*handlers)


def is_loopback(host: str) -> bool:
    """Return whether a host is this machine."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")
