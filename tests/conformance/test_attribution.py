"""Attribution against what gec-metrics' attributors yield."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from geceval import Errant, Green
from geceval.extending import attribute
from geceval.m2 import Block, Blocks, Edit
from geceval.results.attribution import Method
from support.golden import lines, load

METHODS: list[Method] = ["add", "sub", "shapley"]


@pytest.mark.parametrize("method", METHODS)
def test_attribution(shared: Path, method: Method) -> None:
    folder = shared / "data"
    source = lines(folder / "conll14" / "source.txt")
    references = [[line.strip() for line in lines(folder / "conll14" / f"ref{r}.txt")] for r in (0, 1)]
    gold = Blocks.read(folder / "conll14-errant" / "gold.m2")
    cases = load(shared / "golden" / "learned" / "attribution.json")["cases"]
    assert len(cases) == 27
    for case in cases:
        at, line = case["index"], " ".join(source[case["index"]].split())
        edits = tuple(Edit(start, end, kind, (text or "-NONE-",)) for start, end, text, kind in case["edits"])
        for name, metric, options_of in (
            ("green", Green(), {"references": [row[at] for row in references]}),
            ("errant", Errant(), {"gold": gold[at]}),
        ):
            options: dict[str, Any] = {"method": method, **options_of}
            attribution = attribute(metric, line, Block(line, edits), **options)
            recorded = case[name]
            assert attribution.source_score == pytest.approx(recorded["source_score"], abs=1e-9)
            assert attribution.delta == pytest.approx(recorded["delta"], abs=1e-9)
            assert attribution.values == pytest.approx(recorded[method], abs=1e-9)
