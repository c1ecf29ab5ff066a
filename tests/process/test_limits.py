"""Time and memory for input that is chosen to be hard: no faster growth than the input; and results of other seeds."""

from __future__ import annotations

import itertools
import json
import os
import random
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import pytest

import geceval
from support.command_lines import RUNS
from support.commands import run_main
from support.examples import EXAMPLES
from support.pages import ROOT

MASK = (1 << 64) - 1
#: Letters of random tokens.
LETTERS = "abcdefghijklmnopqrstuvwxyz"


def mixed(state: int, word: bytes) -> int:
    """The step that the kernel's hash of a token had for each 8 bytes before it had a seed."""
    rotated = (state << 23 | state >> 41) & MASK
    product = (rotated ^ int.from_bytes(word, "little")) * 0x9E3779B97F4A7C15 & MASK
    return product ^ product >> 31


def colliding_tokens(bits: int) -> list[str]:
    """Return 2^bits tokens with the same hash without a seed.

    Each choice between two pieces of 16 bytes leads to the same state: the second half cancels the first.
    """
    draws, state, choices = random.Random(1), 16 * bits, []
    for _ in range(bits):
        pieces: list[bytes] = []
        while len(pieces) < 2:
            first = "".join(draws.choices(LETTERS, k=8)).encode()
            after = mixed(state, first)
            cancelling = ((after << 23 | after >> 41) & MASK ^ 0x4D4D4D4D4D4D4D4D).to_bytes(8, "little")
            if all(33 <= byte < 127 for byte in cancelling):
                pieces.append(first + cancelling)
        choices.append(pieces)
        [state] = {mixed(mixed(state, piece[:8]), piece[8:]) for piece in pieces}
    return [b"".join(pieces).decode() for pieces in itertools.product(*choices)]


#: The first two words of 8 bytes of a token whose third cancels the state of rustc-hash 2, which has no seed.
FX = (0x243F6A8885A308D3, 0xA4093822299F31D0)


def fx_colliding_tokens(number: int) -> list[str]:
    """Return tokens of 48 bytes with the same hash under rustc-hash 2."""
    draws = random.Random(1)
    while True:
        words = ["".join(draws.choices(LETTERS, k=8)) for _ in FX]
        first, second = (int.from_bytes(word.encode(), "little") ^ key for word, key in zip(words, FX, strict=True))
        cancelling = ((first * second & MASK) ^ (first * second >> 64)).to_bytes(8, "little")
        if all(33 <= byte < 127 for byte in cancelling):
            return [f"{''.join(words)}{n:016}{cancelling.decode()}zzzzzzzz" for n in range(number)]


#: Hash without a seed -> a function that returns tokens that collide in it.
COLLIDING = {"ngrams": lambda: colliding_tokens(12), "rustc": lambda: fx_colliding_tokens(1 << 12)}
METRIC_NAMES = ["green", "gleu", "errant", "maxmatch", "cleme", "cleme2", "goto", "spans", "net-benefit"]


def line_of(tokens: Sequence[str], start: int) -> str:
    return " ".join([*tokens[start:], *tokens[:start]])


def write_files(tokens: Sequence[str], folder: Path) -> None:
    """Write a source of one token a line, a system with the next token, both in one line, and gold edits."""
    (folder / "source.txt").write_text("".join(f"{token}\n" for token in tokens))
    (folder / "system.txt").write_text("".join(f"{token}\n" for token in (*tokens[1:], tokens[0])))
    edits = (f"A 0 1|||R:X|||{token}|||REQUIRED|||-NONE-|||0\n\n" for token in (*tokens[2:], *tokens[:2]))
    (folder / "gold.m2").write_text("".join(f"S {token}\n{edit}" for token, edit in zip(tokens, edits, strict=True)))
    (folder / "source_line.txt").write_text(f"{line_of(tokens, 0)}\n")
    (folder / "system_line.txt").write_text(f"{line_of(tokens, 1)}\n")


#: Commands on the written files.
HASHING: dict[str, list[str]] = {
    **{name: ["score", "--gold", "gold.m2", "-c", "system.txt", "-m", name] for name in METRIC_NAMES},
    **{
        f"{name} in a line": [
            "score",
            "-s",
            "source_line.txt",
            "-r",
            "system_line.txt",
            "-c",
            "system_line.txt",
            "-m",
            name,
        ]
        for name in ("green", "gleu", "errant", "cleme")
    },
    "m2 check": ["m2", "check", "gold.m2"],
    "m2 stats": ["m2", "stats", "gold.m2"],
    "prepare --align": ["prepare", "system.txt", "--align", "source.txt"],
    "annotate": ["annotate", "-s", "source.txt", "-c", "system.txt"],
}


def processor_time(call: Callable[[], object]) -> float:
    start = time.process_time()
    call()
    return time.process_time() - start


@pytest.mark.parametrize("name", COLLIDING)
@pytest.mark.parametrize("command", HASHING)
def test_tokens_with_equal_hashes_take_as_long_as_random_ones(
    command: str, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    colliding = COLLIDING[name]()
    shuffled = ["".join(random.Random(token).sample(token, len(token))) for token in colliding]
    assert len(set(colliding)) == len(shuffled) == len(set(shuffled))
    times = []
    for kind, tokens in (("colliding", colliding), ("random", shuffled)):
        folder = tmp_path / kind
        folder.mkdir()
        write_files(tokens, folder)
        monkeypatch.chdir(folder)
        times.append(min(processor_time(lambda: run_main(*HASHING[command])) for _ in range(2)))
    # The goal is twice as long; the rest is the noise of a busy machine.
    assert times[0] < 4 * times[1]


#: A pair, and one several times as large, whose time may grow by the factor; the tokens are distinct.
SHAPES: dict[str, Callable[[int], tuple[str, str]]] = {
    "many deleted": lambda n: (words_of(n), "x0 x1 x2 x3"),
    "many inserted": lambda n: ("x0 x1 x2 x3", words_of(n)),
    "one token": lambda n: ("a " * n, "b c d e"),
    "runs of all kinds": lambda n: (words_of(n), " ".join(f"x{word}" for word in range(40))),
}


def words_of(number: int) -> str:
    return " ".join(f"w{word}" for word in range(number))


@pytest.mark.parametrize("shape", SHAPES)
def test_time_of_a_run_of_edits_grows_with_its_length(shape: str) -> None:
    def measure(number: int) -> float:
        source, target = SHAPES[shape](number)
        metric = geceval.Errant()
        calls = (partial(metric.corpus_score, [source], [target], [[f"{target} {at}"]]) for at in range(3))
        return min(map(processor_time, calls))

    measure(100)
    assert measure(32_000) < 4 * 8 * measure(4_000)  # 64 times if it were quadratic


@pytest.mark.parametrize("metric", [name for name in METRIC_NAMES if name not in ("green", "gleu")])
def test_time_of_annotators_of_a_sentence_grows_with_their_number(metric: str, tmp_path: Path) -> None:
    def score_again(number: int) -> float:
        lines = "".join(f"A {n % 4} {n % 4 + 1}|||R:X|||x{n}|||REQUIRED|||-NONE-|||{n}\n" for n in range(number))
        gold, system = tmp_path / "gold.m2", tmp_path / "system.txt"
        gold.write_text(f"S a b c d\n{lines}\n")
        system.write_text("a b e d\n")
        command = ["score", "--gold", str(gold), "-c", str(system), "-m", metric]
        return min(processor_time(lambda: run_main(*command)) for _ in range(2))

    score_again(200)
    assert score_again(16_000) < 4 * 8 * score_again(2_000)  # 64 times if it were quadratic


SYSTEMS = ["-c", "systems/careful.txt", "systems/eager.txt", "systems/noisy.txt"]
FROM_TEXT = ["-s", "source.txt", "-r", "ref0.txt", "ref1.txt", *SYSTEMS]
METRICS = ["-m", "green", "gleu", "errant", "cleme", "cleme2", "goto"]
#: Commands in examples/ whose output is computed with tables of words, edits and n-grams.
LINES = [
    ["score", *FROM_TEXT, *METRICS, "--parts", "-f", "json"],
    ["score", "--gold", "gold.m2", *SYSTEMS, "-m", "errant", "maxmatch", "goto", "--parts", "-f", "json"],
    ["show", *FROM_TEXT, *METRICS, "--all", "-f", "json"],
    ["show", "--gold", "gold.m2", *SYSTEMS, "-m", "errant", "maxmatch", "--all", "-f", "json"],
    ["explain", *FROM_TEXT, *METRICS, "--sentence", "3"],
    ["prepare", "outputs/chatty.txt", "--clean", "llm", "--align", "source.txt"],
    *([command, *words] for command in ("annotate", "m2") for words in RUNS[command]),
]
RESULTS = """
import json, os, sys
import geceval
from support.commands import run_main
source = ["He go to a home .", "She have a cats and dog .", ""]
references = [["He goes home .", "She has cats and a dog .", ""], ["He went home .", "She has a cat and dogs .", "x"]]
systems = {"a": ["He goes to home .", "She has a cats and dogs .", "y"], "b": references[1]}
def results():
    corpus = geceval.Corpus(source, references, systems)
    metrics = [geceval.Green(), geceval.Green(unit="char"), geceval.Gleu(), geceval.Errant()]
    counts = [metric.count(metric.prepare(corpus), corpus.systems["a"], 1, evidence=True) for metric in metrics]
    outputs = [run_main(*line) for line in json.loads(sys.argv[1])]
    return [geceval.evaluate(corpus, metrics), *((each.array.tolist(), each.evidence) for each in counts), outputs]
print(repr(results()).replace(chr(10), " "), flush=True)
if hasattr(os, "fork"):
    child = os.fork()
    if not child:
        print(repr(results()).replace(chr(10), " "), flush=True)
        os._exit(0)
    os.waitpid(child, 0)
"""


def results_with_seed(seed: int) -> list[str]:
    """Return the results of a process, and of its fork; the kernel takes another random seed in each process."""
    environment = {**os.environ, "PYTHONHASHSEED": str(seed), "PYTHONPATH": str(ROOT / "tests")}
    command = [sys.executable, "-c", RESULTS, json.dumps(LINES)]
    process = subprocess.run(
        command, capture_output=True, text=True, check=True, timeout=60, cwd=EXAMPLES, env=environment
    )
    return process.stdout.splitlines()


def test_results_in_other_processes_and_after_a_fork_are_the_same() -> None:
    results = [result for seed in range(3) for result in results_with_seed(seed)]
    assert len(results) == (6 if hasattr(os, "fork") else 3)
    assert len(set(results)) == 1
    assert "evidence" in results[0].lower()
    assert "status=2" not in results[0]


def run_with_memory(code: str, megabytes: int) -> str:
    """Run code that may use this much address space more than it has after its imports."""
    limit = f"""
import resource, threading
import numpy, geceval
from geceval import _kernel
numpy.ones((9, 9)) @ numpy.ones((9, 9))
pages = int(open("/proc/self/statm").read().split()[0])
most = pages * resource.getpagesize() + ({megabytes} << 20)
resource.setrlimit(resource.RLIMIT_AS, (most, most))
"""
    process = subprocess.run([sys.executable, "-c", limit + code], capture_output=True, text=True, timeout=120)
    assert process.returncode == 0, process.stderr[-2000:]
    return process.stdout


needs_limits = pytest.mark.skipif(sys.platform != "linux", reason="needs limits of address space")

REFERENCES_OF_EIGHT_WORDS = """
line = lambda number: " ".join(f"w{{number * (word * word + 1) % 7919}}" for word in range(8))
references = [[f"r{{number}} {{line(number)}}"] for number in range(20_000)]
corpus = geceval.Corpus([line(3)], references, {{"a": [line(5)]}})
print(geceval.evaluate(corpus, [{metric}])["a"][0].score().value)
"""


@needs_limits
@pytest.mark.parametrize("metric", ["geceval.Green()", "geceval.Gleu()"])
def test_twenty_thousand_short_references_fit_in_300_megabytes(metric: str) -> None:
    assert 0 <= float(run_with_memory(REFERENCES_OF_EIGHT_WORDS.format(metric=metric), 300)) <= 1


WIDE = """
import json
from geceval.app.main import main
annotators, sentences = 30_000, 2_000
def edits(number): return "".join(f"A 1 2|||R:X|||is|||REQUIRED|||-NONE-|||{{who}}\\n" for who in range(number))
sources, outputs = ([f"a {{verb}} b {{n}}\\n" for n in range(sentences)] for verb in ("are", "is"))
with open("gold.m2", "w") as gold, open("source.txt", "w") as source, open("output.txt", "w") as output:
    gold.writelines(f"S {{line}}{{edits(annotators if n == 0 else 1)}}\\n" for n, line in enumerate(sources))
    source.writelines(sources)
    output.writelines(outputs)
with open("rows.jsonl", "w") as rows:
    for n, (source, output) in enumerate(zip(sources, outputs)):
        references = [f"{{output.strip()}} {{k}}" for k in range(annotators // 3)] if n == 0 else [output.strip()]
        row = {{"source": source.strip(), "hypothesis": output.strip(), "references": references}}
        rows.write(json.dumps(row) + "\\n")
assert main("score {arguments} -f json -q".split()) == 0
"""


@needs_limits
@pytest.mark.parametrize(
    ("arguments", "results"),
    [
        ("--gold gold.m2 -c output.txt -m errant maxmatch cleme spans net-benefit goto", 6),
        ("-i rows.jsonl -m green errant cleme", 3),
    ],
)
def test_a_sentence_with_many_versions_does_not_widen_the_others(
    arguments: str, results: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert len(json.loads(run_with_memory(WIDE.format(arguments=arguments), 600))["results"]) == results


CHECK_TWICE = """
import resource
from support.commands import run_main
block = "S a b c d\\n" + "A 2 3|||R:X|||x|||REQUIRED|||-NONE-|||0\\nA 1 {end}|||R:X|||y|||REQUIRED|||-NONE-|||0\\n\\n"
for sentences in (40_000, 160_000):
    with open("file.m2", "w") as file:
        file.writelines(block for _ in range(sentences))
    run_main("m2", "check", "file.m2", "-o", "faults.txt")
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


@needs_limits
@pytest.mark.parametrize("end", [2, 9], ids=["edits out of order", "edits outside"])
def test_memory_of_m2_check_does_not_grow_with_sentences_and_faults(end: int, tmp_path: Path) -> None:
    code = CHECK_TWICE.format(end=end)
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "tests")}
    command = [sys.executable, "-c", code]
    process = subprocess.run(
        command, capture_output=True, text=True, check=True, timeout=120, cwd=tmp_path, env=environment
    )
    first, second = map(int, process.stdout.split())
    assert second - first < 20_000  # kilobytes: 170 bytes for each of the 120,000 additional sentences


#: One sentence with this number of references without a common word, and an empty one before it.
MANY_REFERENCES = """
line = lambda number: " ".join(f"w{{number * (word * word + 1) % 7919}}" for word in range(25))
references = [["", line(number)] for number in range({references})]
source, systems = ["", line(3)], {{name: ["", line(4000 + at)] for at, name in enumerate({systems!r})}}
corpus = geceval.Corpus(source, references, systems)
metric = {metric}
print(geceval.evaluate(corpus, [metric])["a"][0].score().value)
"""


@needs_limits
@pytest.mark.parametrize("metric", ["geceval.Green()", "geceval.Green(unit='char')", "geceval.Gleu()"])
@pytest.mark.parametrize("systems", ["a", "ab"])
def test_thousands_of_references_of_a_sentence_take_little_memory(metric: str, systems: str) -> None:
    code = MANY_REFERENCES.format(references=2000, systems=systems, metric=metric)
    assert 0 <= float(run_with_memory(code, 400)) <= 1


@needs_limits
def test_evidence_of_thousands_of_references_takes_little_memory() -> None:
    code = MANY_REFERENCES.format(references=2000, systems="a", metric="geceval.Green()")
    code += "counts = metric.count(metric.prepare(corpus), corpus.systems['a'], 1, evidence=True)\n"
    code += "print(counts.evidence.weight.sum() == counts.array.sum())"
    assert run_with_memory(code, 400).split()[1] == "True"


@needs_limits
def test_ngrams_beyond_the_memory_are_an_error_that_names_the_sentence() -> None:
    code = """
source, reference, hypothesis = (" ".join(f"w{number}" for number in range(first, 1 << 20, 3)) for first in range(3))
try:
    geceval.Green(n=8).corpus_score(["a", source], ["a", hypothesis], [["a", reference]])
except geceval.GecevalError as error:
    print(error)
"""
    message = run_with_memory(code, 150)
    assert message.startswith("sentence 2, of 1048576 tokens in all versions (1 references), with n 8")
    assert "do not fit in memory" in message
    assert "hint: more memory, fewer references or a smaller n" in message


@needs_limits
def test_lines_of_many_characters_are_compared_in_little_memory() -> None:
    code = """
lines = [_kernel.Text(["".join(map(chr, range(start, start + 50_000)))]) for start in (0x20000, 0x20001)]
print(_kernel.indel_distances(*lines, 1).tolist())
"""
    assert run_with_memory(code, 100) == "[2]\n"


@needs_limits
def test_counts_beyond_the_memory_are_a_memory_error() -> None:
    code = """
counts = numpy.broadcast_to(numpy.zeros(1, numpy.int32), (9, 10_000_000, 7))
gold = _kernel.Edits([[(annotator, []) for annotator in range(100_000)], *[[(0, [])]] * 200])
text = _kernel.Text(["a"] * 201)
match = lambda: _kernel.match_gold(text, gold, text, (2, False, None), 0, False)
for count in (lambda: _kernel.best_regions(counts, None, 2.0), match):
    try:
        count()
    except MemoryError as error:
        print(error)
"""
    assert run_with_memory(code, 300).splitlines()[1:] == ["the counts do not fit into memory"]
