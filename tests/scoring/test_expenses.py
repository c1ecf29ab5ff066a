"""Tokens, cost and latency of answers, from the fields of providers."""

from __future__ import annotations

import csv
import json
import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from geceval.base.errors import InputError, UsageError
from geceval.scoring.expenses import Expenses, expense_legend, expenses_of, parse_prices
from geceval.text.reading.corpus_files import CorpusFiles
from geceval.text.reading.file_columns import FileColumn
from support.commands import Run
from support.examples import EXAMPLES
from support.provider_answers import FORMS, Answer, write_answers

TEXTS = (EXAMPLES / "systems" / "careful.txt").read_text("utf-8").splitlines()
DATA = ("-s", "source.txt", "-r", "ref0.txt", "-m", "green", "--id", "custom_id", "-q")
PRICES = ("price_prompt=2,price_answer=10",)


def systems_of(path: Path) -> dict[str, FileColumn]:
    table = CorpusFiles.of_table(str(path)).table
    assert table is not None
    return dict(table.systems)


@pytest.mark.parametrize("form", FORMS)
def test_tokens_have_their_price(form: str, tmp_path: Path) -> None:
    answers = [Answer("He goes .", tokens=(100, 10)), Answer("She goes .", tokens=(200, 20)), Answer("It is .")]
    systems = systems_of(write_answers(tmp_path / "a.jsonl", answers, form))
    expected = Expenses(3, 400, 40, (400 * 2 + 40 * 10) / 1e6, 0, 0.51)
    assert expenses_of(systems, parse_prices(PRICES)) == {"a": expected}
    assert expenses_of(systems)["a"].cost is None


@pytest.mark.parametrize("form", FORMS)
def test_cost_is_a_lower_bound_where_rows_lack_tokens(form: str, tmp_path: Path) -> None:
    answers = [Answer("He goes .", tokens=(100, 10)), Answer("She goes .", tokens=None)]
    expenses = expenses_of(systems_of(write_answers(tmp_path / "a.jsonl", answers, form)), parse_prices(PRICES))
    assert (expenses["a"].cost, expenses["a"].without_cost) == (0.0003, 1)
    assert "cost: of all answers; a at least (unknown for 1 of 2)" in expense_legend(expenses)


def test_costs_and_seconds_of_a_table_are_summed_without_prices(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("hypothesis,cost,latency\na b,0.5,2\nc d,,4\ne f,0.25,\n", encoding="utf-8")
    [expenses] = expenses_of(systems_of(path)).values()
    assert expenses == Expenses(3, None, None, 0.75, 1, 3.0)
    assert expenses.mean_cost == 0.375
    assert math.isnan(Expenses(2, without_cost=2).mean_cost)


def test_table_of_two_systems_has_no_expenses(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("hypothesis,hypothesis 2,cost\na b,a b,1\n", encoding="utf-8")
    assert expenses_of(systems_of(path)) == {}


def test_cell_that_is_no_number_is_named(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("hypothesis,cost\na b,1\nc d,much\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"a\.csv:3: cost: 'much' is not a number"):
        expenses_of(systems_of(path))


@given(prompt=st.floats(0, 1e6), answer=st.floats(0, 1e6))
def test_prices_are_those_of_a_system_or_of_all(prompt: float, answer: float) -> None:
    prices = parse_prices([f"price_prompt={prompt!r}", f"price_answer={answer!r}", "a:b:price_prompt=1,price_answer=2"])
    assert {name: (row.prompt, row.answer) for name, row in prices.items()} == {"": (prompt, answer), "a:b": (1, 2)}


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        (["price_prompt=1"], "price_answer is missing"),
        (["a:price_answer=1", *PRICES], "price_prompt of a is missing"),
        (["price=1"], "prices have the settings price_prompt and price_answer, not 'price'"),
        (["price_prompt=x"], "price_prompt must be a number, not 'x'"),
        (["price_prompt=-1"], "price_prompt"),
        (["price_prompt=nan"], "price_prompt"),
    ],
)
def test_wrong_prices_are_refused(texts: list[str], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        parse_prices(texts)


def test_prices_of_a_system_that_does_not_exist_are_refused(tmp_path: Path) -> None:
    systems = systems_of(write_answers(tmp_path / "first.jsonl", [Answer("a b"), Answer("c d")]))
    with pytest.raises(UsageError, match="prices of frist, which is not a system") as caught:
        expenses_of(systems, parse_prices(["frist:price_prompt=1,price_answer=2"]))
    assert "first" in str(caught.value.hint)


# --- the command ---


@pytest.fixture
def batches(examples: Path, tmp_path: Path) -> list[str]:
    """Batch files of two systems: the second has no latency."""
    first = write_answers(tmp_path / "first.jsonl", map(Answer, TEXTS))
    second = write_answers(tmp_path / "second.jsonl", [Answer(text, tokens=(50, 5)) for text in TEXTS], "Messages")
    rows = [json.loads(line) for line in second.read_text("utf-8").splitlines()]
    second.write_text("".join(f"{json.dumps(row | {'latency_ms': None})}\n" for row in rows), encoding="utf-8")
    return [str(first), str(second)]


def test_score_has_columns_of_tokens_cost_and_seconds(run: Run, batches: list[str]) -> None:
    options = ("--expenses", "--prices", "second:price_prompt=1,price_answer=1", *PRICES)
    rows = list(csv.reader(run("score", *DATA, "-i", *batches, *options, "-f", "csv").out.splitlines()))
    assert rows[0] == ["system", "GREEN", "tokens", "cost", "seconds"]
    assert rows[1][2:] == ["4400", "0.012", "0.695"]
    assert rows[2][2:] == ["2200", "0.0022", "nan"]
    document = json.loads(run("score", *DATA, "-i", *batches, *options, "-f", "json").out)
    assert document["expenses"]["second"] == {
        "answers": 40, "prompt_tokens": 2000, "answer_tokens": 200, "cost": 0.0022, "without_cost": 0, "seconds": None,
    }  # fmt: skip
    table = run("score", *DATA, "-i", *batches, *options, "--intervals").out
    assert "cost: of all answers\nseconds: mean latency of an answer\n" in table
    assert "expenses" not in json.loads(run("score", *DATA, "-i", *batches, "-f", "json").out)


def test_expenses_without_any_field_are_an_error(run: Run, examples: Path) -> None:
    result = run("score", *DATA[:-3], "-c", "systems/careful.txt", "--expenses")
    assert (result.status, "no table contains tokens, cost or latency" in result.err) == (2, True)
