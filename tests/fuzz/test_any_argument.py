"""Whatever metrics, functions and commands are given: it works, or it is an error for people, and soon."""

from __future__ import annotations

import contextlib
import dataclasses
import inspect
import io
import math
import os
import shutil
import sys
import warnings
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import geceval
from geceval import m2
from geceval.agreement.study import StudyOptions
from geceval.commands.command_list import SUMMARIES
from geceval.counting.metric_classes import METRICS, setting_types
from geceval.counting.signature import signature_of
from geceval.dropins import DROPINS
from geceval.edits.corpus_edits import Extraction, hypothesis_edits, reference_edits
from geceval.extending import Counts, InputFile, Wanted, attribute, examine, length_bands, verify_suite
from support.command_lines import RUNS
from support.commands import run_main
from support.effort import examples
from support.examples import EXAMPLES
from support.instances import instances

SOURCE = ["He go home .", "She have a cats ."]
REFERENCES = [["He goes home .", "She has a cat ."], ["He went home .", "She has cats ."]]
SYSTEM = ["He goes home .", "She has a cats ."]
GOLD = [m2.Block(SOURCE[0], (m2.Edit(1, 2, "R:VERB", ("goes",)),)), m2.Block(SOURCE[1])]
CORPUS = geceval.Corpus(SOURCE, REFERENCES, {"it": SYSTEM}, GOLD)

#: No run may take longer; of threads there are not more than the machine has use for.
bounded = settings(suppress_health_check=list(HealthCheck), max_examples=examples(40))


class Awkward:
    """Nothing that is done with it succeeds."""

    def __repr__(self) -> str:
        raise RuntimeError("no")

    def __eq__(self, other: object) -> bool:
        raise RuntimeError("no")

    __hash__ = None  # type: ignore[assignment]


whole_numbers = st.sampled_from(
    [0, 1, 2, 3, -1, 17, 101, 1025, 2**31 - 1, 2**31, 2**32 - 1, 2**32, 2**63 - 1, 2**63, 2**64, 10**23, 10**400]
)
fractions = st.sampled_from([0.0, 0.5, -0.5, 1.5, 1e-320, 1e150, 1e155, 1e300, math.inf, -math.inf, math.nan])
strings = st.sampled_from(
    ["", "a b", "3", "word", "nan", "é\ud800", "x\0y", "-", "error", "best", "builtin", "spacy:no"]
)
odd = st.sampled_from(
    [None, True, False, b"a", [], [1], ["a"], {}, {"a": 1}, {1}, (), ("a", None), range(2), object(), int, Awkward()]
)
arrays = st.sampled_from(
    [*map(np.array, ("a", ["a", "b"], [["a", "b"]], [1.5])), np.int64(3), np.float32(2), np.bool_(1)]
)
anything: st.SearchStrategy[Any] = st.one_of(whole_numbers, fractions, strings, odd, arrays)

#: Makers, since a generator or an open file can be gone through only once.
lines: st.SearchStrategy[Any] = st.sampled_from(
    [
        lambda: SOURCE, lambda: tuple(SYSTEM), lambda: iter(SYSTEM), lambda: map(str, SOURCE), lambda: set(SOURCE),
        lambda: np.array(SYSTEM), lambda: np.array([SYSTEM]), lambda: np.array("a b"), lambda: dict.fromkeys(SOURCE),
        lambda: io.StringIO("a\nb\n"), lambda: [None, "a"], lambda: ["a", 3], lambda: ["a", "\udcff"], lambda: GOLD,
        lambda: iter(GOLD), lambda: [GOLD[0], "a"], lambda: m2.Blocks.of(GOLD), lambda: [b"a", b"b"], lambda: [[], []],
    ]
)  # fmt: skip
given_lines = st.one_of(lines, anything.map(lambda value: lambda: value))


def survives(call: Callable[[], Any]) -> None:
    """It works, or raises an error for people."""
    with warnings.catch_warnings(), contextlib.suppress(geceval.GecevalError):
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", geceval.GecevalWarning)
        call()


@pytest.mark.parametrize("name", METRICS.builtin)
@bounded
@given(st.data())
def test_settings(name: str, data: st.DataObject) -> None:
    settings = data.draw(
        st.dictionaries(st.sampled_from(sorted(setting_types(name))), anything, min_size=1, max_size=2)
    )

    def score() -> None:
        metric = geceval.make_metric(name, **settings)
        if name in ("ptm2", "pterrant") or metric.settings.get("weights") == "similarity":
            return  # an encoder would be downloaded
        signature_of(metric, 2)
        metric.corpus_score(SOURCE, SYSTEM, REFERENCES, gold=GOLD)
        metric.mean_score(SOURCE, SYSTEM, REFERENCES, gold=GOLD)

    survives(score)


@pytest.mark.parametrize("name", instances())
@bounded
@given(source=given_lines, hypothesis=given_lines, references=st.lists(given_lines, max_size=2), gold=given_lines)
def test_texts(name: str, source: Any, hypothesis: Any, references: list[Any], gold: Any) -> None:
    metric = instances()[name]
    survives(lambda: metric.corpus_score(source(), SYSTEM, REFERENCES, gold=GOLD))
    survives(lambda: metric.corpus_score(SOURCE, hypothesis(), REFERENCES, gold=GOLD))
    survives(lambda: metric.corpus_score(SOURCE, SYSTEM, [make() for make in references]))
    survives(lambda: metric.corpus_score(SOURCE, SYSTEM, source()))
    survives(lambda: metric.sentence_scores(SOURCE, SYSTEM, gold=gold()))
    survives(lambda: metric.counts(source(), hypothesis(), [make() for make in references], gold=gold()))


@bounded
@given(st.data())
def test_evaluate(data: st.DataObject) -> None:
    """Each argument in turn is anything at all."""
    value = data.draw(anything)
    green, groupings = [geceval.Green()], [geceval.BySentence(length_bands), geceval.ByType()]
    survives(lambda: geceval.evaluate(value, green))
    survives(lambda: geceval.evaluate(CORPUS, value))
    survives(lambda: geceval.evaluate(CORPUS, [value]))
    for name in ("views", "threads", "block", "progress"):
        survives(lambda name=name: geceval.evaluate(CORPUS, green, **{name: value}))
        survives(lambda name=name: geceval.evaluate_groups(CORPUS, green, groupings[0], **{name: value}))
    survives(lambda: geceval.evaluate_groups(CORPUS, green, value))
    survives(lambda: geceval.evaluate_groups(CORPUS, value, groupings[1]))
    survives(lambda: geceval.ByType(value))
    for name in ("source", "references", "systems", "gold", "missing", "labels"):
        arguments = {"source": SOURCE, "references": REFERENCES, "systems": {"it": SYSTEM}, name: value}
        survives(lambda arguments=arguments: geceval.evaluate(geceval.Corpus(**arguments), green))
    survives(lambda: geceval.make_metric(value))
    survives(lambda: geceval.make_metric("green", n=value, unit=value))
    for name in ("measure", "aggregation", "ties", "resamples", "seed", "threads"):
        survives(lambda name=name: StudyOptions(**{name: value}))


@bounded
@given(value=anything)
def test_explaining(value: Any) -> None:
    """Each argument in turn is anything at all."""
    errant, line, system, reference = geceval.Errant(), SOURCE[0], SYSTEM[0], REFERENCES[1][0]
    survives(lambda: examine(value, [errant]))
    survives(lambda: examine(CORPUS, value))
    survives(lambda: examine(CORPUS, [errant], value))
    survives(lambda: examine(CORPUS, [errant], [value]))
    for name in ("annotator", "threads", "progress"):
        survives(lambda name=name: examine(CORPUS, [geceval.Green()], [1], **{name: value}))
    for field in dataclasses.fields(Wanted):
        survives(lambda name=field.name: examine(CORPUS, [errant], Wanted(**{name: value})))
    texts = {"source": line, "hypothesis": system, "references": [reference], "metrics": [errant]}
    for name in (*texts, "gold", "annotator", "method", "exact", "orders", "seed", "threads"):
        survives(lambda name=name: geceval.explain(**texts | {name: value}))
    del texts["metrics"]
    for name in ("metric", *texts, "gold", "annotator", "method", "exact", "orders", "seed", "threads"):
        survives(lambda name=name: attribute(**{"metric": errant} | texts | {name: value}))


@bounded
@given(value=anything, second=anything)
def test_files(value: Any, second: Any) -> None:
    folder = EXAMPLES
    source, reference, system = (str(folder / name) for name in ("source.txt", "ref0.txt", "systems/eager.txt"))
    if any(isinstance(argument, (str, int)) and argument in ("-", 0) for argument in (value, second)):
        return  # standard input
    survives(lambda: geceval.read_corpus(value, [reference], [system]))
    survives(lambda: geceval.read_corpus(source, value, [system]))
    survives(lambda: geceval.read_corpus(source, [reference], [value]))
    survives(lambda: geceval.read_corpus(source, [reference], value, second))
    survives(lambda: geceval.read_corpus(source, [reference], [system], missing=value, labels=None))
    survives(lambda: geceval.read_corpus(source, [reference], [system], labels=value))
    survives(lambda: list(m2.read(value)))
    survives(lambda: m2.check(value))
    survives(lambda: list(m2.read_json_lines(value)))
    survives(lambda: m2.Blocks.read(value))


@bounded
@given(value=anything, second=anything)
def test_studies(value: Any, second: Any) -> None:
    """Each argument in turn is anything at all."""
    green, corpus = [geceval.Green()], geceval.Corpus(SOURCE, REFERENCES, {"it": SYSTEM, "other": SOURCE})
    for study in (geceval.compare, geceval.intervals, geceval.rank, geceval.power):
        survives(lambda study=study: study(value, green))
        survives(lambda study=study: study(corpus, value, samples=5))
        survives(lambda study=study: study(corpus, green, samples=5, blocks=value))
    survives(lambda: geceval.power(corpus, green, samples=5, pair=value))
    survives(lambda: geceval.check(value))
    survives(lambda: geceval.check(corpus, value))
    survives(lambda: length_bands(value))
    for extracted in (reference_edits, partial(hypothesis_edits, hypothesis=SYSTEM)):
        survives(lambda extracted=extracted: extracted(value, extraction=Extraction()))
        survives(lambda extracted=extracted: extracted(corpus, extraction=value))
    survives(lambda: hypothesis_edits(corpus, value, Extraction()))
    survives(lambda: green[0].counts(SOURCE, SYSTEM, REFERENCES, evidence=value))
    survives(lambda: Counts(value, second))
    survives(lambda: Counts(np.zeros((1, 1, 1)), value))
    survives(lambda: geceval.tokenise(value, "english"))
    survives(lambda: geceval.tokenise("a b", value))
    survives(lambda: InputFile(value))
    survives(lambda: list(corpus.parts(value)))
    survives(lambda: corpus.part(value, second))
    survives(lambda: corpus.take(value))
    survives(lambda: corpus.take([value]))
    survives(lambda: corpus.adding("new", value))
    survives(lambda: list(m2.vote(value, 2)))
    survives(lambda: list(m2.vote([value, GOLD], 2)))
    survives(lambda: list(m2.vote([GOLD, GOLD], value)))


@bounded
@given(value=anything)
def test_suites(value: Any) -> None:
    """Each argument in turn is anything at all."""
    bench = str(EXAMPLES / "bench.toml")
    survives(lambda: geceval.read_suite(value))
    survives(lambda: verify_suite(value))
    for name in ("outputs", "data", "metrics", "samples", "seed", "alpha", "resamples", "threads", "progress"):
        arguments = {"samples": 5, name: value}
        survives(lambda arguments=arguments: geceval.evaluate_suite(bench, checks=False, **arguments))


@bounded
@given(value=anything, second=anything)
def test_m2(value: Any, second: Any) -> None:
    out = io.StringIO()
    survives(lambda: m2.references(value, second))
    survives(lambda: m2.references(GOLD, value))
    survives(lambda: m2.annotators(value))
    survives(lambda: list(m2.fitting(value, second)))
    survives(lambda: list(m2.fitting(GOLD, value)))
    survives(lambda: m2.apply(value, second))
    survives(lambda: m2.apply(GOLD[0], value))
    survives(lambda: list(m2.merge(value, second)))
    survives(lambda: list(m2.merge([GOLD, value], [(0,), (0,)])))
    survives(lambda: list(m2.merge([GOLD], [value])))
    survives(lambda: m2.write(value, out))
    survives(lambda: m2.write(GOLD, value))
    for option in list(inspect.signature(m2.filter).parameters)[1:]:
        survives(lambda option=option: list(m2.filter(GOLD, **{"types": ["R"]} | {option: value})))
    survives(lambda: list(m2.filter(value, types=["R"])))
    survives(lambda: m2.split_by_annotator(value))
    survives(lambda: m2.diff(value, second))
    survives(lambda: m2.diff(GOLD, GOLD, value))
    survives(lambda: m2.diff(GOLD, GOLD, (value, second)))
    survives(lambda: m2.stats(value))
    survives(lambda: m2.write_json_lines(value, out))
    survives(lambda: m2.write_json_lines(GOLD, value))
    survives(lambda: m2.Blocks.of(value))


@bounded
@given(st.data())
def test_scoring(data: st.DataObject) -> None:
    """What scores again and again, and frames."""
    value, green = data.draw(anything), geceval.Green()
    scorer: dict[str, Any] = {"metrics": ["green"], "source": SOURCE, "references": REFERENCES, "gold": GOLD}
    for name in (*scorer, "per_sentence", "threads"):
        survives(lambda name=name: geceval.Scorer(**scorer | {name: value}))
    for method in ("score", "sentence_scores", "counts"):
        survives(lambda method=method: getattr(geceval.Scorer(**scorer), method)(value))
    survives(lambda: geceval.Scorer(**scorer).score(SYSTEM, value))
    sentence: dict[str, Any] = {"source": SOURCE[0], "hypothesis": SYSTEM[0], "references": ["a"], "gold": GOLD[0]}
    for name in sentence:
        survives(lambda name=name: green.sentence_score(**sentence | {name: value}))
    choice: dict[str, Any] = {"candidates": [SYSTEM, SYSTEM], "metric": "green", "source": SOURCE}
    for name in (*choice, "weights", "threads"):
        survives(lambda name=name: geceval.mbr(**choice | {name: value}))
    for name in (*choice, "per_sentence", "threads"):
        survives(lambda name=name: geceval.rerank(**choice | {"per_sentence": REFERENCES} | {name: value}))
    table: dict[str, Any] = {"hypotheses": {"a": SOURCE, "b": SYSTEM}, "source": "a", "hypothesis": "b"}
    for name in (*table, "metrics", "references", "per_sentence"):
        survives(lambda name=name: geceval.score(**table | {"references": ["b"]} | {name: value}))
    for name in ("metric", "source", "references", "extract", "malformed", "threads"):
        survives(lambda name=name: geceval.rewards(**{name: value}))
    reward = geceval.rewards("errant")
    rewarded = reward(completions=[value, "a"], source=["a", value], references=[["a"], ["a"]])
    assert len(rewarded) == 2


@bounded
@given(st.data())
def test_edits_made_by_hand(data: st.DataObject) -> None:
    names = ("start", "end", "type", "corrections", "required", "comment", "annotator", "line")
    fields: dict[str, Any] = {"start": 1, "end": 2, "type": "R:VERB", "corrections": ("goes",)}
    fields |= data.draw(st.dictionaries(st.sampled_from(names), anything, min_size=1, max_size=2))
    block = data.draw(
        st.dictionaries(st.sampled_from(["source", "notes", "ended", "path", "line"]), anything, max_size=1)
    )

    def use() -> None:
        edit = m2.Edit(**fields)
        assert (edit.correction, edit.alternatives, edit.is_noop) is not None
        gold_block = m2.Block(**{"source": SOURCE[0], "edits": (edit, m2.noop(1))} | block)
        for metric in (geceval.MaxMatch(), geceval.Errant(), geceval.Green()):
            survives(lambda metric=metric: metric.corpus_score([gold_block.source], ["a"], gold=[gold_block]))
        with Path(os.devnull).open("w", encoding="utf-8") as out:
            m2.write([gold_block], out)
        gold_block.tokens, gold_block.annotators, m2.ordered(gold_block, 0)

    survives(use)


# --- commands ---

texts = st.one_of(
    st.sampled_from(
        ["", "-", "x", "ERRANT", "0", "1", "-1", "27", "1e155", "inf", "nan", "1e19", "9" * 5000, "1" + "0" * 23]
    ),
    st.sampled_from([str(2**k + d) for k in (31, 32, 63, 64) for d in (-1, 0, 1)]),
    st.sampled_from(["source.txt", "gold.m2", "systems", "judgments.xml", "no such file", "x" * 300, "é\udcff"]),
    st.sampled_from(["green", "gleu:n=0", "maxmatch:timeout=1e300", "cleme:x0=-1", "green:unit", ",", "green,=", "m2"]),
)

#: Options that would leave files behind, take long by what they are for, or need an encoder.
LEFT_OUT = set("-o --output -out --record --summary --human --samples".split())


def options_of(command: str) -> list[str]:
    """Return the options in the help of a command."""
    flag = "--help" if command in DROPINS else "--help-all"
    words = run_main(*command.split(), flag).out.replace(",", " ").replace("[", " ").replace("]", " ").split()
    return sorted({word for word in words if word.startswith("-") and len(word) > 1} - LEFT_OUT)


@pytest.mark.parametrize("command", [*SUMMARIES, *DROPINS])
def test_commands(command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(shutil.copytree(EXAMPLES, tmp_path / "examples"))  # some arguments are names of output files
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BufferedReader(io.BytesIO())))
    has_actions = command in ("m2", "language")
    known = {run[0]: options_of(f"{command} {run[0]}" if has_actions else command) for run in RUNS[command]}

    @settings(bounded, max_examples=examples(25))  # each is a whole run of the command
    @given(st.data())
    def attempt(data: st.DataObject) -> None:
        run = data.draw(st.sampled_from(RUNS[command]))
        option = st.sampled_from([*known[run[0]], "--no-such-option", "-Z"])
        added = data.draw(st.lists(st.tuples(option, st.lists(texts, max_size=2)), min_size=1, max_size=2))
        arguments = [*run, *(word for name, values in added for word in (name, *values))]
        result = run_main(command, *arguments)
        status, err = result.status, result.err
        if status == 1 and (command == "gate" or (command, run[0]) == ("m2", "diff")):
            return  # a bar is missed, or files differ
        assert status in (0, 2), (arguments, status, err)
        assert "Traceback" not in err
        assert status == 0 or "error: " in err or (command, run[0]) == ("m2", "check"), (arguments, err)

    attempt()


def test_every_command_is_tried() -> None:
    assert set(RUNS) == {*SUMMARIES, *DROPINS}
