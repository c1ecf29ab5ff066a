#!/usr/bin/env bash
# The paired tests of sacrebleu give a system that is equal to the baseline p = 0.001, the smallest value of 1000 draws;
# so does approximate randomisation if a single sentence differs, where all draws have the same difference (p = 1): only
# draws with a larger difference than the observed one speak for chance.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"${PYTHON:-python3}" -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check sacrebleu==2.6.0
"$folder/venv/bin/python" - <<'PYTHON'
from importlib.metadata import version

from sacrebleu.metrics import BLEU, CHRF
from sacrebleu.significance import PairedTest

print("sacrebleu", version("sacrebleu"))
names = "Anna Boris Chen Daria Emil Fatima Goran Hana Ivan Julia Kofi Lena".split()
references = [[f"{name} goes to school every day, and I go there, too." for name in names]]
baseline = [f"{name} go to school every days, and I go there, too." for name in names]
systems = {
    "baseline": baseline,
    "equal to it": list(baseline),
    "one sentence corrected": [references[0][0], *baseline[1:]],
    "all corrected": references[0],
}
for test in ("bs", "ar"):
    metrics = {"BLEU": BLEU(references=references), "chrF2": CHRF(references=references)}
    _, results = PairedTest(list(systems.items()), metrics, None, test_type=test, n_samples=1000)()
    for metric in metrics:
        rows = dict(zip(systems, results[metric]))
        print(test, metric, {name: (round(row.score, 1), row.p_value) for name, row in rows.items()})
        smallest = {"equal to it", "all corrected"} | ({"one sentence corrected"} if test == "ar" else set())
        assert rows["equal to it"].score == rows["baseline"].score, "the behaviour changed"
        assert {name for name in rows if rows[name].p_value == 1 / 1001} == smallest, "the behaviour changed"
PYTHON
