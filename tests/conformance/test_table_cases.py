"""The cases of tables, of batch files and of JSON as people have it: the number, or the hint that gives it."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.commands import run_main


@pytest.mark.parametrize(
    ("case", "words", "score"),
    [
        ("10", "-i two.csv -m gleu --blank missing", "82.69"),
        ("10", "-i two.jsonl -m gleu", "82.69"),
        ("12", "-i arr.json -m errant", "90.91"),
        ("13", "-s source.txt -r ref.txt -c outs.json -m errant", "90.91"),
        ("13", "-s source.txt -r ref.txt -c outd.jsonl -m errant", "90.91"),
        ("21", "-s source.txt -r ref.txt -i batch.jsonl --id custom_id -m errant", "90.91"),
        ("21", "-s source.txt -r ref.txt -i batch.jsonl --id custom_id -m errant"
         " --hypothesis-column response.body.choices[0].message.content", "90.91"),
    ],
)  # fmt: skip
def test_case_gives_its_number(
    shared: Path, monkeypatch: pytest.MonkeyPatch, case: str, words: str, score: str
) -> None:
    monkeypatch.chdir(shared / "cases" / case)
    result = run_main("score", *words.split(), "-f", "csv", "-q")
    assert (result.status, result.out.strip().rpartition(",")[2]) == (0, score)


@pytest.mark.parametrize(
    ("case", "words", "message"),
    [
        ("10", "-i two.csv -m gleu", "two.csv: reference 2: 16 of 40 rows are empty next to a sentence"),
        ("12", "-i pretty.jsonl -m errant", "pretty.jsonl:6: hypothesis: a sentence must be text, not nothing (null)"),
        ("21", "-s source.txt -r ref.txt -i batch.jsonl -m errant", "hint: --id custom_id matches rows"),
    ],
)
def test_case_names_the_cause(
    shared: Path, monkeypatch: pytest.MonkeyPatch, case: str, words: str, message: str
) -> None:
    monkeypatch.chdir(shared / "cases" / case)
    assert message in run_main("score", *words.split()).err
