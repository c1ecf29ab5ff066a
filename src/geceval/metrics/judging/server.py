"""Servers of OpenAI's chat protocol (extra ``geceval[judge]``).

Examples are vLLM, llama.cpp, Ollama and hosted services. An attempt is one POST by the package openai within a
deadline. JudgeClient repeats it, because each attempt counts for rate and costs. The API key is read from the
environment, and is only in the header of requests.
"""

from __future__ import annotations

import asyncio
import ipaddress
import json
import os
import ssl
import urllib.parse
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from http.client import responses
from importlib import import_module
from typing import Any, ClassVar

from geceval.base.errors import UsageError, require_extra
from geceval.metrics.judging.judge import Answer, AttemptError, Judge, Request

#: Statuses after which the same request may succeed.
TEMPORARY = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 529})
#: The largest number of seconds of ``Retry-After``.
LONGEST_PAUSE = 600.0
#: The largest number of bytes of a response.
LARGEST_RESPONSE = 1 << 24
#: The largest number of tokens that a server may report; other numbers are not used.
MOST_TOKENS = 10**9
#: Beginnings of the names of headers that are sent. The package adds others, from variables for OpenAI's servers.
HEADERS = ("host", "accept", "connection", "content-", "user-agent", "x-stainless-")

#: The variables of the key: geceval's for any server, OpenAI's for OpenAI's servers only.
KEY, OPENAI_KEY = "GECEVAL_API_KEY", "OPENAI_API_KEY"
OPENAI_HOSTS = ("openai.com", "openai.azure.com")

REMAINING = "answers are cached: the same command sends only the remaining requests"


@dataclass(frozen=True)
class Server(Judge):
    """Language model on a server.

    Args:
        model: Name of the model on the server.
        base_url: Address of the server, including ``/v1``.
        timeout: Seconds to wait for a whole answer.

    Raises:
        UsageError: If the address is invalid or contains a password.
    """

    costly: ClassVar[bool] = True

    model: str
    base_url: str
    timeout: float = 120.0

    def __post_init__(self) -> None:
        address = parse_address(self.base_url)
        object.__setattr__(self, "base_url", address.geturl().rstrip("/"))

    @property
    def name(self) -> str:
        return f"{self.model}@{self.base_url}"

    def answer(self, request: Request) -> Answer:
        outcome = asyncio.run(self._attempt(request, read_key(self.base_url)))
        if isinstance(outcome, AttemptError):
            raise outcome  # outside the handlers, whose errors contain the key
        return outcome

    async def _attempt(self, request: Request, key: str | None) -> Answer | AttemptError:
        with require_extra("judge", "a judge on a server needs the package openai"):
            import openai
        network_errors = _network_errors(openai)

        async def set_headers(post: Any) -> None:
            for name in list(post.headers):
                if not name.startswith(HEADERS):
                    del post.headers[name]
            if key:
                post.headers["Authorization"] = f"Bearer {key}"

        async def close_refusal(response: Any) -> None:
            if not response.is_success:  # its text is not read, because it may contain the key
                await response.aclose()

        http_client = openai.DefaultAsyncHttpxClient(
            verify=_certificates(),
            follow_redirects=False,  # the key would be sent with them
            trust_env=not is_loopback(self.base_url),  # variables of proxies
            event_hooks={"request": [set_headers], "response": [close_refusal]},
        )
        options: Any = {"api_key": "unused", "base_url": self.base_url, "max_retries": 0, "timeout": None}
        content = bytearray()
        try:
            async with (
                asyncio.timeout(self.timeout),
                openai.AsyncOpenAI(**options, http_client=http_client) as client,
                client.chat.completions.with_streaming_response.create(**self.body(request)) as response,
            ):
                async for portion in response.iter_bytes():
                    content += portion
                    if len(content) > LARGEST_RESPONSE:
                        return self._error("the response is too large", paid=True)
        except TimeoutError:
            return self._error(f"no answer within {self.timeout:g} seconds", paid=True)
        except openai.APIStatusError as error:
            return self._refusal(error.status_code, error.response.headers.get("Retry-After", ""))
        except network_errors as error:  # the package does not wrap errors while a response is read
            # The package takes any error while a request is sent for one of the connection.
            if isinstance(error, openai.APIConnectionError) and not isinstance(error.__cause__, network_errors):
                raise
            kinds = list(_kinds(error))
            return self._error(f"no answer ({kinds[-1]})", paid="ConnectError" not in kinds)
        answer = read_response(content, key)
        return self._error("unexpected response", paid=True) if answer is None else answer

    def body(self, request: Request) -> dict[str, Any]:
        """Return the body of a request."""
        roles = (("system", request.system), ("user", request.user))
        body = {
            "model": self.model,
            "messages": [{"role": role, "content": content} for role, content in roles],
            # OpenAI's newer models accept the former only, other servers the latter.
            "max_completion_tokens" if is_openai(self.base_url) else "max_tokens": request.max_tokens,
        }
        if request.temperature is not None:
            body["temperature"] = request.temperature
        if request.seeds:
            body["seed"] = request.seed
        if request.structured == "schema":
            form = {"name": "judgment", "strict": True, "schema": request.schema}
            body["response_format"] = {"type": "json_schema", "json_schema": form}
        elif request.structured == "object":
            body["response_format"] = {"type": "json_object"}
        return body

    def _refusal(self, status: int, retry_after: str) -> AttemptError:
        """Return the error of a response with another status than 200."""
        why = f"status {status} {responses.get(status, '')}".rstrip()
        if status in TEMPORARY:
            pause = read_retry_after(retry_after)
            if pause <= LONGEST_PAUSE:
                return self._error(why, pause=pause)
            return self._error(f"{why}; the server requires a pause of {pause:.0f} seconds", again=False)
        hint = None
        if status in (401, 403):
            hint = f"set the API key in the environment variable {KEY}"
        elif status in (400, 422):
            hint = "try without unsupported parameters: structured=object or no, temperature=none, send_seed=no"
        return self._error(why, hint=hint, again=False)

    def _error(self, why: str, *, hint: str | None = REMAINING, **attempt: Any) -> AttemptError:
        return AttemptError(f"{self.base_url}: {why}", hint=hint, **attempt)


def _network_errors(openai: Any) -> tuple[type[Exception], ...]:
    """Return the errors of the package openai, of its HTTP library (httpx or httpx2), and of sockets."""
    http_library = import_module(openai.DefaultAsyncHttpxClient.__base__.__module__.partition(".")[0])
    return openai.OpenAIError, http_library.HTTPError, OSError


def _kinds(error: BaseException | None) -> Iterator[str]:
    """Yield the names of an error and its causes, the first cause last."""
    while error is not None:
        yield type(error).__name__
        error = error.__cause__ or error.__context__


@cache
def _certificates() -> ssl.SSLContext:
    """Return the certificates of the system, loaded once."""
    return ssl.create_default_context()


def read_response(content: bytes | bytearray, key: str | None) -> Answer | None:
    """Return the answer in the body of a response, without the key.

    None: the body has another form.
    """
    try:
        completion = json.loads(content)
        text = completion["choices"][0]["message"].get("content")
        usage = completion.get("usage") or {}
        tokens = [usage.get(name) for name in ("prompt_tokens", "completion_tokens")]
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        return None
    # Without content it is a refusal, an unreadable answer.
    text = text if isinstance(text, str) else ""
    prompt, answer = (count if isinstance(count, int) and 0 <= count <= MOST_TOKENS else None for count in tokens)
    return Answer(text.replace(key, "[key]") if key else text, prompt, answer)


def read_retry_after(value: str) -> float:
    """Return the seconds of ``Retry-After``; 0 if they are missing or invalid."""
    try:
        seconds = float(value)
    except ValueError:
        return 0.0
    return seconds if 0 < seconds < float("inf") else 0.0


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
    known = any(host == name or host.endswith(f".{name}") for name in OPENAI_HOSTS)
    return known and address.scheme == "https"


def is_loopback(base_url: str) -> bool:
    """Return whether an address is on this machine."""
    host = urllib.parse.urlsplit(base_url).hostname or ""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


def parse_address(base_url: str) -> urllib.parse.SplitResult:
    """Return the parts of a server's address.

    Raises:
        UsageError: If the address is invalid, or if a signature must not contain it.
    """
    try:
        address = urllib.parse.urlsplit(base_url)
        valid = address.scheme in ("http", "https") and address.hostname and (address.port is None or address.port > 0)
    except ValueError:
        valid = False
    if not valid or any(char.isspace() or char == "|" for char in base_url):
        raise UsageError("the server is not a valid address; an example is http://localhost:8000/v1")
    if address.username is not None or address.password is not None or address.query or address.fragment:
        message = "the address of the server must not contain a user, password or query: signatures contain it"
        raise UsageError(message, hint=f"set the API key in the environment variable {KEY}")
    return address
