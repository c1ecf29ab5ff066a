"""Scores of types are those of geclens 1.0.1 on the same M2, to the last digit.

Needs an environment with geclens (``pip install geclens==1.0.1``); its Python is named by the environment variable
GECEVAL_GECLENS_PYTHON. Corpora are those of ../shared where they are, and random sentences always.
"""

from __future__ import annotations

import json
import math
import os
import random
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from geceval import evaluate, m2, read_corpus
from geceval.m2 import Block, Edit, noop

PEER = os.environ["GECEVAL_GECLENS_PYTHON"]
HERE = Path(__file__).parent
SHARED = Path(os.environ.get("GECEVAL_SHARED", HERE.parents[2] / "shared")) / "data"
TYPES = ("DET", "PREP", "R:VERB:SVA", "PUNCT", "R:VERB*", "WO", "R:VERB:SVA,M:DET")
#: Metric, and the measure of geclens with its figure.
MEASURES: Mapping[str, tuple[str, str]] = {
    "errant:types={}": ("type_only", "F0.5"),
    "success:types={}": ("success", "rate"),
    "type-detection:types={}": ("detection", "F1"),
    "false-alarms": ("overcorrection", "rate"),
    "change-rate": ("change_rate", "rate"),
}
#: The same of systems that are texts, whose edits are given to geclens.
OF_TEXTS: Mapping[str, tuple[str, str]] = {
    "false-alarms:quotes=no,splits=no": ("overcorrection", "rate"),
    "change-rate:quotes=no,splits=no": ("change_rate", "rate"),
}


def peer(source: Path, gold: Path, systems: Mapping[str, Path], types: Sequence[str], edits: Any = None) -> Any:
    """Return the measures of geclens by type and system; ``edits``: those of systems that are texts."""
    files = {name: str(path) for name, path in systems.items()}
    request = {"source": str(source), "gold": str(gold), "systems": files, "types": types, "edits": edits or {}}
    completed = subprocess.run(
        [PEER, str(HERE / "geclens_peer.py")], input=json.dumps(request), capture_output=True, text=True, check=False
    )
    assert completed.returncode == 0, completed.stderr
    return json.loads(completed.stdout)


def compare(
    source: Path, gold: Path, systems: Mapping[str, Path], types: Sequence[str] = TYPES, edits: Any = None
) -> None:
    """Assert that both have the same counts and scores of each type; a rate of nothing has no value here."""
    measures = MEASURES if edits is None else OF_TEXTS
    expected = peer(source, gold, systems, types, edits)
    corpus = read_corpus(source=source, gold=gold, systems={name: str(path) for name, path in systems.items()})
    for type_ in types:
        # A comma separates the settings of a metric.
        specs = [spec.format(type_.replace(",", "+")) for spec in measures]
        for system, results in evaluate(corpus, specs, views=["corpus"], checks=False).items():
            for result, (measure, figure) in zip(results, measures.values(), strict=True):
                theirs, score = expected[type_][system][measure], result.score()
                totals = score.totals
                ours = {
                    "success": lambda totals=totals: [totals["corrected"], totals["corrected"] + totals["missed"]],
                    "overcorrection": lambda totals=totals: [totals["changed"], totals["correct"]],
                    "change_rate": lambda totals=totals: [totals["changed"], totals["sentences"]],
                }.get(measure, lambda totals=totals: [totals[name] for name in ("tp", "fp", "fn")])()
                counts = [theirs[key] for key in ("tp", "fp", "fn", "count", "of") if key in theirs]
                assert counts == ours, (type_, system, measure)
                if sum(counts) == 0 and measure != "type_only":
                    assert math.isnan(score.value), (type_, system, measure)
                else:
                    assert score.value == theirs[figure], (type_, system, measure)


CONLL = ("AMU", "CAMB", "CUUI", "IITB", "INPUT", "PKU", "RAC")


def test_conll14() -> None:
    folder = SHARED / "conll14-errant"
    if not folder.exists():
        pytest.skip(f"no corpora at {SHARED}")
    systems = {name: folder / f"{name}.m2" for name in CONLL}
    source = SHARED / "conll14" / "source.txt"
    compare(source, folder / "gold.m2", systems)
    texts = {name: SHARED / "conll14" / "systems" / f"{name}.txt" for name in CONLL}
    edits = {str(texts[name]): str(path) for name, path in systems.items()}
    compare(source, folder / "gold.m2", texts, ["DET"], edits)


def test_bea19_dev() -> None:
    folder = SHARED / "bea19-dev"
    if not folder.exists():
        pytest.skip(f"no corpora at {SHARED}")
    systems = {path.stem: path for path in sorted((folder / "errant").glob("*.m2"))}
    assert systems
    compare(folder / "source.txt", folder / "gold.m2", systems)


def random_blocks(chance: random.Random, sentences: list[list[str]], annotators: int) -> list[Block]:
    types = ["M:DET", "R:DET", "U:DET", "R:PREP", "R:VERB:SVA", "R:VERB", "R:WO", "M:PUNCT"]
    blocks = []
    for tokens in sentences:
        edits: list[Edit] = []
        for annotator in range(annotators):
            places = sorted(chance.sample(range(len(tokens)), chance.randrange(min(3, len(tokens)) + 1)))
            edits += [
                Edit(place, place + 1, chance.choice(types), (chance.choice(["x", "y z", "w"]),), annotator=annotator)
                for place in places
            ] or [noop(annotator)]
        blocks.append(Block(" ".join(tokens), tuple(edits)))
    return blocks


@pytest.mark.parametrize("seed", range(3))
def test_random_edits(seed: int, tmp_path: Path) -> None:
    chance = random.Random(seed)
    sentences = [[chance.choice("abcd") for _ in range(chance.randrange(2, 6))] for _ in range(60)]
    files = {"gold": random_blocks(chance, sentences, 3)}
    files |= {name: random_blocks(chance, sentences, 1) for name in ("first", "second")}
    for name, blocks in files.items():
        with (tmp_path / f"{name}.m2").open("w", encoding="utf-8") as out:
            m2.write(blocks, out)
    (tmp_path / "source.txt").write_text("".join(" ".join(tokens) + "\n" for tokens in sentences), encoding="utf-8")
    systems = {name: tmp_path / f"{name}.m2" for name in ("first", "second")}
    compare(tmp_path / "source.txt", tmp_path / "gold.m2", systems)


def test_types_without_an_operation_are_found() -> None:
    """geclens takes ArtOrDet for M:ArtOrDet, R:ArtOrDet and U:ArtOrDet, finds none, and gives F 1."""
    folder = SHARED / "conll14"
    if not folder.exists():
        pytest.skip(f"no corpora at {SHARED}")
    system = SHARED / "conll14-errant" / "AMU.m2"
    theirs = peer(folder / "source.txt", folder / "gold.m2", {"AMU": system}, ("ArtOrDet",))["ArtOrDet"]["AMU"]
    assert theirs["type_only"]["F0.5"] == 1
    assert theirs["success"]["of"] == 0
    corpus = read_corpus(source=folder / "source.txt", gold=folder / "gold.m2", systems={"AMU": str(system)})
    [success] = evaluate(corpus, ["success:types=ArtOrDet"], checks=False)["AMU"]
    assert success.score().parts == {"sentences": 438}
