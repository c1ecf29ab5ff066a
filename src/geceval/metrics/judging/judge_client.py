"""Client of a judge: concurrent requests, stored answers, further attempts.

The judge may be a language model of transformers in a folder (extra ``geceval[neural]``).
"""

from __future__ import annotations

import contextlib
import hashlib
import random
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import astuple, dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from geceval.base.errors import InputError
from geceval.base.hints import Hint, Option
from geceval.metrics.judging.judge import (
    Answer,
    AttemptError,
    Budget,
    Judge,
    JudgeError,
    Prices,
    Question,
    Request,
    UnreadableError,
    shorten,
)
from geceval.metrics.neural.pretrained import import_libraries
from geceval.metrics.shared.value_store import ValueStore

#: Distance between the seeds of the tries of one question; repetitions use the seeds between them.
STRIDE = 1_000_003
#: Seconds before the second attempt; they double with each further one.
FIRST_WAIT, LONGEST_WAIT = 0.5, 60.0


@dataclass(frozen=True)
class Reply:
    """Converted answer to a question, or the reason why the last try is unreadable."""

    meaning: Any = None
    unreadable: str | None = None


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


class KeyLocks:
    """Locks by key, which exist while they are held or waited for."""

    def __init__(self) -> None:
        self._guard = threading.Lock()
        #: Lock, and number of threads that hold it or wait for it.
        self._entries: dict[str, tuple[threading.Lock, int]] = {}

    def __len__(self) -> int:
        return len(self._entries)

    @contextlib.contextmanager
    def holding(self, key: str) -> Iterator[None]:
        """Hold the lock of a key in the block."""
        with self._guard:
            lock, threads = self._entries.get(key, (threading.Lock(), 0))
            self._entries[key] = lock, threads + 1
        try:
            with lock:
                yield
        finally:
            with self._guard:
                lock, threads = self._entries.pop(key)
                if threads > 1:
                    self._entries[key] = lock, threads - 1


class JudgeClient:
    """A judge with its stored answers and its budget.

    Replies do not depend on the order or the concurrency of requests.

    Args:
        judge: The judge.
        path: File of stored answers. None: memory only.
        prices: Prices of tokens.
        limit: Cost limit. None: no limit.
        tries: Maximum number of requests per question, each with another seed, until an answer can be read.
        concurrency: Number of concurrent requests.
        attempts: Maximum number of attempts per request while the server is busy, fails or cannot be reached.
        rate: Maximum number of attempts per minute. None: no limit.
    """

    def __init__(
        self,
        judge: Judge,
        path: Path | None,
        prices: Prices,
        limit: float | None,
        tries: int,
        concurrency: int,
        attempts: int = 1,
        rate: float | None = None,
    ) -> None:
        self.judge, self.answers, self.budget = judge, ValueStore(path), Budget(prices, limit)
        self.tries, self.concurrency, self.attempts = tries, concurrency, attempts
        self._pace = RequestPace(rate)
        self._locks = KeyLocks()
        self._name = judge.name

    def ask(self, questions: Sequence[Question]) -> list[Reply]:
        """Return the reply to each question; equal requests are sent once.

        Raises:
            JudgeError: If the judge gives no answer, or if the budget is exhausted. Earlier answers remain stored.
        """
        distinct = {question.request: question for question in questions}
        self.answers.get(request.digest(self._name) for request in distinct)  # all in one operation
        pool = ThreadPoolExecutor(max(1, min(self.concurrency, len(distinct))))
        try:
            replies = dict(zip(distinct, pool.map(self._reply, distinct.values()), strict=True))
        finally:
            pool.shutdown(cancel_futures=True)  # answers in transit are paid for: store them
        return [replies[question.request] for question in questions]

    def _reply(self, question: Question) -> Reply:
        """Return the reply to a question, after up to ``tries`` unreadable answers."""
        why = ""
        for number in range(self.tries):
            request = replace(question.request, seed=question.request.seed + number * STRIDE)
            try:
                return Reply(question.read(self._answer(request).text))
            except UnreadableError as error:
                why = str(error)
        return Reply(unreadable=why)

    def _answer(self, request: Request) -> Answer:
        """Return the stored answer to a request, which is sent if it has none."""
        key = request.digest(self._name)
        with self._locks.holding(key):
            stored = self.answers.get([key]) or self.answers.put({key: astuple(self._send(request))})
        return Answer(*stored[key])

    def _send(self, request: Request) -> Answer:
        """Return the judge's answer to a request, after up to ``attempts`` attempts."""
        attempt = 1
        while True:
            self._pace.wait()
            reserved, paid, answers = self.budget.reserve(request), 0.0, 0
            try:
                answer = self.judge.answer(request)
                paid, answers = self.budget.price(request, answer), 1
                return answer
            except AttemptError as failure:
                paid = reserved if failure.paid else 0.0
                if not failure.again or attempt >= self.attempts:
                    raise
                self._pace.pause(failure.pause)
            finally:
                self.budget.settle(reserved, paid, answers)
            time.sleep(min(LONGEST_WAIT, FIRST_WAIT * 2 ** (attempt - 1)) * random.uniform(0.5, 1.0))
            attempt += 1


class Local(Judge):
    """Causal language model in a folder, which is read without network access.

    It answers one request at a time and does not enforce the form of answers. With temperature 0 or none, each piece is
    the most probable one; otherwise pieces are sampled with the seed of the request.

    Args:
        folder: Folder of the model.
        device: ``auto`` (a GPU if one is available), ``cpu``, ``cuda``, …

    Raises:
        MissingExtraError: If torch or transformers is not installed.
        InputError: If the folder does not contain a causal language model.
    """

    def __init__(self, folder: str, device: str = "auto") -> None:
        server = Hint("; a model on a server: ", Option("judge", "server=URL"))
        torch, transformers = import_libraries("a model in a folder", server)
        self.folder, self._torch = folder, torch
        self._device = ("cuda" if torch.cuda.is_available() else "cpu") if device == "auto" else device
        try:
            self._tokenizer = transformers.AutoTokenizer.from_pretrained(folder, local_files_only=True)
            models = transformers.AutoModelForCausalLM
            network = models.from_pretrained(folder, local_files_only=True, torch_dtype="auto")
            self._network = network.eval().to(self._device)
        except (OSError, ValueError, KeyError, TypeError, ImportError, RuntimeError, AssertionError) as error:
            raise InputError(f"the language model cannot be loaded: {shorten(str(error), 200)}", path=folder) from None
        self._lock = threading.Lock()

    @cached_property
    def name(self) -> str:
        """The folder's name, and a fingerprint of weights, vocabulary and chat template."""
        digest = hashlib.sha256()
        for name, tensor in sorted(self._network.state_dict().items()):
            digest.update(f"{name} {tensor.dtype}".encode())
            flat = tensor.detach().cpu().contiguous().reshape(-1)
            digest.update(flat.view(self._torch.uint8).numpy().tobytes())
        digest.update(repr(sorted(self._tokenizer.get_vocab().items())).encode())
        digest.update(repr(self._tokenizer.chat_template).encode())
        return f"{Path(self.folder).resolve().name}@{digest.hexdigest()[:8]}"

    def _pieces(self, request: Request) -> Any:
        if self._tokenizer.chat_template:
            messages = [{"role": "system", "content": request.system}, {"role": "user", "content": request.user}]
            text = self._tokenizer.apply_chat_template(messages, tokenize=False, add_generation_prompt=True)
            return self._tokenizer(text, return_tensors="pt", add_special_tokens=False)["input_ids"]
        return self._tokenizer(f"{request.system}\n\n{request.user}\n\n", return_tensors="pt")["input_ids"]

    def answer(self, request: Request) -> Answer:
        with self._lock, self._torch.inference_mode():
            pieces = self._pieces(request).to(self._device)
            length = int(pieces.shape[1])
            limit = getattr(self._network.config, "max_position_embeddings", None)
            if limit is not None and length + request.max_tokens > limit:
                raise JudgeError(
                    f"{self.folder} has {limit} positions, but the request has {length} pieces and the answer up to "
                    f"{request.max_tokens}",
                    hint="reduce max_tokens, or the number of corrections in a request (most)",
                )
            padding = (self._tokenizer.pad_token_id, self._tokenizer.eos_token_id, 0)
            sampled = {"do_sample": True, "temperature": request.temperature, "top_k": 0, "top_p": 1.0}
            greedy = {"do_sample": False, "temperature": None, "top_k": None, "top_p": None}
            self._torch.manual_seed(request.seed)
            generated = self._network.generate(
                input_ids=pieces,
                attention_mask=self._torch.ones_like(pieces),
                max_new_tokens=request.max_tokens,
                pad_token_id=next(piece for piece in padding if piece is not None),
                **(sampled if request.temperature else greedy),
            )[0, length:]
        text = self._tokenizer.decode(generated, skip_special_tokens=True)
        return Answer(text, length, len(generated))
