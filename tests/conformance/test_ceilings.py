"""Every gold file of the corpora against every text: no score of edits found in text without its ceiling."""

from __future__ import annotations

import warnings
from functools import cache
from pathlib import Path

import pytest

from geceval import Cleme, Corpus, Errant, GecevalWarning, Goto, evaluate, read_corpus
from geceval.base.errors import InputError
from geceval.counting.checks.ceilings import REPORTED_BELOW
from geceval.edits.corpus_edits import closest_profile
from geceval.m2 import Blocks
from geceval.text.corpus import GoldEdits
from support.golden import lines

#: Gold, annotator, ceiling of ERRANT.
FIGURES = [
    ("bea19-dev/gold.published.m2", "builtin:3", 86.51),
    ("bea19-dev/gold.m2", "builtin:3", 97.93),
    ("bea19-dev/gold.m2", "builtin:classic", 99.32),
    ("bea19-dev/gold.m2", "builtin:2", 97.71),
    ("languages/de/fm-dev/gold.m2", "de", 94.47),
    ("languages/uk/ua-gec-train/gold.m2", "plain", 90.68),
]
#: Gold and the annotator that agrees most with it.
MADE_BY = [
    ("bea19-dev/gold.m2", "builtin:classic"),
    ("conll14-errant/gold.m2", "builtin:2"),
    ("languages/cs/geccc/gold.m2", "cs"),
    ("languages/de/fm-dev/gold.m2", "de"),
    ("languages/zh/mucgec-dev/ref.char.m2", "zh"),
]


@cache
def gold_of(path: Path) -> Blocks:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", GecevalWarning)
        return Blocks.read(path)


def texts_of(path: Path) -> dict[str, list[str]]:
    """The texts with as many sentences beside a gold file, or its source."""
    near = sorted(path.parent.rglob("*.txt"))
    texts = {file.stem: lines(file) for file in near if len(lines(file)) == len(gold_of(path))}
    return texts or {"source": list(map(str, gold_of(path).source))}


@pytest.mark.filterwarnings("ignore:system source")
@pytest.mark.parametrize(("name", "annotator", "figure"), FIGURES)
def test_ceiling_is_as_recorded(shared: Path, name: str, annotator: str, figure: float) -> None:
    gold = gold_of(shared / "data" / name)
    corpus = Corpus(gold.source, (), {"source": gold.source}, gold)
    with pytest.warns(GecevalWarning, match=r"the ceiling of .* is ERRANT [89]\d"):
        score = evaluate(corpus, [Errant(annotator=annotator)])["source"][0].score()
    assert f"{100 * score.ceilings['0']:.2f}" == f"{figure:.2f}"


@pytest.mark.parametrize(
    ("gold", "gold_edits", "system", "figure"),
    [("gold.published.m2", "as-given", "errant/T5-Large.m2", 56.21),
     ("gold.published.m2", "as-given", "systems/T5-Large.txt", 56.11),
     ("gold.published.m2", "reannotated", "systems/T5-Large.txt", 59.96),
     ("gold.m2", "as-given", "errant/T5-Large.m2", 60.11), ("gold.m2", "as-given", "systems/T5-Large.txt", 59.37),
     ("gold.m2", "reannotated", "systems/T5-Large.txt", 59.96)],
)  # fmt: skip
@pytest.mark.filterwarnings("ignore:the ceiling of")
def test_t5_large_is_as_recorded(shared: Path, gold: str, gold_edits: GoldEdits, system: str, figure: float) -> None:
    folder = shared / "data" / "bea19-dev"
    corpus = read_corpus(None, (), {"it": str(folder / system)}, str(folder / gold), gold_edits=gold_edits)
    assert f"{100 * evaluate(corpus, [Errant()])['it'][0].score().value:.2f}" == f"{figure:.2f}"


@pytest.mark.parametrize(("name", "annotator"), MADE_BY)
def test_the_annotator_of_the_gold_is_named(shared: Path, name: str, annotator: str) -> None:
    profile = closest_profile(gold_of(shared / "data" / name))
    assert profile is not None
    assert profile.annotator == annotator


@pytest.mark.parametrize("metric", [Errant(annotator="plain"), Cleme(), Goto(weights="none")])
def test_no_text_is_scored_without_the_ceiling(shared: Path, metric: Errant | Cleme | Goto) -> None:
    seen = set()
    for path in sorted((shared / "data").rglob("*.m2" if isinstance(metric, Errant) else "gold.m2")):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            try:
                corpus = Corpus(gold_of(path).source, (), texts_of(path), gold_of(path), misfits="drop")
                results = evaluate(corpus, [metric], views=["corpus"])
            except InputError:  # gold edits that overlap
                continue
        messages = [str(warning.message) for warning in caught if str(warning.message).startswith("the ceiling of")]
        for name, [result] in results.items():
            score = result.score()
            assert score.ceiling is not None or "unknown" in messages[0], (path, name)
            if (score.ceiling or 1) < REPORTED_BELOW:
                assert f" {100 * (score.ceiling or 0):.2f}" in messages[0], (path, name)
        seen.add(path)
    assert len(seen) > 5
