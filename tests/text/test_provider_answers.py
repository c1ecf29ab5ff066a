"""Batch files of providers: texts of answers, how they ended, and the checks that count them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import geceval
from geceval.text.corpus import Corpus
from geceval.text.preparation import Preparation
from geceval.text.reading.corpus_files import CorpusFiles
from geceval.text.reading.file_columns import FileContent
from geceval.text.reading.input_files import InputFile
from geceval.text.reading.provider_fields import answer_end, column_of_fact
from support.commands import run_main
from support.provider_answers import FORMS, KEYS, Answer, write_answers
from support.written_files import write

SOURCE = [f"He go to the market number {number} ." for number in range(24)]
FIXED = [line.replace("go", "goes") for line in SOURCE]


def answers_of(failed: Mapping[int, Answer]) -> list[Answer]:
    return [failed.get(number, Answer(text)) for number, text in enumerate(FIXED)]


#: A refusal, an empty answer that was cut, and one that was cut in its middle, which looks complete.
FAILED = {
    3: Answer("I'm sorry, but I can't help with that.", "refusals"),
    7: Answer("", "cut"),
    11: Answer(f"{FIXED[11]} It .", "cut"),
}


def read(path: Path, folder: Path, key: str = "custom_id") -> CorpusFiles:
    source = folder / "source.txt"
    source.write_text("".join(f"{line}\n" for line in SOURCE), encoding="utf-8")
    return CorpusFiles(str(source), table=CorpusFiles.of_table(str(path)).table, id=key)


@pytest.mark.parametrize("form", FORMS)
def test_answers_of_a_batch_file_are_read_with_their_ends(form: str, tmp_path: Path) -> None:
    path = write_answers(tmp_path / "batch.jsonl", answers_of(FAILED), form)
    corpus = read(path, tmp_path, KEYS.get(form, "custom_id")).read()
    texts = [FAILED[number].text if number in FAILED else text for number, text in enumerate(FIXED)]
    assert dict(corpus.systems) == {"batch": texts}
    ends = [FAILED[number].end if number in FAILED else "" for number in range(len(FIXED))]
    assert dict(corpus.answer_ends) == {"batch": ends}


@pytest.mark.parametrize("form", ["chat completions", "Responses"])
def test_refusal_that_ends_like_an_answer_is_counted(form: str, tmp_path: Path) -> None:
    path = write_answers(tmp_path / "batch.jsonl", answers_of({3: Answer("Not by our policy.", "refusals")}), form)
    text = path.read_text(encoding="utf-8").replace('{"reason": "content_filter"}', "null")
    path.write_text(text.replace('"content_filter"', '"stop"').replace('incomplete"', 'completed"'), encoding="utf-8")
    corpus = read(path, tmp_path).read()
    assert (corpus.systems["batch"][3], corpus.answer_ends["batch"][3]) == ("Not by our policy.", "refusals")
    assert {*corpus.answer_ends["batch"][:3], *corpus.answer_ends["batch"][4:]} == {""}


def test_failed_response_is_reported_as_a_failed_request(tmp_path: Path) -> None:
    path = write_answers(tmp_path / "batch.jsonl", answers_of({}), "Responses")
    rows = path.read_text(encoding="utf-8").splitlines()
    failure = {"status_code": 500, "body": {"error": {"message": "x"}}}
    rows[3] = json.dumps({"custom_id": json.loads(rows[3])["custom_id"], "response": failure})
    path.write_text("".join(f"{row}\n" for row in rows), encoding="utf-8")
    source = tmp_path / "source.txt"
    source.write_text("".join(f"{line}\n" for line in SOURCE), encoding="utf-8")
    line = ("score", "-s", source, "-r", source, "-i", path, "--id", "custom_id", "-m", "green")
    assert "the request failed" in run_main(*map(str, line)).err
    assert run_main(*map(str, line), "--blank", "empty").status == 0


@pytest.mark.parametrize("form", FORMS)
def test_checks_count_answers_that_the_provider_cut(form: str, tmp_path: Path) -> None:
    path = write_answers(tmp_path / "batch.jsonl", answers_of(FAILED), form)
    corpus = read(path, tmp_path, KEYS.get(form, "custom_id")).open()
    findings = {finding.check: finding for finding in geceval.check(corpus)}
    assert findings["cut"].message == "2 of its 24 answers were cut at the limit of tokens (lines 8, 12)"
    assert findings["refusals"].message.startswith("1 of its 24 lines is a refusal (line ")
    assert "1 empty" in findings["outputs"].message
    assert "2 cut" in findings["outputs"].message


def test_ends_are_those_of_the_selected_sentences(tmp_path: Path) -> None:
    path = write_answers(tmp_path / "batch.jsonl", answers_of(FAILED))
    files = read(path, tmp_path)
    assert [end for part in files.open().parts(5) for end in part.answer_ends["batch"]] == list(
        files.read().answer_ends["batch"]
    )
    assert files.read().take([11, 0, 3]).answer_ends == {"batch": ["cut", "", "refusals"]}
    assert files.read().without([*range(11)]).answer_ends["batch"][0] == "cut"


def test_a_file_without_ends_has_no_number_of_cut_answers(tmp_path: Path) -> None:
    corpus = Corpus(SOURCE, [], {"a": FIXED})
    [result] = geceval.evaluate(corpus, ["change-rate"])["a"]
    assert result.outputs is not None
    assert "cut" not in result.outputs.to_dict()
    path = write_answers(tmp_path / "a.jsonl", answers_of({}))
    [result] = geceval.evaluate(read(path, tmp_path).read(), ["change-rate"])["a"]
    assert result.outputs is not None
    assert result.outputs.to_dict()["cut"] == 0


def test_provider_replaces_the_guess_that_a_line_is_cut(tmp_path: Path) -> None:
    halves = {number: Answer(" ".join(FIXED[number].split()[:4])) for number in range(12)}
    path = write_answers(tmp_path / "batch.jsonl", answers_of(halves))
    corpus = read(path, tmp_path).read()
    assert not {finding.check for finding in geceval.check(corpus)} & {"truncated", "cut"}
    guessed = Corpus(SOURCE, [], dict(corpus.systems))
    assert "truncated" in {finding.check for finding in geceval.check(guessed)}


def test_json_that_was_cut_is_warned_of_without_a_field_for_the_end() -> None:
    answers = [json.dumps({"corrected": sentence}) for sentence in FIXED]
    answers[3], answers[7] = answers[3][:-9], answers[7][:-4]
    corpus = Corpus(SOURCE, [], {"a": answers}).prepared(Preparation(clean="llm"))
    assert list(corpus.text_systems["a"]) == [*FIXED[:3], FIXED[3][:-7], *FIXED[4:7], FIXED[7][:-2], *FIXED[8:]]
    [finding] = (finding for finding in geceval.check(corpus) if finding.check == "cut")
    lines = "2 of its 24 lines are JSON that was cut, and are read up to there"
    assert (finding.file, finding.message) == ("system a", lines)


def test_row_with_an_empty_text_in_place_of_an_answer_needs_no_other_field(tmp_path: Path) -> None:
    path = write_answers(tmp_path / "batch.jsonl", answers_of({}))
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    rows[0] = {"custom_id": "request-23", "response": {"body": {"choices": [{"message": {"content": ""}}]}}}
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    corpus = read(path, tmp_path).read()
    assert (corpus.systems["batch"][23], corpus.answer_ends["batch"][23]) == ("", "")


def content_of(*names: str) -> FileContent:
    return FileContent(InputFile("t.jsonl"), names, lambda columns, size: iter([]))


@pytest.mark.parametrize(
    ("names", "fact", "expected"),
    [
        (["choices.0.stop_reason", "choices.0.finish_reason"], "end", "choices.0.finish_reason"),
        (["choices.1.finish_reason"], "end", None),
        (["request.body.stop_reason", "response.body.stop_reason"], "end", "response.body.stop_reason"),
        (["a.incomplete_details"], "end", "a.incomplete_details"),
        (["response.body.usage.input_tokens"], "prompt_tokens", "response.body.usage.input_tokens"),
        (["usage.input_tokens_details.cached_tokens"], "prompt_tokens", None),
        (["a.usageMetadata.candidatesTokenCount"], "answer_tokens", "a.usageMetadata.candidatesTokenCount"),
        (["meta.latency_ms"], "milliseconds", "meta.latency_ms"),
        (["latency"], "seconds", "latency"),
        (["costs"], "cost", None),
    ],
)  # fmt: skip
def test_field_of_a_fact(names: list[str], fact: Any, expected: str | None) -> None:
    column = column_of_fact(content_of(*names), fact)
    assert (None if column is None else column.name) == expected


@given(value=st.none() | st.text() | st.integers() | st.dictionaries(st.text(), st.text()))
def test_unknown_reasons_are_no_end(value: Any) -> None:
    assert answer_end(value) in ("", "cut", "refusals")
    assert answer_end({"reason": "max_output_tokens"}) == answer_end("MAX_TOKENS") == "cut"


# --- what is next to an answer ---

WRONG, RIGHT = ["He go .", "I has it ."], ["He goes .", "I have it ."]


def batch(path: Path, messages: list[list[dict[str, Any]]]) -> list[object]:
    """Write chat completions, with one choice for each message of a request; return the arguments that read them."""
    rows = [
        {"custom_id": f"r-{number}", "response": {"body": {"choices": [{"message": message} for message in choices]}}}
        for number, choices in enumerate(messages)
    ]
    source, reference = write(path / "s.txt", "\n".join(WRONG)), write(path / "r.txt", "\n".join(RIGHT))
    table = write(path / "b.jsonl", "".join(f"{json.dumps(row)}\n" for row in rows))
    return ["-s", source, "-r", reference, "-i", table, "--id", "custom_id", "-m", "errant", "-f", "csv"]


def test_further_answers_of_a_request_are_named_and_scored(tmp_path: Path) -> None:
    pairs = [[{"content": line}, {"content": text}] for line, text in zip(WRONG, RIGHT, strict=True)]
    arguments = batch(tmp_path, pairs)
    result = run_main("score", *arguments)
    assert "b.jsonl: rows have 2 answers, of which the first is scored" in result.err
    paths = [f"response.body.choices.{number}.message.content" for number in range(2)]
    assert f"--hypothesis-column {paths[0]} {paths[1]} scores the second one, too" in result.err
    both = run_main("score", *arguments, "--hypothesis-column", *paths)
    assert (both.out.splitlines()[1:], "rows have" in both.err) == ([f"{paths[0]},0.00", f"{paths[1]},100.00"], False)


@pytest.mark.parametrize("provider", ["openai", "anthropic"])
def test_arguments_of_tools_next_to_a_text_are_named(tmp_path: Path, provider: str) -> None:
    def message_of(text: str) -> dict[str, Any]:
        if provider == "openai":
            call = {"function": {"name": "correct", "arguments": json.dumps({"corrected": text})}}
            return {"content": "I correct it.", "tool_calls": [call]}
        return {"content": [{"type": "text", "text": "I correct it."}, {"type": "tool_use", "input": {"fix": text}}]}

    arguments = batch(tmp_path, [[message_of(text)] for text in RIGHT])
    result = run_main("score", *arguments)
    path = {"openai": "tool_calls.0.function.arguments", "anthropic": "content.1.input.fix"}[provider]
    column = f"response.body.choices.0.message.{path}"
    assert f"--hypothesis-column {column} if they are the corrections" in result.err
    named = run_main("score", *arguments, "--hypothesis-column", column, "--clean", "llm")
    assert (named.out.splitlines()[1:], "a tool" in named.err) == ([f"{column},100.00"], False)


@pytest.mark.parametrize("errors", [[], ["tense"], [{"original": "go", "corrected": "goes"}], [{"type": "SVA"}]])
def test_a_correction_in_json_next_to_a_list_needs_the_rule_that_takes_it(tmp_path: Path, errors: list[Any]) -> None:
    answers = [json.dumps({"errors": errors, "corrected": text}) for text in RIGHT]
    arguments = batch(tmp_path, [[{"content": answer}] for answer in answers])
    refused = run_main("score", *arguments)
    assert (refused.status, "hint: --clean llm takes the correction" in refused.err) == (2, True)
    assert run_main("score", *arguments, "--clean", "llm").out.endswith(",100.00\n")


def test_a_request_that_was_repeated_is_no_second_system(tmp_path: Path) -> None:
    arguments = batch(tmp_path, [[{"content": text}] for text in RIGHT])
    path = tmp_path / "b.jsonl"
    rows = [json.loads(line) | {"attempt": 1} for line in path.read_text("utf-8").splitlines()]
    write(path, "".join(f"{json.dumps(row)}\n" for row in (*rows, rows[0] | {"attempt": 2})))
    refused = run_main("score", *arguments)
    assert "r-0 occurs twice, first in row 1; the rows differ in attempt\n  hint: leave one row" in refused.err
