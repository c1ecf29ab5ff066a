"""Suites and records of others: the files they name, code, models, and the content of files in messages."""

from __future__ import annotations

import contextlib
import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

import geceval
from geceval.base.errors import InputError
from support.commands import Run
from support.examples import EXAMPLES
from support.written_files import write

SET = '[sets.a]\nsource = "source.txt"\nreferences = ["ref0.txt"]\n'
SYSTEMS = '[sets.a.systems]\neager = "eager.txt"\n'
GREEN = 'metrics = ["green"]\n'
#: Definitions that name FILE, by key.
KEYS = {
    "source": f'[sets.a]\nsource = "FILE"\nreferences = ["ref0.txt"]\n{GREEN}{SYSTEMS}',
    "references": f'[sets.a]\nsource = "source.txt"\nreferences = ["ref0.txt", "FILE"]\n{GREEN}{SYSTEMS}',
    "references of a system": f'[sets.a]\nsource = "source.txt"\nreferences = ["eager=FILE"]\n{GREEN}{SYSTEMS}',
    "references after a comma": f'[sets.a]\nsource = "source.txt"\nreferences = ["eager=ref0.txt,FILE"]\n'
    f"{GREEN}{SYSTEMS}",
    "terms": f'{SET}metrics = ["kept:terms=FILE"]\n{SYSTEMS}',
    "patterns": f'{SET}metrics = ["kept:patterns=FILE"]\n{SYSTEMS}',
    "gold": f'[sets.a]\ngold = "FILE"\nmetrics = ["errant"]\n{SYSTEMS}',
    "blocks": f'{SET}{GREEN}blocks = "FILE"\n{SYSTEMS}',
    "systems": f'{SET}{GREEN}[sets.a.systems]\neager = "FILE"\n',
    "judgments": f'[judged.a]\nsource = "source.txt"\nreferences = ["ref0.txt"]\n{GREEN}judgments = "FILE"\n'
    '[judged.a.systems]\neager = "eager.txt"\nnoisy = "noisy.txt"\n',
    "weights": f'{SET}metrics = ["goto:weights=FILE"]\n{SYSTEMS}',
    "weights of all sets": f'metrics = ["goto:weights=FILE"]\n{SET}{SYSTEMS}',
    "annotator": f'{SET}metrics = ["errant"]\nannotator = "FILE"\n{SYSTEMS}',
    "lexicon": f'{SET}metrics = ["errant"]\nlanguage = "lexicon:FILE"\n{SYSTEMS}',
    "clean": f'{SET}{GREEN}clean = ["FILE"]\n{SYSTEMS}',
    "published": f'{SET}metrics = ["errant"]\n{SYSTEMS}[[published]]\nof = "a"\nmetric = "goto:weights=FILE"\n'
    'by = "us"\nscores = { eager = "1" }\n',
}
#: Files that are no texts of a corpus, with a secret.
SECRET = "Sesame4711"
PRIVATE = {
    "passwd": f"{SECRET}:x:0:0:root:/root:/bin/bash\ndaemon:{SECRET}:1:1\n",
    "key": f"-----BEGIN PRIVATE KEY-----\n{SECRET}b3BlbnNzaC1rZXktdjEAAAAA\n-----END PRIVATE KEY-----\n",
    "env": f"API_KEY={SECRET}\nOTHER='{SECRET}'\n",
    "ini": f"[{SECRET}]\nsecret = {SECRET}\n",
    "json": json.dumps({"token": SECRET, "more": [SECRET]}),
    "list.json": json.dumps([{"text": SECRET}]),
    "jsonl": json.dumps({"name": SECRET, "matches": SECRET}) + "\n",
    "xml": f"<?xml version='1.0'?><a><{SECRET} b='{SECRET}'>{SECRET}</{SECRET}></a>\n",
    "csv": f"{SECRET},b\n1,{SECRET}\n",
    "tsv": f"{SECRET}\tb\n1\t{SECRET}\n",
    "toml": f"rules = '{SECRET}'\n",
    "line": SECRET,
    "bytes": f"\x7fELF{SECRET}\0",
    "zip": f"PK\x03\x04{SECRET}",
    "A": f"A {SECRET}\n",
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working directory, with a folder for a suite or a record; its files are links to nothing outside."""
    inside = tmp_path / "inside"
    inside.mkdir()
    for name in ("source.txt", "ref0.txt", "gold.m2", "judgments.xml", "systems/eager.txt", "systems/noisy.txt"):
        for place in (inside, tmp_path):
            shutil.copy(EXAMPLES / name, place)
    (inside / "link").symlink_to(tmp_path / "source.txt")
    (inside / "folder").symlink_to(tmp_path)
    monkeypatch.chdir(inside)
    return tmp_path


def outside_names(folder: Path) -> list[str]:
    names = ["../source.txt", str(folder / "source.txt"), "link", "folder/source.txt", "x/../../source.txt"]
    return [*names, f"//{folder}/source.txt", "../inside/folder/source.txt", "a=b/../../source.txt"]


@pytest.mark.parametrize("key", KEYS)
def test_suite_names_no_file_outside_its_folder(key: str, folder: Path, run: Run) -> None:
    (folder / "inside/x").mkdir()
    (folder / "inside/a=b").mkdir()
    for name in outside_names(folder):
        Path("suite.toml").write_text(KEYS[key].replace("FILE", name), encoding="utf-8")
        refused = run("suite", "suite.toml")
        assert (refused.status, refused.out) == (2, ""), name
        assert "is outside the folder of the suite" in refused.err, name
        assert "hint: --allow-outside, if you trust suite.toml" in refused.err
        assert "outside the folder" not in run("suite", "suite.toml", "--allow-outside").err
        with pytest.raises(InputError, match="is outside the folder of the suite"):
            geceval.evaluate_suite("suite.toml")


def test_file_with_the_name_of_a_metric_is_no_file_of_the_suite(folder: Path, run: Run) -> None:
    Path("suite.toml").write_text(f'{SET}metrics = ["errant:beta=1"]\n{SYSTEMS}', encoding="utf-8")
    (folder / "errant").write_text("", encoding="utf-8")
    with contextlib.chdir(folder):
        assert run("suite", "inside/suite.toml").status == 0


def test_file_outside_is_read_with_the_option_that_the_hint_names(folder: Path, run: Run) -> None:
    Path("suite.toml").write_text(KEYS["source"].replace("FILE", "../source.txt"), encoding="utf-8")
    allowed = run("suite", "suite.toml", "--allow-outside")
    assert allowed.status == 0
    Path("suite.toml").write_text(KEYS["source"].replace("FILE", "source.txt"), encoding="utf-8")
    assert run("suite", "suite.toml").out == allowed.out
    assert run("suite", str(folder / "inside/suite.toml")).out == allowed.out
    suite = geceval.read_suite("suite.toml", allow_outside=True)
    assert geceval.evaluate_suite(suite).systems == ("eager",)


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("private", PRIVATE)
def test_messages_do_not_quote_files_that_are_no_corpus(key: str, private: str, folder: Path, run: Run) -> None:
    write(folder / private, PRIVATE[private])
    Path("suite.toml").write_text(KEYS[key].replace("FILE", f"../{private}"), encoding="utf-8")
    for options in ([], ["--allow-outside"], ["--allow-outside", "--verify"]):
        result = run("suite", "suite.toml", *options)
        # Any text is a list of terms.
        assert result.status == 2 or key in ("published", "terms", "patterns")
        assert SECRET not in result.out + result.err


MODELS = {
    "ptm2:model=name/of-a-model": "model",
    "pterrant:model=bert-large-uncased": "model",
    "scribendi:model=gpt2-large": "model",
    "impara:similarity=bert-base-uncased": "similarity",
    "impara-ged:model=x": "model",
    "some:g=x,f=y,m=z": "g",
    "uot-errant:model=electra": "model",
}


@pytest.mark.parametrize("metric", [*MODELS, "metric.py:EditRate"])
def test_suite_and_record_execute_no_code_and_download_no_model(metric: str, folder: Path, run: Run) -> None:
    Path("metric.py").write_text(f"open({str(folder / 'executed')!r}, 'w')", encoding="utf-8")
    line = ("score", "-s", "source.txt", "-r", "ref0.txt", "-c", "eager.txt", "-m", "green", "--record", "run.json")
    assert run(*line).status == 0
    record = json.loads(Path("run.json").read_text(encoding="utf-8"))
    record["arguments"].append(f"--metrics={metric}")
    Path("run.json").write_text(json.dumps(record), encoding="utf-8")
    why = "cannot execute a file" if metric not in MODELS else f"{MODELS[metric]}="
    for key in ("weights", "weights of all sets", "published"):
        Path("suite.toml").write_text(KEYS[key].replace("goto:weights=FILE", metric), encoding="utf-8")
        for words in (["suite", "suite.toml"], ["reproduce", "run.json"]):
            for options in ([], ["--allow-outside"]):
                result = run(*words, *options)
                assert (result.status, result.out, why in result.err) == (2, "", True), result
    assert not (folder / "executed").exists()


def edit_record(change: Callable[[dict[str, object]], object]) -> None:
    record = json.loads(Path("run.json").read_text(encoding="utf-8"))
    change(record)
    Path("run.json").write_text(json.dumps(record), encoding="utf-8")


@pytest.mark.parametrize("consent", ["", "--allow-outside", "--allow-outside=true"])
def test_record_reads_no_file_outside_its_folder(folder: Path, run: Run, consent: str) -> None:
    (folder / "inside/x").mkdir()
    (folder / "inside/a=b").mkdir()
    score = ["score", "--source=source.txt", "--references=ref0.txt", "--systems=eager.txt", "--metrics=errant"]
    Path("suite.toml").write_text(KEYS["source"].replace("FILE", "../source.txt"), encoding="utf-8")
    assert run(*score, "--record", "run.json").status == 0
    lines = [["suite", "suite.toml"], ["suite", "../inside/folder/inside/suite.toml"]]
    for name in outside_names(folder):
        lines += [[*score, f"--references={name}"], [*score, f"--systems=x={name}"]]
        lines += [[*score, f"--gold={name}"], [*score, f"--metrics=goto:weights={name}"]]
    lines += [[*score, "--systems=.."], [*score, "--systems=folder"], ["suite", "suite.toml", "--systems=.."]]
    lines += [["suite", "conll14", "--data=.."], ["suite", "conll14", "--data=folder"]]
    write(folder / "table.csv", "source,reference,system\na,b,c\n")
    lines += [["score", "--input=../table.csv", "--metrics=green"]]
    before = sorted(folder.rglob("*"))
    for line in lines:
        words = [*line, *([consent] if consent and line[0] == "suite" else [])]
        edit_record(lambda record, words=words: record.update(arguments=words, inputs={}))
        refused = run("reproduce", "run.json")
        assert (refused.status, refused.out) == (2, ""), line
        assert "outside" in refused.err, (line, refused.err)
    assert sorted(folder.rglob("*")) == before


def test_record_in_another_folder_is_reproduced_as_its_hint_says(folder: Path, run: Run, tmp_path: Path) -> None:
    (folder / "inside/records").mkdir()
    line = ("score", "-s", "source.txt", "-r", "ref0.txt", "-c", "eager.txt", "-m", "green")
    assert run(*line, "--record", "records/run.json").status == 0
    refused = run("reproduce", "records/run.json")
    assert refused.status == 2
    assert "hint: --allow-outside, if you trust records/run.json" in refused.err
    for words in (["--allow-outside"], ["--folder", "."]):
        assert run("reproduce", "records/run.json", *words).status == 0
    shutil.move("records/run.json", "run.json")
    assert run("reproduce", "run.json").status == 2
    assert run("reproduce", "run.json", "--folder", ".").status == 0
