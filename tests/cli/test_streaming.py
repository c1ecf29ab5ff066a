"""Rows of sentences that are written as they are scored, and interrupted runs that are resumed."""

from __future__ import annotations

import importlib.util
import io
import json
import os
import random
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from geceval.base.errors import InputError
from geceval.cli import resumable_output
from geceval.counting.metric_names import make_metric, parse_specs
from geceval.counting.run import evaluate
from geceval.report.report import written
from geceval.report.scores.score_report import sentence_table, sorted_results
from geceval.text.reading.corpus_files import corpus_files
from support.commands import Result, Run
from support.effort import examples
from support.examples import example_lines
from support.processes import start_python

HAS_ARROW = importlib.util.find_spec("pyarrow") is not None
SOURCE = ("-s", "source.txt")
TEXTS = (*SOURCE, "-r", "ref0.txt", "ref1.txt")
ONE = (*TEXTS, "-c", "systems/noisy.txt")
TWO = (*TEXTS, "-c", "systems/noisy.txt", "systems/careful.txt")
SENTENCES = ("--level", "sentence")
needs_arrow = pytest.mark.skipif(not HAS_ARROW, reason="no pyarrow here")
pytestmark = pytest.mark.usefixtures("examples")


def whole(systems: list[str], specs: list[str], output: str, digits: int = 2, sort: str = "given", **how: Any) -> str:
    """The table as it is made of the results of the whole corpus."""
    corpus = corpus_files("source.txt", ["ref0.txt", "ref1.txt"], [f"systems/{name}.txt" for name in systems])
    metrics = [make_metric(name, **settings) for name, settings in parse_specs(specs)]

    guard = how.pop("guard", False)
    results = evaluate(corpus, metrics, views=["sentence", "mean"], details=True, guard=guard, checks=False)
    return written(sentence_table(sorted_results(results, sort, "sentence"), **how), output, digits)


@pytest.mark.usefixtures("small_parts")
@pytest.mark.parametrize("output", ["tsv", "csv"])
@pytest.mark.parametrize("more", [(), ("--parts",), ("-d", "5"), ("-d", "0", "--sort", "name"), ("-v", "-j", "1")])
@pytest.mark.parametrize("metrics", [["green"], ["green,gleu", "errant", "cleme"], ["green:beta=1", "green"]])
def test_the_bytes_are_those_of_the_whole_table(
    run: Run, output: str, more: tuple[str, ...], metrics: list[str], tmp_path: Path
) -> None:
    digits = int(more[1]) if "-d" in more else 2
    sort = "name" if "name" in more else "given"
    expected = whole(["noisy", "careful"], metrics, output, digits, sort, parts="--parts" in more or "-v" in more)
    line = ("score", *TWO, "-m", *metrics, *SENTENCES, "-f", output, *more)
    assert run(*line) == Result(0, expected, "")
    assert run(*line, "-o", tmp_path / "out") == Result(0, "", "")
    assert (tmp_path / "out").read_bytes() == expected.encode()
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


@pytest.mark.usefixtures("small_parts")
def test_json_lines(run: Run) -> None:
    document = json.loads(run("score", *TWO, "-m", "green,errant", *SENTENCES, "-f", "json").out)
    rows = list(map(json.loads, run("score", *TWO, "-m", "green,errant", *SENTENCES, "-f", "jsonl").out.splitlines()))
    assert [row["line"] for row in rows] == list(range(1, 41))
    for own in document["results"]:
        assert [row["scores"][own["system"]][own["metric"]] for row in rows] == own["sentence_scores"]
    [row, *_] = run("score", *TWO, "-m", "errant", *SENTENCES, "-f", "jsonl", "--parts").out.splitlines()
    assert set(json.loads(row)["parts"]["noisy"]["errant"]) == {"precision", "recall"}


@needs_arrow
@pytest.mark.usefixtures("small_parts")
def test_parquet(run: Run, tmp_path: Path) -> None:
    import pyarrow.parquet as parquet

    target = tmp_path / "scores.parquet"
    line = ("score", *TWO, "-m", "green,errant", *SENTENCES, "-f")
    assert run(*line, "parquet", "-o", target) == Result(0, "", "")
    table = parquet.read_table(target)
    rows = list(map(json.loads, run(*line, "jsonl").out.splitlines()))
    assert table.column_names == ["line", "noisy GREEN", "noisy ERRANT", "careful GREEN", "careful ERRANT"]
    assert table["noisy GREEN"].to_pylist() == [row["scores"]["noisy"]["green"] for row in rows]
    columns = json.loads(table.schema.metadata[b"geceval"])["columns"]
    assert columns[0]["signature"].startswith("GREEN|n:4|beta:2|unit:word|policy:best|refs:2|level:sentence|")
    piped = subprocess.run(
        [sys.executable, "-m", "geceval", *line, "parquet"], stdout=subprocess.PIPE, check=True, timeout=120
    ).stdout
    assert piped[:4] == piped[-4:] == b"PAR1"


def test_parquet_says_what_to_install(run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    result = run("score", *ONE, "-m", "green", *SENTENCES, "-f", "parquet", "-o", tmp_path / "x")
    assert result == Result(2, "", "error: Parquet needs pyarrow\n  hint: pip install 'geceval[arrow]'\n")
    assert not list(tmp_path.iterdir())


def test_signatures(run: Run, tmp_path: Path) -> None:
    line = ("score", *TWO, "-m", "green", "errant:beta=1", *SENTENCES, "-f", "tsv", "--parts", "-o", tmp_path / "out")
    assert run(*line, "--signatures", tmp_path / "about.json").status == 0
    document = json.loads((tmp_path / "about.json").read_text(encoding="utf-8"))
    heads = (tmp_path / "out").read_text(encoding="utf-8").splitlines()[0].split("\t")
    assert ["line", *(column["name"] for column in document["columns"])] == heads
    assert (document["schema"], document["sentences"], document["source"]) == ("geceval/sentences@1", 40, "source.txt")
    [column] = [own for own in document["columns"] if own["name"] == "careful ERRANT precision"]
    assert (column["system"], column["metric"], column["part"]) == ("careful", "errant", "precision")
    assert column["settings"]["beta"] == 1.0
    assert "|level:sentence|" in column["signature"]


# --- mistakes ---


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("-f", "tsv", "-o", "a", "--signatures", "./a"), "one file for several outputs: a, ./a"),
        (("-f", "tsv", "-o", "./source.txt"), "-o: ./source.txt is an input file"),
        (("-f", "tsv", "--signatures", "systems/noisy.txt"), "--signatures: systems/noisy.txt is an input file"),
        (("--resume", "-f", "tsv", "-o", "x.tsv.gz"), "--resume: a compressed file cannot be resumed"),
        (("-f", "tsv", "--signatures", "no/where"), "no/where: cannot write: No such file or directory"),
        (("-f", "tsv", "--signatures", "."), ".: cannot write: Is a directory"),
        (("-f", "tsv", "--sort", "green"), "--sort green needs all scores before the first is written"),
        (("--resume",), "--resume is for formats that are written row by row"),
        (("--signatures", "x"), "--signatures is for formats that are written row by row"),
        (("--resume", "-f", "tsv"), "--resume needs a file"),
        (("--resume", "-f", "tsv", "-o", "/dev/null"), "--resume needs a file"),
        (("--resume", "-f", "parquet", "-o", "x"), "--resume: a Parquet file has its index at its end"),
        (("--resume", "-f", "tsv", "-o", "x", "-c", "-"), "--resume: standard input and pipes cannot be read again"),
        (("--level", "corpus", "--resume"), "--resume is for sentences\n  hint: --level sentence"),
        (("--level", "mean", "-f", "jsonl"), "-f jsonl is for sentences"),
    ],
)
def test_contradictory_options_are_refused(
    run: Run, arguments: tuple[str, ...], message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if "-c" in arguments and "-" in arguments:
        monkeypatch.setattr("sys.stdin", None)
    if "parquet" in arguments and not HAS_ARROW:
        pytest.skip("no pyarrow here")
    result = run("score", *ONE, "-m", "green,errant", *SENTENCES, *arguments)
    assert (result.status, result.out) == (2, "")
    assert f"error: {message}" in result.err
    assert not Path("x").exists()
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.close()  # the replacement of None


# --- interrupted ---

#: Parts of 16 sentences, each noted; slow enough to be met at work.
SLOWLY = """
import sys, time
from geceval import Green
from geceval.cli import resumable_output
from geceval.cli.main import main
resumable_output.EVERY, Green.block, Green.times_alone, count = 0.0, 16, 1, Green.count
def slowly(*own, **more):
    time.sleep(0.002)
    return count(*own, **more)
Green.count = slowly
sys.exit(main(sys.argv[1:]))
"""


@pytest.fixture(scope="module")
def long(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Longer texts."""
    folder = tmp_path_factory.mktemp("long")
    for name in ("source", "ref0", "systems/noisy"):
        lines = example_lines(name)
        text = "".join(f"{lines[(7 * at) % 40]} {at}\n" for at in range(3000))
        (folder / f"{Path(name).name}.txt").write_text(text, encoding="utf-8")
    return folder


FILES = ("-s", "source.txt", "-r", "ref0.txt", "-c", "noisy.txt", "--no-checks")
SCORE = ("score", *FILES, "-m", "green", "--level", "sentence")
FILTER = ("filter", *FILES, "--keep", "green > 50 and not identical")


def start(folder: Path, *line: str) -> subprocess.Popen[bytes]:
    return start_python("-c", SLOWLY, *line, cwd=folder)


def sentences_of(note: Path) -> int:
    try:
        return int(json.loads(note.read_text(encoding="utf-8"))["state"]["sentences"])
    except FileNotFoundError:
        return 0


def wait_for(process: subprocess.Popen[bytes], note: Path, sentences: int) -> None:
    """Until so many sentences are noted."""
    for _ in range(6000):
        if sentences_of(note) >= sentences or process.poll() is not None:
            return
        time.sleep(0.005)


@pytest.mark.parametrize(
    ("arguments", "name"),
    [
        (("-f", "tsv", "-c", "line=ref0.txt", "-m", "green"), "line"),
        (("-f", "csv", "-m", "errant", "--parts", "-c", "a=ref0.txt", "a precision=ref1.txt"), "a precision"),
    ],
)
@pytest.mark.usefixtures("examples")
def test_two_columns_with_one_name_are_refused(run: Run, arguments: tuple[str, ...], name: str) -> None:
    result = run("score", "-s", "source.txt", "-r", "ref0.txt", *SENTENCES, *arguments)
    assert (result.status, result.out) == (2, "")
    assert f"two columns have the name {name}" in result.err


@pytest.mark.parametrize(
    "how",
    [(*SCORE, "-f", "jsonl", "-o", "out"), (*FILTER, "-o", "out.csv", "--keep-out", "src", "hyp")],
    ids=["score", "filter"],
)
def test_killed_run_is_resumed_byte_by_byte(long: Path, tmp_path: Path, how: tuple[str, ...]) -> None:
    """The resumed file is byte for byte that of an uninterrupted run."""
    for name in ("source", "ref0", "noisy"):
        os.link(long / f"{name}.txt", tmp_path / f"{name}.txt")
    first = next(word for word in how if word.startswith("out"))
    names = [first, *(name for name in ("src", "hyp") if name in how)]
    process = start(tmp_path, *how)
    assert process.communicate(timeout=120)[1].startswith((b"", b"note: kept"))
    assert process.returncode == 0
    expected = [(tmp_path / name).read_bytes() for name in names]
    for name in names:
        (tmp_path / name).unlink()
    chance, note, at = random.Random(os.urandom(8) if "CI" not in os.environ else 1), tmp_path / f"{first}.part.json", 0
    for _ in range(examples(3)):
        process = start(tmp_path, *how, "--resume")
        wait_for(process, note, at + chance.randrange(1, 700))
        time.sleep(chance.random() * 0.01)
        process.kill()
        process.communicate()
        assert process.returncode == -signal.SIGKILL
        assert not any((tmp_path / name).exists() for name in names)
        at = sentences_of(note)
    process = start(tmp_path, *how, "--resume")
    err = process.communicate(timeout=120)[1].decode()
    assert process.returncode == 0
    assert err.startswith(f"note: resumed after {at:,} sentences\n")
    assert [(tmp_path / name).read_bytes() for name in names] == expected
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([*names, "noisy.txt", "ref0.txt", "source.txt"])


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
@pytest.mark.parametrize("form", ["tsv", pytest.param("parquet", marks=needs_arrow)])
def test_signal_ends_a_run_with_its_status(long: Path, tmp_path: Path, number: signal.Signals, form: str) -> None:
    target = tmp_path / "out"
    process = start(long, *SCORE, "-f", form, "-o", str(target))
    if form == "tsv":
        wait_for(process, tmp_path / "out.part.json", 100)
    else:
        while not (tmp_path / "out.part").exists() and process.poll() is None:
            time.sleep(0.01)
        time.sleep(0.1)
    process.send_signal(number)
    err = process.communicate(timeout=60)[1].decode()
    assert (process.returncode, err if process.returncode == 1 else "") == (128 + number, "")
    assert not target.exists()
    if form == "parquet":
        assert (err, list(tmp_path.iterdir())) == ("", [])
        return
    assert err.startswith(f"note: {target}.part has the first ")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out.part", "out.part.json"]
    lines = (tmp_path / "out.part").read_bytes().count(b"\n")
    assert lines == 1 + sentences_of(tmp_path / "out.part.json")


def test_full_disk_is_reported_and_resumed(long: Path, tmp_path: Path) -> None:
    """A file that may not grow further is as good."""
    target = tmp_path / "out"
    line = "score -s source.txt -r ref0.txt -c noisy.txt -m green --level sentence --no-checks -f jsonl".split()

    def limited() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (40_000, resource.RLIM_INFINITY))

    process = subprocess.run(
        [sys.executable, "-c", SLOWLY, *line, "-o", target],
        cwd=long, preexec_fn=limited, capture_output=True, timeout=120, check=False,
    )  # fmt: skip
    assert process.returncode == 2
    *_, note, error = process.stderr.decode().splitlines()
    assert error == f"error: {target}: cannot write: File too large"
    assert note.startswith(f"note: {target}.part has the first ")
    assert not target.exists()
    process = subprocess.run(
        [sys.executable, "-c", SLOWLY, *line, "-o", target, "--resume"],
        cwd=long, capture_output=True, timeout=120, check=False,
    )  # fmt: skip
    assert process.returncode == 0
    assert [json.loads(text)["line"] for text in target.read_text(encoding="utf-8").splitlines()] == list(
        range(1, 3001)
    )


class StoppedError(InputError):
    """What ends a run after some parts."""


@pytest.fixture
def stopping(monkeypatch: pytest.MonkeyPatch) -> Any:
    """A function that makes runs stop after so many parts."""
    write = resumable_output.ResumableOutput.write

    def stop_after(parts: int | None) -> None:
        left = parts

        def stopping(own: resumable_output.ResumableOutput, *arguments: Any, **more: Any) -> None:
            nonlocal left
            write(own, *arguments, **more)
            left = None if left is None else left - 1
            if left == 0:
                raise StoppedError("stopped")

        monkeypatch.setattr(resumable_output.ResumableOutput, "write", stopping)

    return stop_after


@pytest.mark.usefixtures("small_parts")
@pytest.mark.parametrize("metrics", ["green,errant", "cleme,cleme2", "gleu", "maxmatch"])
@pytest.mark.parametrize("form", ["tsv", "csv", "jsonl"])
def test_resumed_output_is_the_same(run: Run, stopping: Any, tmp_path: Path, metrics: str, form: str) -> None:
    more = ("--gold", "gold.m2") if metrics == "maxmatch" else ()
    line = ("score", *TWO, *more, "-m", metrics, *SENTENCES, "-f", form, "--parts", "-q")
    expected = run(*line).out
    stopping(3)
    assert run(*line, "-o", tmp_path / "out").status == 2
    assert json.loads((tmp_path / "out.part.json").read_text())["state"]["sentences"] == 21
    stopping(None)
    assert run(*line, "-o", tmp_path / "out", "--resume").status == 0
    assert (tmp_path / "out").read_text(encoding="utf-8") == expected


@pytest.mark.usefixtures("small_parts")
def test_differences_between_runs_are_listed(run: Run, stopping: Any, tmp_path: Path) -> None:
    system = tmp_path / "sys.txt"
    system.write_text(Path(ONE[6]).read_text(encoding="utf-8"), encoding="utf-8")
    line = ("score", *TEXTS, "-c", system, "-m", "green", *SENTENCES, "-f", "jsonl", "-o", tmp_path / "out")
    stopping(2)
    result = run(*line)
    assert result.err == (
        f"note: {tmp_path}/out.part has the first 14 sentences: --resume continues it\nerror: stopped\n"
    )
    stopping(None)
    result = run(*line, "--resume", "--parts", "--beta", "1")
    assert result.status == 2
    for difference in (
        "--parts: False before, True now",
        "--beta: nothing before, 1.0 now",
        "signatures: GREEN|n:4|beta:2",
    ):
        assert difference in result.err
    os.utime(system, ns=(0, 0))
    result = run(*line, "--resume")
    assert result.status == 2
    assert f"{tmp_path}/out.part belongs to another run:\n  {system}: " in result.err
    assert "(0) now" in result.err
    result = run(*line)
    assert result == Result(
        0, "", f"note: {tmp_path}/out.part, with 14 sentences, is started again (--resume continues it)\n"
    )
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out", "sys.txt"]


def test_bad_input_leaves_nothing(run: Run, tmp_path: Path) -> None:
    (tmp_path / "short").write_text("a\n", encoding="utf-8")
    (tmp_path / "out").write_text("kept", encoding="utf-8")
    line = ("score", *TEXTS, "-c", tmp_path / "short", "-m", "green", *SENTENCES, "-f", "tsv", "-o", tmp_path / "out")
    assert run(*line).status == 2
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out", "short"]
    assert (tmp_path / "out").read_text(encoding="utf-8") == "kept"


def test_a_reader_sees_rows_while_others_are_scored(long: Path) -> None:
    """Also that a reader who goes away ends the run."""
    line = "score -s source.txt -r ref0.txt -c noisy.txt -m green --level sentence --no-checks -f tsv".split()
    with subprocess.Popen(
        [sys.executable, "-c", SLOWLY, *line], cwd=long, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline() == b"line\tnoisy\n"
        assert process.poll() is None
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(timeout=60) == 128 + signal.SIGPIPE


@pytest.mark.parametrize(
    "line",
    [
        ("score", "-r", "r", "-m", "green", *SENTENCES, "-f", "tsv"),
        ("filter", "-r", "r", "--keep", "green > 50", "-f", "jsonl"),
        ("filter", "--keep", "length_ratio > 0.5 and not (duplicate or edits > 3)", "-f", "jsonl"),
    ],
    ids=["score", "filter by a metric", "filter by features"],
)
def test_memory_does_not_grow(tmp_path: Path, line: tuple[str, ...]) -> None:
    """Ten times as many sentences take as much."""
    code = (
        "import resource, sys; from geceval.cli.main import main\n"
        "assert main(sys.argv[1:]) == 0; print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)"
    )
    peaks = []
    for size in (10_000, 100_000):
        for name in ("s", "r", "c"):
            with (tmp_path / name).open("w") as out:
                out.writelines(f"a cat sits {at} {name if at % 3 == 0 else 'there'}\n" for at in range(size))
        command = [sys.executable, "-c", code, *line, "-s", "s", "-c", "c", "-o", "out", "-q", "-j", "1"]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=200, check=True)
        peaks.append(int(done.stdout))
    assert peaks[1] - peaks[0] < 12 * 1024, peaks  # KiB; the rows alone are more
