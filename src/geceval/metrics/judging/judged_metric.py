"""The base class of judged metrics: the settings of their judge, and its client."""

from __future__ import annotations

import os
import warnings
from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from geceval.base.errors import GecevalWarning, UsageError
from geceval.counting.contract import EvidenceOf, Given, RequestPlan
from geceval.counting.metric import Metric
from geceval.counting.settings import Bounds, setting
from geceval.metrics.judging.answers import default_cache_file
from geceval.metrics.judging.costs import Prices, token_counter
from geceval.metrics.judging.judge import Judge, JudgeError, Question, Request, Structured
from geceval.metrics.judging.judge_client import JudgeClient, Reply
from geceval.metrics.judging.local import Local
from geceval.metrics.judging.server import Server
from geceval.metrics.judging.templates import Template
from geceval.metrics.neural.pretrained import load_shared
from geceval.text.corpus import Corpus, Hypothesis, TextSource

#: The variable with the server, unless a setting names it.
BASE_URL = "GECEVAL_BASE_URL"

#: More repetitions would use the seeds of second tries.
MANY = Bounds(1, 1_000_000)


@dataclass(frozen=True)
class JudgedMetric(Metric[Any]):
    """A metric that asks a language model.

    ``model``: its name on the ``server`` (or of the environment), a folder, or a Judge. ``temperature`` (None: the
    server's), ``seed`` (unless ``send_seed`` is no), ``max_tokens`` and ``structured`` (the form of answers) are in
    each request. ``repeats``: number of times that each request is repeated, with other seeds; ``tries``: number of
    requests for an answer that can be read.

    The other settings change no number. ``refuse_unread``: an unreadable answer is an error, or counted.
    ``concurrency``: concurrent requests; ``rate``: requests per minute; ``timeout``: seconds; ``attempts``: while the
    server fails; ``cache``: a file of answers (empty: the default file, for servers; ``no``); ``max_cost`` by
    ``price_prompt`` and ``price_answer`` of a million tokens; ``device`` of a folder's model.
    """

    asks_judge: ClassVar[bool] = True
    block: ClassVar[int] = 256
    evidence_of: ClassVar[EvidenceOf] = "nothing"

    model: Judge | str | None = setting(None, meaning="name of the model on the server, or a folder of transformers")
    server: str | None = setting(
        None, meaning="server of OpenAI's protocol, up to /v1; none: GECEVAL_BASE_URL in the environment"
    )
    temperature: float | None = setting(
        0.0, bounds=Bounds(0, 100), meaning="temperature of the answers; none: the server's"
    )
    seed: int = setting(777, bounds=Bounds(0, (1 << 31) - 1), meaning="seed of requests and shuffling")
    repeats: int = setting(1, bounds=MANY, meaning="number of times that each request is repeated")
    tries: int = setting(3, bounds=Bounds(1, 1000), meaning="number of requests for an answer that can be read")
    max_tokens: int = setting(300, bounds=Bounds(1), meaning="largest number of tokens of an answer")
    structured: Structured = setting("schema", meaning="constraint on answers: JSON schema, JSON object, or none")
    send_seed: bool = setting(True, meaning="whether the seed is sent")
    refuse_unread: bool = setting(False, "unsigned", meaning="whether an unreadable answer is an error")
    concurrency: int = setting(8, "unsigned", Bounds(1, 1024), meaning="number of concurrent requests")
    rate: float | None = setting(
        None, "unsigned", Bounds(0, open=True), meaning="largest number of requests per minute; none: no limit"
    )
    timeout: float = setting(120.0, "unsigned", Bounds(0, open=True), meaning="seconds to wait for a byte of an answer")
    attempts: int = setting(6, "unsigned", Bounds(1, 100), meaning="number of attempts while the server fails")
    cache: str = setting("", "unsigned", meaning="file of answers; empty: the user's cache; no: none")
    max_cost: float | None = setting(
        None, "unsigned", Bounds(0, 1e12), meaning="cost limit of a run, which needs both prices"
    )
    price_prompt: float | None = setting(None, "unsigned", Bounds(0), meaning="price of a million tokens sent")
    price_answer: float | None = setting(None, "unsigned", Bounds(0), meaning="price of a million tokens answered")
    device: str = setting("auto", "unsigned", meaning="device of a model in a folder: auto, cpu, cuda, …")

    # --- the judge ---

    def held(self) -> JudgeClient:
        """Return the client, so that a run signs with the judge that it asks."""
        return self.client

    @property
    def client(self) -> JudgeClient:
        """The shared client of the judge, which counts answers and costs together.

        Raises UsageError without a judge, and the errors of Server, Local and Answers.
        """
        if self.max_cost is not None and None in (self.price_prompt, self.price_answer):
            raise UsageError("a limit on costs needs the prices of a million tokens: price_prompt and price_answer")
        judge = self._judge()
        file = Path(self.cache) if self.cache else default_cache_file()
        path = None if self.cache == "no" or not (self.cache or judge.dear) else file
        return load_shared(JudgeClient, judge, path, self.prices, self.max_cost, self.tries, self.concurrency)

    @property
    def prices(self) -> Prices:
        """The prices of a million tokens."""
        return Prices(self.price_prompt, self.price_answer)

    def _judge(self) -> Judge:
        if isinstance(self.model, Judge):
            return self.model
        if not self.model:
            hint = "-m llm:model=NAME --judge server=URL, or -m llm:model=FOLDER"
            raise UsageError(f"{self.name} needs a language model", hint=hint)
        if self.server is None and Path(self.model).is_dir():
            return load_shared(Local, self.model, self.device)
        server = self.server or os.environ.get(BASE_URL)
        if not server:
            raise UsageError(
                f"{self.name}: {self.model} is not a folder, and no server is given",
                hint=f"--judge server=http://localhost:8000/v1 (or {BASE_URL} in the environment)",
            )
        return Server(self.model, server, self.attempts, self.rate, self.timeout)

    @property
    @abstractmethod
    def templates(self) -> Sequence[Template]:
        """The templates of its requests."""

    def signed(self, given: Given) -> dict[str, Any]:
        """Return the entries of the signature.

        The judge is named, the templates by their digests.
        """
        settings = {key: value for key, value in super().signed(given).items() if key not in ("model", "server")}
        template = "+".join(one.signed for one in self.templates)
        return settings | {"model": self.client.judge.name.replace("|", "_"), "template": template}

    # --- asking ---

    def prepare(self, corpus: Corpus, threads: int = 0) -> Corpus:
        return corpus

    def request_plan(self, corpus: TextSource) -> RequestPlan:
        """Return the requests about all systems of a corpus; the server may be unknown."""
        model = self.model if isinstance(self.model, str) else getattr(self.model, "name", None)
        if not model:
            raise UsageError(f"{self.name} needs a language model", hint=f"-m {self.name}:model=NAME")
        counter = token_counter(model)
        # The judge is a server or an object, and known; a folder is not loaded for this.
        known = not isinstance(self.model, str) or self.server or os.environ.get(BASE_URL)
        client = self.client if known else None
        seen: set[str] = set()
        kept = prompt = answer = 0
        for part in corpus.parts(self.block):
            for request in self.requests(self.prepare(part), part.systems):
                digest = request.digest(client.judge.name if client else "")
                if digest in seen:
                    continue
                seen.add(digest)
                if client is not None and digest in client.answers:
                    kept += 1
                else:
                    prompt += counter.of(request)
                    answer += request.max_tokens
        return RequestPlan(model, len(seen), kept, prompt, answer, counter.name, self.prices.of(prompt, answer))

    def spending(self) -> str | None:
        if self.price_prompt is None:
            return None
        return f"{self.client.judge.name}: {self.client.budget.asked} answers for {self.client.budget.spent:.4f}"

    @abstractmethod
    def requests(self, prepared: Any, systems: Mapping[str, Hypothesis]) -> Iterator[Request]:
        """Yield all requests about the systems of a part, first tries only."""

    def request(
        self, repetition: int, template: Template, data: Any, keys: Sequence[str], low: int, high: int, **words: str
    ) -> Request:
        """Return a request by the template.

        It asks for whole numbers ``low``..``high`` under ``keys``.
        """
        named = {"keys": ", ".join(f'"{key}"' for key in keys), "highest": str(high)}
        user = template.filled(data, **named, **words)
        sampling = (self.temperature, self.seed + repetition, self.max_tokens, self.structured, self.send_seed)
        return Request(template.system, user, tuple(keys), low, high, *sampling)

    def ask(self, questions: Sequence[Question], consequence: str = "they count as unread") -> list[Reply]:
        """Return the judge's replies.

        Unreadable ones are reported in a warning, or are an error.
        """
        replies = self.client.ask(questions)
        unreadable = [reply.unreadable for reply in replies if reply.unreadable is not None]
        if unreadable:
            said = f"{len(unreadable)} of {len(replies)} questions had no readable answer in {self.tries} tries each"
            if self.refuse_unread:
                raise JudgeError(f"{said}: {unreadable[0]}")
            warnings.warn(
                f"{said}; {consequence}. The last try of the first: {unreadable[0]}", GecevalWarning, stacklevel=2
            )
        return replies


def repeat_marks(repeats: int) -> list[str]:
    """Return the endings of the columns' names for each repetition.

    A single repetition has no ending.
    """
    return [f"#{number}" for number in range(1, repeats + 1)] if repeats > 1 else [""]
