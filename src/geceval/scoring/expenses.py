"""Tokens, cost and latency of the answers of systems, from the fields of their providers."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from statistics import fmean
from typing import Any

from geceval.base.arguments import Bounds, did_you_mean, number
from geceval.base.errors import UsageError
from geceval.metrics.judging.judge import Prices
from geceval.tables.table import FilledColumns, TableColumn
from geceval.text.reading.file_columns import FileColumn
from geceval.text.reading.provider_fields import Fact, columns_of_fact

#: Settings of prices, as ``--judge`` has them, and the fields of Prices.
PRICE_SETTINGS = {"price_prompt": "prompt", "price_answer": "answer"}
_PRICE = Bounds(0.0)


@dataclass(frozen=True)
class Expenses:
    """Tokens, cost and latency of the answers of a system.

    Attributes:
        answers: Number of answers.
        prompt_tokens: Number of tokens of the requests that state one; None without the field.
        answer_tokens: Number of tokens of the answers that state one; None without the field.
        cost: Sum of the known costs; None if no cost is known.
        without_cost: Number of answers without a cost or without numbers of tokens.
        seconds: Mean latency of the answers that state one, in seconds; None without any.
    """

    answers: int
    prompt_tokens: int | None = None
    answer_tokens: int | None = None
    cost: float | None = None
    without_cost: int = 0
    seconds: float | None = None

    @property
    def mean_cost(self) -> float:
        """Mean cost of the answers whose cost is known; NaN without any."""
        known = self.answers - self.without_cost
        return math.nan if self.cost is None or not known else self.cost / known

    def to_dict(self) -> dict[str, Any]:
        """Return the expenses as JSON values."""
        return asdict(self)


def parse_prices(texts: Iterable[str]) -> dict[str, Prices]:
    """Return prices by system, with an empty name for all others.

    Args:
        texts: ``price_prompt=0.15,price_answer=0.6``, also after the name of a system and a colon.

    Raises:
        UsageError: For another setting, a negative price and a missing one.
    """
    prices: dict[str, dict[str, float]] = {}
    for text in texts:
        head, colon, pairs = text.rpartition(":")
        of_system = prices.setdefault(head if colon else "", {})
        for pair in pairs.split(","):
            name, _, value = pair.partition("=")
            if name not in PRICE_SETTINGS:
                names = " and ".join(PRICE_SETTINGS)
                hint = did_you_mean(name, PRICE_SETTINGS)
                raise UsageError(f"prices have the settings {names}, not {name!r}", hint=hint)
            of_system[PRICE_SETTINGS[name]] = number(name, _as_float(name, value), _PRICE)
    for name, of_system in prices.items():
        if missing := [setting for setting, field in PRICE_SETTINGS.items() if field not in of_system]:
            whose = f" of {name}" if name else ""
            raise UsageError(f"{missing[0]}{whose} is missing", hint="price_prompt=0.15,price_answer=0.6")
    return {name: Prices(**of_system) for name, of_system in prices.items()}


def _as_float(name: str, value: str) -> float:
    try:
        return float(value)
    except ValueError:
        raise UsageError(f"{name} must be a number, not {value!r}") from None


def expenses_of(systems: Mapping[str, FileColumn], prices: Mapping[str, Prices] | None = None) -> dict[str, Expenses]:
    """Return the expenses of the systems whose tables contain one system and a field of them.

    Args:
        systems: Columns of the systems by name.
        prices: Prices by system, with an empty name for all others; without prices, costs are those of the files.

    Raises:
        InputError: If a cell is neither empty nor a number.
        UsageError: If prices are given for another name.
    """
    prices = prices or {}
    if unknown := [name for name in prices if name and name not in systems]:
        hint = did_you_mean(unknown[0], systems) or f"the systems: {', '.join(systems)}"
        raise UsageError(f"there are prices of {unknown[0]}, which is not a system of a table", hint=hint)
    facts: tuple[Fact, ...] = ("prompt_tokens", "answer_tokens", "thought_tokens", "cost", "seconds", "milliseconds")
    columns: dict[str, dict[Fact, FileColumn]] = {}
    for fact in facts:
        for name, column in columns_of_fact(systems, fact).items():
            columns.setdefault(name, {})[fact] = column
    ordered = {name: columns[name] for name in systems if name in columns}
    return {name: _summed(facts, prices.get(name, prices.get(""))) for name, facts in ordered.items()}


def _summed(columns: Mapping[Fact, FileColumn], prices: Prices | None) -> Expenses:
    """Return the expenses in the columns of a table."""
    values = {fact: list(_numbers(column)) for fact, column in columns.items()}
    answers = len(next(iter(values.values())))
    unknown: list[float | None] = [None] * answers
    prompts, texts = values.get("prompt_tokens", unknown), values.get("answer_tokens", unknown)
    thoughts = values.get("thought_tokens", unknown)
    texts = [None if text is None else text + (more or 0) for text, more in zip(texts, thoughts, strict=True)]
    costs = values.get("cost", unknown)
    if prices is not None:
        pairs = zip(prompts, texts, strict=True)
        costs = [None if first is None or second is None else prices.of(first, second) for first, second in pairs]
    latencies = [value for value in values.get("seconds", ()) if value is not None]
    latencies += [value / 1000 for value in values.get("milliseconds", ()) if value is not None and not latencies]
    known = [cost for cost in costs if cost is not None]
    return Expenses(
        answers,
        _total(prompts) if "prompt_tokens" in values else None,
        _total(texts) if "answer_tokens" in values else None,
        math.fsum(known) if known else None,
        answers - len(known),
        fmean(latencies) if latencies else None,
    )


def _total(values: Sequence[float | None]) -> int:
    return round(math.fsum(value for value in values if value is not None))


def _numbers(column: FileColumn) -> Iterator[float | None]:
    """Yield the numbers of a column, None for empty cells; raises InputError for other cells."""
    for row, value in enumerate(column.all_values()):
        if value is None or value == "":
            yield None
            continue
        try:
            quantity = float(value)
        except (TypeError, ValueError):
            quantity = math.nan
        if not math.isfinite(quantity):
            raise column.error(row, f"{value!r} is not a number")
        yield quantity


# --- columns of the table of scores ---


def expense_columns(expenses: Mapping[str, Expenses], systems: Iterable[str]) -> FilledColumns:
    """Return columns of tokens, cost and seconds, of which none is empty."""
    rows = [expenses.get(name, Expenses(0)) for name in systems]
    columns: dict[str, Sequence[float | None]] = {
        "tokens": [_tokens(row) for row in rows],
        "cost": [row.cost for row in rows],
        "seconds": [row.seconds for row in rows],
    }
    return [
        (TableColumn(head, "exact"), [math.nan if value is None else value for value in values])
        for head, values in columns.items()
        if any(value is not None for value in values)
    ]


def _tokens(row: Expenses) -> int | None:
    known = [tokens for tokens in (row.prompt_tokens, row.answer_tokens) if tokens is not None]
    return sum(known) if known else None


def expense_legend(expenses: Mapping[str, Expenses]) -> list[str]:
    """Return the explanation of the columns, with the systems whose cost is a lower bound."""
    rows = expenses.values()
    legend = ["tokens: of all requests and answers"] if any(_tokens(row) is not None for row in rows) else []
    if any(row.cost is not None for row in rows):
        partly = {name: row for name, row in expenses.items() if row.cost is not None and row.without_cost}
        lower = [f"{name} at least (unknown for {row.without_cost} of {row.answers})" for name, row in partly.items()]
        legend.append("; ".join(["cost: of all answers", *lower]))
    legend += ["seconds: mean latency of an answer"] if any(row.seconds is not None for row in rows) else []
    return legend
