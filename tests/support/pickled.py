"""python -m support.pickled write|read FILE: pickle objects with their numbers, or compare those of pickled ones."""

from __future__ import annotations

import pickle
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import geceval
from geceval.counting.consumers import KeptCounts, ScoredCounts
from geceval.counting.run import Run
from geceval.counting.run_options import RunOptions
from geceval.integrations.rewards import rewards

NAMES = ["green", "gleu", "errant", "cleme", "cleme2", "goto"]
SOURCE = ["She go to school .", "I like cat .", "He is here ."]
REFERENCES = [
    ["She goes to school .", "I like cats .", "He is here ."],
    ["She went to school .", "I like cats .", "He is here ."],
]
HYPOTHESES = ["She goes to school .", "I like cat .", "He was here ."]


def objects() -> dict[str, Any]:
    """Return the kinds of objects that docs/python.md says can be pickled."""
    corpus = geceval.Corpus(SOURCE, REFERENCES, {"eager": HYPOTHESES, "source": SOURCE})
    metrics = [geceval.make_metric(name) for name in NAMES]
    counted = Run(corpus, metrics, RunOptions(evidence=True))
    scorer = geceval.Scorer(NAMES, SOURCE, REFERENCES, checks=False, clean="llm", tokenise="english")
    return {
        "metrics": metrics,
        "corpus": corpus,
        "scorer": scorer,
        "counts": scorer.counts(HYPOTHESES, evidence=True),
        "consumers": list(counted.consume(lambda _, metric: KeptCounts(metric)).values()),
        "results": [scored.result() for scored in counted.consume(lambda _, metric: ScoredCounts(metric)).values()],
        "scores": geceval.score({"eager": HYPOTHESES}, REFERENCES, SOURCE, metrics=NAMES, checks=False),
        "comparison": geceval.compare(corpus, metrics[:2], checks=False, samples=50),
        "explanation": geceval.explain(SOURCE[0], HYPOTHESES[0], [REFERENCES[0][0]]),
        "reward": rewards("errant"),
    }


def numbers(unpickled: Mapping[str, Any]) -> dict[str, str]:
    """Return texts with all numbers that the objects give."""
    rows = {"source": SOURCE, "references": [[line] for line in REFERENCES[0]]}
    counts = [*unpickled["counts"].values(), *(consumer.result() for consumer in unpickled["consumers"])]
    values = {
        "corpus": [row.score() for row in geceval.evaluate(unpickled["corpus"], unpickled["metrics"])["eager"]],
        "scorer": unpickled["scorer"].score(HYPOTHESES),
        "counts": [(each.array.tolist(), each.evidence) for each in counts],
        "results": [(each.score(), each.sentence_scores()) for each in unpickled["results"]],
        "scores": unpickled["scores"].columns("sentence"),
        "comparison": unpickled["comparison"].columns("differences"),
        "explanation": unpickled["explanation"].columns("edits"),
        "reward": unpickled["reward"](completions=HYPOTHESES, **rows),
    }
    return {name: repr(value) for name, value in values.items()}


def main(way: str, path: Path) -> None:
    if way == "write":
        made = objects()
        path.write_bytes(pickle.dumps([{name: pickle.dumps(value) for name, value in made.items()}, numbers(made)]))
    else:
        pickles, expected = pickle.loads(path.read_bytes())
        shown = numbers({name: pickle.loads(value) for name, value in pickles.items()})
        assert shown == expected == numbers(objects()), [name for name in shown if shown[name] != expected[name]]
        sys.stdout.write(f"{len(pickles)} objects\n")


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
