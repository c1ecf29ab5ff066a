"""PT-M², PT-ERRANT and CLEME2.0's similarity weights with a tiny encoder: what follows from their definitions."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest

from geceval import evaluate
from geceval.app.main import main
from geceval.base.errors import InputError, UsageError
from geceval.counting.signature import signature_of
from geceval.m2 import Block, Edit, noop
from geceval.metrics.cleme2 import Cleme2
from geceval.metrics.neural.bertscore import BertScorer
from geceval.metrics.neural.networks import Encoder
from geceval.metrics.ptm2 import PtErrant, PtM2, _match_in_order
from geceval.text.corpus import Corpus
from support.examples import EXAMPLES
from support.tiny_bert import tiny_bert as make_tiny_bert


def edit(start: int, end: int, correction: str, annotator: int = 0, type_: str = "X") -> Edit:
    return Edit(start, end, type_, (correction,), annotator=annotator)


SOURCE = ["he go home .", "the cat sit", "a b"]
GOLD = [
    Block(SOURCE[0], (edit(1, 2, "goes"), edit(1, 3, "went away", 1))),
    Block(SOURCE[1], (edit(2, 3, "sits"), noop(1))),
    Block(SOURCE[2], (noop(0), noop(1))),
]
HYPOTHESIS = [Block(SOURCE[0], (edit(1, 2, "goes"),)), Block(SOURCE[1], (edit(0, 1, "a"),)), Block(SOURCE[2])]
TEXT = ["he goes home .", "a cat sit", "a b"]


@pytest.fixture(params=["m2", "errant"])
def ptm2(request: pytest.FixtureRequest, tiny_bert: str) -> PtM2:
    return PtM2(model=tiny_bert, layer=2, base=request.param)


def test_weights_are_changes_of_bertscore(ptm2: PtM2, tiny_bert: str) -> None:
    counts = ptm2.counts(SOURCE, HYPOTHESIS, gold=GOLD)
    scorer = BertScorer(Encoder(tiny_bert, 2, batch=1))

    def gain(source: str, edited: str, reference: str) -> float:
        (_, _, before), (_, _, after) = scorer.scores([(source, reference), (edited, reference)])
        return abs(after - before)

    goes = gain(SOURCE[0], "he goes home .", "he goes home .")
    assert counts.array[0, 0] == pytest.approx([goes, goes, goes, 1, 1, 1], abs=1e-5)
    away = [gain(SOURCE[0], text, "he went away .") for text in ("he goes home .", "he went away .")]
    assert counts.array[0, 1] == pytest.approx([0, away[0], away[1], 0, 1, 1], abs=1e-5)
    the, sits = (gain(SOURCE[1], text, "the cat sits") for text in ("a cat sit", "the cat sits"))
    assert counts.array[1, 0] == pytest.approx([0, the, sits, 0, 1, 1], abs=1e-5)
    assert not counts.array[2].any()


def test_evidence_sums_to_counts(ptm2: PtM2, tiny_bert: str) -> None:
    rescaled = {"model": tiny_bert, "layer": 2, "baseline": "0.5"}
    for metric in (ptm2, PtM2(base=ptm2.base, **rescaled), PtErrant(**rescaled)):
        prepared = metric.prepare(Corpus(SOURCE, (), {}, GOLD))
        hypothesis = HYPOTHESIS if metric.input_form == "edits" else TEXT
        counts = metric.count(prepared, hypothesis, evidence=True)
        assert metric.count(prepared, hypothesis).evidence is None
        assert counts.evidence is not None
        np.testing.assert_allclose(counts.evidence.sums(counts.array.shape), counts.array, rtol=1e-12)


def test_evidence_by_hand(tiny_bert: str) -> None:
    metric = PtErrant(model=tiny_bert, layer=2)
    evidence = metric.count(metric.prepare(Corpus(SOURCE, (), {}, GOLD)), HYPOTHESIS, evidence=True).evidence
    assert evidence is not None
    numbers = evidence.column >= 3
    assert (evidence.weight[numbers] == 1).all()
    rows = zip(
        *(column[numbers].tolist() for column in (evidence.sentence, evidence.reference, evidence.side)),
        [metric.columns[k].removeprefix("edits_") for k in evidence.column[numbers]],
        *(column[numbers].tolist() for column in (evidence.start, evidence.end)),
        [evidence.strings[place] for place in evidence.text[numbers]],
        strict=True,
    )
    assert list(rows) == [
        (0, 0, 0, "tp", 1, 2, "goes"),
        (0, 1, 0, "fp", 1, 2, "goes"),
        (0, 1, 1, "fn", 1, 3, "went away"),
        (1, 0, 0, "fp", 0, 1, "a"),
        (1, 0, 1, "fn", 2, 3, "sits"),
        (1, 1, 0, "fp", 0, 1, "a"),
    ]
    assert {evidence.strings[place] for place in evidence.type} == {"X"}


def test_corpus_and_sentences(ptm2: PtM2) -> None:
    sentences = ptm2.sentence_scores(SOURCE, HYPOTHESIS, gold=GOLD)
    assert sentences == pytest.approx([1, 0, 1])
    assert ptm2.mean_score(SOURCE, HYPOTHESIS, gold=GOLD).value == pytest.approx(2 / 3)
    score = ptm2.corpus_score(SOURCE, TEXT, gold=GOLD)
    assert 0 < score.parts["precision"] < 1
    assert score.totals["edits_correct"] == 1


def test_a_baseline_changes_totals_only(tiny_bert: str) -> None:
    plain, rescaled = (
        PtM2(model=tiny_bert, layer=2, baseline=baseline).corpus_score(SOURCE, TEXT, gold=GOLD)
        for baseline in (None, "0.5")
    )
    assert rescaled.value == pytest.approx(plain.value)
    assert rescaled.totals["gold"] == pytest.approx(2 * plain.totals["gold"])


def test_edits_that_weigh_nothing(tiny_bert: str) -> None:
    """A change of capitals is nothing to an uncased encoder: PT-M² counts edits there, PT-ERRANT is content."""
    gold = [Block("the cat", (edit(0, 1, "The"),))]
    wrong = [Block("the cat", (edit(1, 2, "CAT"),))]
    settings = {"model": tiny_bert, "layer": 2}
    assert PtM2(**settings, base="errant").sentence_scores(["the cat"], wrong, gold=gold).tolist() == [0]
    assert PtM2(**settings, base="errant").corpus_score(["the cat"], wrong, gold=gold).value == 1
    assert PtErrant(**settings).sentence_scores(["the cat"], wrong, gold=gold).tolist() == [1]


def test_edits_without_a_correction_are_left_out(tiny_bert: str) -> None:
    gold = [Block("a b", (edit(0, 1, "c"), edit(1, 2, "b", type_="UNK")))]
    counts = PtErrant(model=tiny_bert, layer=2).counts(["a b"], [Block("a b")], gold=gold)
    assert counts.array[0, 0, 3:].tolist() == [0, 0, 1]


@pytest.mark.parametrize("part", ["p", "r", "f"])
def test_the_part_of_bertscore(tiny_bert: str, part: str) -> None:
    metric = PtErrant(model=tiny_bert, layer=2, part=part)  # type: ignore[arg-type]
    tp = metric.counts(SOURCE, HYPOTHESIS, gold=GOLD).array[0, 0, 0]
    scores = metric.scorer.scores([(SOURCE[0], TEXT[0]), (TEXT[0], TEXT[0])])
    assert tp == pytest.approx(abs(scores[1]["prf".index(part)] - scores[0]["prf".index(part)]))


def test_matches_from_left_to_right() -> None:
    a, b = Edit(0, 1, "R", ("x",)), Edit(1, 2, "R", ("y",))
    assert _match_in_order([a, b], [a, b]) == [a, b]
    assert _match_in_order([b, a], [a, b]) == [b]
    assert _match_in_order([a], [a, a]) == [a, a]


@pytest.mark.parametrize("assumption", ["dependent", "independent"])
def test_similarity_weights_of_chunks(tiny_bert: str, assumption: str) -> None:
    metric = Cleme2(assumption=assumption, weights="similarity", model=tiny_bert, layer=2)  # type: ignore[arg-type]
    counts = metric.counts(SOURCE, HYPOTHESIS, gold=GOLD).array
    scorer = metric.scorer
    [before, after] = scorer.scores([(SOURCE[0], TEXT[0]), (TEXT[0], TEXT[0])])
    assert counts[0, 0, 0] == pytest.approx(abs(after[2] - before[2]))
    [before, missed] = scorer.scores([(SOURCE[1], "the cat sits"), ("the cat sits", "the cat sits")])
    expected = abs(missed[2] - before[2]) if assumption == "dependent" else 0.0
    assert counts[1, 0, 3] == pytest.approx(expected)
    assert counts[2, :, 4].tolist() == [1, 1]
    prepared = metric.prepare(Corpus(SOURCE, (), {}, GOLD))
    evidence = metric.count(prepared, HYPOTHESIS, evidence=True).evidence
    assert evidence is not None
    np.testing.assert_array_equal(evidence.sums(counts.shape), counts)


def test_settings_that_change_nothing_are_not_in_the_signature(tiny_bert: str, tmp_path: Path) -> None:
    path = str(tmp_path / "kept.sqlite")
    one, two = (
        PtErrant(model=tiny_bert, layer=2, **settings).corpus_score(SOURCE, HYPOTHESIS, gold=GOLD)  # type: ignore[arg-type]
        for settings in ({}, {"batch": 1, "cache": path})
    )
    assert one.signature == two.signature
    assert one.value == pytest.approx(two.value, abs=1e-6)
    assert f"|model:{Path(tiny_bert).name}@" in one.signature
    assert Path(path).exists()


def test_blocks_advance_the_progress(tiny_bert: str) -> None:
    steps: list[int] = []
    corpus = Corpus(SOURCE * 50, (), {"it": HYPOTHESIS * 50}, GOLD * 50)
    evaluate(corpus, [PtErrant(model=tiny_bert, layer=2)], progress=steps.append)
    assert len(steps) > 1
    assert sum(steps) == 150


def test_what_is_missing_is_said(tiny_bert: str) -> None:
    with pytest.raises(InputError, match="needs gold edits"):
        PtM2(model=tiny_bert, layer=2).corpus_score(["a"], ["a"], [["a"]])
    with pytest.raises(UsageError, match="beta"):
        PtM2(beta=-1.0)


def test_the_command(tiny_bert: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = ["--gold", str(EXAMPLES / "gold.m2"), "-c", str(EXAMPLES / "systems" / "careful.txt")]
    options = f"model={tiny_bert},layer=2,cache={tmp_path / 'kept.sqlite'}"
    metrics = [f"ptm2:{options}", f"pterrant:{options}", f"cleme2:weights=similarity,{options}"]
    assert main(["score", *data, "-m", *metrics, "-f", "json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert [result["metric"] for result in document["results"]] == ["ptm2", "pterrant", "cleme2"]
    assert all(0 < result["value"] <= 1 for result in document["results"])
    assert main(["score", *data, "-m", f"ptm2:model={tmp_path},layer=2"]) == 2
    captured = capsys.readouterr()
    assert captured.err.startswith(f"error: the model '{tmp_path}' cannot be loaded: ")
    assert np.count_nonzero([line.strip() for line in captured.err.splitlines()]) <= 2


def test_every_encoder_of_a_run_is_named_by_its_weights() -> None:
    """The last two are kept loaded, but a run holds all of its own."""
    models = [make_tiny_bert(seed) for seed in (11, 12, 13)]
    metrics = [PtErrant(model=model, layer=2) for model in models]
    corpus = Corpus(SOURCE, (), {"it": HYPOTHESIS}, GOLD)
    results = evaluate(corpus, metrics, block=1)["it"]
    for model, metric, result in zip(models, metrics, results, strict=True):
        name = f"|model:{Path(model).name}@{Encoder(model, 2).fingerprint}|layer:2|"
        assert name in result.signature()
        assert name in signature_of(metric, 2)
    assert len({result.signature() for result in results}) == 3


def test_signatures_are_of_the_weights_that_were_counted_with(tmp_path: Path) -> None:
    """A folder that is written anew, as in a training loop, is another encoder once it is loaded again."""
    folder = tmp_path / "model"
    corpus = Corpus(SOURCE, (), {"it": HYPOTHESIS}, GOLD)
    signatures, results = [], []
    for seed in (11, 12):
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(make_tiny_bert(seed), folder)
        results += evaluate(corpus, [PtErrant(model=str(folder), layer=2)])["it"]
        signatures.append(results[-1].signature())
        for other in (1, 2):
            assert PtErrant(model=make_tiny_bert(10 * seed + other), layer=2).scorer  # drives out what nobody holds
    assert signatures[0] != signatures[1]
    assert [result.signature() for result in results] == signatures
