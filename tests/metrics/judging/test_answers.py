"""Answers are kept line by line; nothing that was written is lost."""

from __future__ import annotations

import json
import threading
from pathlib import Path

import pytest

from geceval.base.errors import InputError
from geceval.metrics.judging.answers import Answers, default_cache_file
from geceval.metrics.judging.judge import Answer


def test_what_was_put_is_there_for_the_next(tmp_path: Path) -> None:
    path = tmp_path / "folder" / "answers.jsonl"
    answers = Answers(path)
    assert not path.exists()
    answers.put("1", Answer('{"a": "é\u2028"}', 3, 4))
    answers.put("2", Answer("no numbers", None, None))
    assert len(path.read_bytes().splitlines()) == 2  # while the first is still open
    again = Answers(path)
    assert (len(again), again.get("1"), again.get("2")) == (2, Answer('{"a": "é\u2028"}', 3, 4), Answer("no numbers"))
    assert again.get("3") is None
    assert path.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("cut", range(1, 60, 7))
def test_a_line_that_was_cut_off_is_dropped_and_the_next_one_is_whole(tmp_path: Path, cut: int) -> None:
    path = tmp_path / "answers.jsonl"
    answers = Answers(path)
    answers.put("1", Answer("one", 1, 1))
    whole = path.stat().st_size
    answers.put("2", Answer("two", 2, 2))
    with path.open("r+b") as file:
        file.truncate(whole + cut)
    after = Answers(path)
    assert ("1" in after, "2" in after) == (True, False)
    after.put("3", Answer("three", 3, 3))
    assert [json.loads(line)["request"] for line in path.read_text().splitlines()] == ["1", "3"]
    assert len(Answers(path)) == 2


def test_other_files_are_refused_with_their_line_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    for content in ("buy milk\n", '{"request": "1"}\n', "[]\n", "3\n"):
        path.write_text('{"request": "1", "answer": "", "prompt_tokens": null, "answer_tokens": null}\n' + content)
        before = path.read_bytes()
        with pytest.raises(InputError, match=r"notes\.txt:2: not a cached answer of a judge") as refusal:
            Answers(path)
        assert "--judge cache=FILE" in str(refusal.value)
        assert path.read_bytes() == before
    with pytest.raises(InputError, match="cannot be read"):
        Answers(tmp_path)
    with pytest.raises(InputError, match="cannot be written"):
        Answers(path.parent / "notes.txt" / "answers.jsonl").put("1", Answer(""))


def test_several_may_write_at_a_time(tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl"
    both = [Answers(path), Answers(path)]
    threads = [
        threading.Thread(target=lambda k=k: [both[k % 2].put(f"{k}-{i}", Answer("x" * 500)) for i in range(50)])
        for k in range(6)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(Answers(path)) == 300


def test_the_usual_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GECEVAL_CACHE", str(tmp_path))
    assert default_cache_file() == tmp_path / "answers.jsonl"
    monkeypatch.delenv("GECEVAL_CACHE")
    assert default_cache_file().parts[-3:] == (".cache", "geceval", "answers.jsonl")
