"""The self-test of ``geceval m2 check`` on the M2 files of the field: which texts of annotators score below 100."""

from __future__ import annotations

from pathlib import Path

import pytest

from geceval.inspection.m2_self_test import SelfTest
from geceval.text.m2.m2_files import check, parse_portions

#: File -> MaxMatch of the annotators' own texts, of the texts of ``m2 apply``, and the number of blocks below 100.
EXPECTED: dict[str, tuple[list[float], list[float], int]] = {
    "bea19-dev/errant/GECToR-XLNet.m2": ([99.96], [99.96], 1),
    "bea19-dev/errant/T5-Large.m2": ([99.87], [99.87], 6),
    "bea19-dev/gold.m2": ([99.93], [99.93], 4),
    "bea19-dev/gold.published.m2": ([98.62], [98.62], 191),
    "conll14/errant/GECToR-XLNet.m2": ([100.0], [100.0], 0),
    "conll14/gold.m2": ([98.97, 98.88], [98.97, 96.44], 35),
    "conll14-errant/AMU.m2": ([100.0], [100.0], 0),
    "conll14-errant/CAMB.m2": ([100.0], [100.0], 0),
    "conll14-errant/CUUI.m2": ([100.0], [100.0], 0),
    "conll14-errant/IITB.m2": ([100.0], [100.0], 0),
    "conll14-errant/INPUT.m2": ([100.0], [100.0], 0),
    "conll14-errant/IPN.m2": ([100.0], [100.0], 0),
    "conll14-errant/NTHU.m2": ([100.0], [100.0], 0),
    "conll14-errant/PKU.m2": ([100.0], [100.0], 0),
    "conll14-errant/POST.m2": ([100.0], [100.0], 0),
    "conll14-errant/RAC.m2": ([100.0], [100.0], 0),
    "conll14-errant/SJTU.m2": ([100.0], [100.0], 0),
    "conll14-errant/UFC.m2": ([100.0], [100.0], 0),
    "conll14-errant/UMC.m2": ([100.0], [100.0], 0),
    "conll14-errant/gold.m2": ([99.89, 100.0], [99.89, 100.0], 2),
    "fuzz/gold.m2": ([95.77, 89.92, 87.44], [94.41, 57.59, 30.71], 29),
    "fuzz/hyp.m2": ([94.03], [94.03], 15),
    "jfleg-dev/gold.m2": ([99.58, 99.49, 99.75, 99.56], [97.45, 97.01, 95.54, 94.23], 29),
    "languages/ar/qalb/qalb14-dev.m2": ([100.0], [100.0], 0),
    "languages/ar/qalb/qalb15-dev.m2": ([100.0], [100.0], 0),
    "languages/cs/geccc/gold.m2": ([99.58, 99.76], [99.58, 74.97], 30),
    "languages/cs/geccc-small/jp-errant.m2": ([99.54, 99.38], [99.54, 83.33], 16),
    "languages/de/fm-dev/gold.m2": ([99.79], [99.79], 10),
    "languages/de/fm-dev/jp-errant.m2": ([99.79], [99.79], 10),
    "languages/et/estgec-dev/gold.m2": ([96.58, 96.22, 94.03], [96.58, 56.02, 12.3], 384),
    "languages/ru/lorugec/test.m2": ([98.55], [98.55], 3),
    "languages/ru/lorugec/val.m2": ([95.79], [95.79], 3),
    "languages/uk/ua-gec-train/gold.m2": ([99.89, 99.47], [99.89, 19.1], 5),
    "languages/zh/cherrant-demo/hyp.char.m2": ([93.53], [93.53], 1),
    "languages/zh/cherrant-demo/hyp.word.m2": ([100.0], [100.0], 0),
    "languages/zh/cherrant-demo/ref.char.m2": ([95.89, 93.02], [95.89, 57.42], 2),
    "languages/zh/cherrant-demo/ref.word.m2": ([95.79, 93.28], [95.79, 61.88], 2),
    "languages/zh/fuzz/hyp.m2": ([90.3, 91.09], [89.92, 39.7], 82),
    "languages/zh/fuzz/ref.m2": ([87.6, 89.18, 88.89, 87.39], [84.61, 80.02, 49.38, 27.9], 168),
    "languages/zh/mucgec-dev/hyp.char.m2": ([99.41], [99.41], 3),
    "languages/zh/mucgec-dev/ref.char.m2": (
        [95.93, 96.68, 97.42, 95.11, 94.67, 100.0],
        [95.93, 83.42, 41.27, 10.29, 3.21, 0.71],
        65,
    ),
    "languages/zh/nlpcc18/half-a.char.m2": ([96.44], [96.44], 60),
    "languages/zh/nlpcc18/half-a.word.m2": ([97.24], [97.24], 44),
    "languages/zh/nlpcc18/ref.char.m2": ([96.65, 94.34], [96.65, 19.53], 91),
    "languages/zh/nlpcc18/ref.word.m2": ([97.59, 96.58], [97.59, 20.51], 61),
}
#: The causes in two files.
CAUSES = {
    "conll14/gold.m2": {"an edit keeps more than 2 of its tokens": 30, "edits next to each other": 5},
    "languages/et/estgec-dev/gold.m2": {
        "edits out of order": 262,
        "overlapping or repeated edits": 72,
        "an edit keeps more than 2 of its tokens": 46,
        "an edit that changes nothing": 3,
        "edits next to each other": 1,
    },
}


@pytest.mark.parametrize("name", EXPECTED)
def test_self_test_of(shared: Path, name: str) -> None:
    path = shared / "data" / name
    tested = SelfTest(check(path).annotators)
    for blocks, _ in parse_portions(path):
        tested.add(blocks)
    own, applied = ([round(100 * score, 2) for score in tested.scores(m).values()] for m in ("plain", "fallback"))
    assert (own, applied, len(tested.unmatched)) == EXPECTED[name]
    assert tested.causes == CAUSES.get(name, tested.causes)


def test_every_file_is_tested(shared: Path) -> None:
    paths = {str(path.relative_to(shared / "data")) for path in (shared / "data").rglob("*.m2")}
    assert paths == EXPECTED.keys()
