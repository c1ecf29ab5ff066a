"""Base class of judged metrics: settings of the judge, and requests to it."""

from __future__ import annotations

import os
from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, ClassVar

from geceval.base.caller_warnings import warn
from geceval.base.errors import UsageError
from geceval.base.hints import Hint, Option, Step
from geceval.counting.metric import Judging, Metric
from geceval.counting.observations import SignatureInputs
from geceval.counting.settings import Bounds, setting
from geceval.metrics.judging.judge import (
    Judge,
    JudgeError,
    Prices,
    Question,
    Request,
    Structured,
    Template,
    token_counter,
)
from geceval.metrics.judging.judge_client import JudgeClient, Local, Reply
from geceval.metrics.judging.request_plan import RequestPlan
from geceval.metrics.judging.server import Server
from geceval.metrics.neural.pretrained import load_shared
from geceval.text.columns import Hypothesis
from geceval.text.corpus import Corpus, TextSource

#: Environment variable with the server's address, used if no setting contains it.
BASE_URL = "GECEVAL_BASE_URL"

#: More repetitions would use the seeds of further tries.
MANY = Bounds(1, 1_000_000)


@dataclass(frozen=True)
class JudgedMetric(Metric[Any]):
    """Metric that sends requests to a language model.

    ``model`` is a name on the ``server``, a folder or a Judge. Repetitions and further tries have other seeds.

    Settings that are not in the signature do not change scores: ``refuse_unread`` raises an error instead of counting
    unreadable answers, and ``cache`` selects a file of answers. If it is empty, the answers of servers are in the
    default file; ``no`` disables the cache.
    """

    block: ClassVar[int] = 256
    uses_references: ClassVar[bool] = False
    judging: ClassVar[Judging] = Judging(
        plan=lambda metric, corpus: metric.request_plan(corpus), spending=lambda metric: metric.spending()
    )

    model: Judge | str | None = setting(None, meaning="model name on the server, or folder of a transformers model")
    server: str | None = setting(
        None, meaning="URL of an OpenAI-compatible server, up to /v1; none: GECEVAL_BASE_URL in the environment"
    )
    temperature: float | None = setting(
        0.0, bounds=Bounds(0, 100), meaning="temperature of the answers; none: the server's"
    )
    seed: int = setting(777, bounds=Bounds(0, (1 << 31) - 1), meaning="seed of requests and shuffling")
    repeats: int = setting(1, bounds=MANY, meaning="number of times that each request is repeated")
    tries: int = setting(3, bounds=Bounds(1, 1000), meaning="number of requests until an answer can be read")
    max_tokens: int = setting(300, bounds=Bounds(1), meaning="largest number of tokens of an answer")
    structured: Structured = setting("schema", meaning="constraint on answers: JSON schema, JSON object, or none")
    send_seed: bool = setting(True, meaning="whether the seed is sent")
    refuse_unread: bool = setting(False, "unsigned", meaning="whether an unreadable answer is an error")
    concurrency: int = setting(8, "unsigned", Bounds(1, 1024), meaning="number of concurrent requests")
    rate: float | None = setting(
        None, "unsigned", Bounds(1e-3), meaning="largest number of requests per minute; none: no limit"
    )
    timeout: float = setting(120.0, "unsigned", Bounds(0, 1e6, open=True), meaning="seconds to wait for an answer")
    attempts: int = setting(6, "unsigned", Bounds(1, 100), meaning="number of attempts if the server fails")
    cache: str = setting("", "unsigned", meaning="file of answers; empty: the user's cache; no: none")
    max_cost: float | None = setting(
        None, "unsigned", Bounds(0, 1e12), meaning="cost limit of a run, which needs both prices"
    )
    price_prompt: float | None = setting(None, "unsigned", Bounds(0), meaning="price per million prompt tokens")
    price_answer: float | None = setting(None, "unsigned", Bounds(0), meaning="price per million answer tokens")
    device: str = setting("auto", "unsigned", meaning="device of a model in a folder: auto, cpu, cuda, …")

    # --- the judge ---

    def resources(self) -> JudgeClient:
        """Return the client, so that a run signs with the judge that it uses."""
        return self.client

    @property
    def client(self) -> JudgeClient:
        """The client of the judge, shared so that answers and costs are counted together.

        Raises UsageError if no judge is given, and the errors of Server and Local.
        """
        if self.max_cost is not None and None in (self.price_prompt, self.price_answer):
            raise UsageError("max_cost requires price_prompt and price_answer, the prices of a million tokens")
        judge = self._judge()
        file = Path(self.cache) if self.cache else default_cache_file()
        path = None if self.cache == "no" or not (self.cache or judge.costly) else file
        costs, limits = (self.prices, self.max_cost), (self.tries, self.concurrency, self.attempts, self.rate)
        return load_shared(JudgeClient, judge, path, *costs, *limits)

    @property
    def prices(self) -> Prices:
        """The prices of a million tokens."""
        return Prices(self.price_prompt, self.price_answer)

    def _judge(self) -> Judge:
        if isinstance(self.model, Judge):
            return self.model
        if not self.model:
            on_server = Step(
                Hint(Option("metrics", f"{self.name}:model=NAME"), " ", Option("judge", "server=URL")),
                f'"{self.name}:model=NAME,server=URL"',
            )
            hint = Hint(on_server, ", or ", Option("metrics", f"{self.name}:model=FOLDER"))
            raise UsageError(f"{self.name} needs a language model", hint=hint)
        if self.server is None and Path(self.model).is_dir():
            return load_shared(Local, self.model, self.device)
        server = self.server or os.environ.get(BASE_URL)
        if not server:
            hint = Hint(Option("judge", "server=http://localhost:8000/v1"), f" (or {BASE_URL} in the environment)")
            raise UsageError(f"{self.name}: {self.model} is not a folder, and no server is given", hint=hint)
        return Server(self.model, server, self.timeout)

    @property
    @abstractmethod
    def templates(self) -> Sequence[Template]:
        """The templates of the requests."""

    def signed(self, inputs: SignatureInputs) -> dict[str, Any]:
        """Return the entries of the signature.

        They include the name of the judge and the digests of the templates.
        """
        settings = {key: value for key, value in super().signed(inputs).items() if key not in ("model", "server")}
        template = "+".join(template.signed for template in self.templates)
        return settings | {"model": self.client.judge.name.replace("|", "_"), "template": template}

    # --- asking ---

    def prepare(self, corpus: Corpus, threads: int = 0) -> Corpus:
        return corpus

    def request_plan(self, corpus: TextSource) -> RequestPlan:
        """Return the number and size of all requests; the server may be unknown."""
        parts = (self.in_form(part) for part in corpus.parts(self.block))
        requests = (request for part in parts for request in self.requests(self.prepare(part), part.systems))
        model = self.model if isinstance(self.model, str) else getattr(self.model, "name", None)
        if not model:
            raise UsageError(
                f"{self.name} needs a language model", hint=Hint(Option("metrics", f"{self.name}:model=NAME"))
            )
        counter = token_counter(model)
        # A server or a Judge has a known cache; a model in a folder would have to be loaded.
        known = not isinstance(self.model, str) or self.server or os.environ.get(BASE_URL)
        client = self.client if known else None
        name = client.judge.name if client else ""
        digests: set[str] = set()
        stored = prompt = answer = 0
        while portion := {request.digest(name): request for request in islice(requests, self.block)}:
            answers = client.answers.get(portion) if client else {}
            for digest in portion.keys() - digests:
                if digest in answers:
                    stored += 1
                else:
                    prompt += counter.of(portion[digest])
                    answer += portion[digest].max_tokens
            digests |= portion.keys()
        return RequestPlan(model, len(digests), stored, prompt, answer, counter.name, self.prices.of(prompt, answer))

    def spending(self) -> str | None:
        if self.price_prompt is None:
            return None
        return f"{self.client.judge.name}: {self.client.budget.answered} answers for {self.client.budget.spent:.4f}"

    @abstractmethod
    def requests(self, prepared: Any, systems: Mapping[str, Hypothesis]) -> Iterator[Request]:
        """Yield the requests for the systems of a part, without further tries."""

    def request(
        self, repetition: int, template: Template, data: Any, keys: Sequence[str], low: int, high: int, **words: str
    ) -> Request:
        """Return a request made from a template.

        Args:
            repetition: Index of the repetition, which is added to the seed.
            template: Template of both messages.
            data: JSON value that contains the texts.
            keys: Names of the requested integers.
            low: Smallest valid integer.
            high: Largest valid integer.
            **words: Other words of the template.
        """
        names = {"keys": ", ".join(f'"{key}"' for key in keys), "highest": str(high)}
        user = template.filled(data, **names, **words)
        sampling = (self.temperature, self.seed + repetition, self.max_tokens, self.structured, self.send_seed)
        return Request(template.system, user, tuple(keys), low, high, *sampling)

    def ask(self, questions: Sequence[Question], consequence: str = "they count as unread") -> list[Reply]:
        """Return the judge's replies, and warn of unreadable ones.

        Args:
            questions: Questions to the judge.
            consequence: Effect of unreadable answers, which the warning names.

        Raises:
            JudgeError: If an answer is unreadable and ``refuse_unread`` is set, or as JudgeClient.ask.
        """
        replies = self.client.ask(questions)
        unread = [reply.unreadable for reply in replies if reply.unreadable is not None]
        if unread:
            summary = f"{len(unread)} of {len(replies)} questions have no readable answer after {self.tries} tries each"
            if self.refuse_unread:
                raise JudgeError(f"{summary}: {unread[0]}")
            warning = f"{summary}; {consequence}. Last answer to the first question: {unread[0]}"
            warn(warning)
        return replies


def default_cache_file() -> Path:
    """Return the file in which answers of servers are stored by default.

    Its folder is ``$GECEVAL_CACHE`` or, without this variable, ``~/.cache/geceval``.
    """
    folder = os.environ.get("GECEVAL_CACHE")
    return (Path(folder) if folder else Path.home() / ".cache" / "geceval") / "answers.sqlite"


def repeat_marks(repeats: int) -> list[str]:
    """Return the suffixes of column names, one per repetition.

    A single repetition has an empty suffix.
    """
    return [f"#{number}" for number in range(1, repeats + 1)] if repeats > 1 else [""]
