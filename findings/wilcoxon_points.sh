#!/usr/bin/env bash
# The p-value of scipy's Wilcoxon test depends on whether F0.5 is written from 0 to 1 or from 0 to 100: 0.3 - 0.2 and
# 0.2 - 0.1 are different numbers for a computer, so that equal differences have different ranks: p = 0.100 or 0.027.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"${PYTHON:-python3}" -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check scipy==1.17.1
"$folder/venv/bin/python" - <<'PYTHON'
from importlib.metadata import version

import numpy as np
from scipy.stats import wilcoxon

print("scipy", version("scipy"))
rng = np.random.default_rng(25)
first = rng.integers(0, 11, 40)
second = np.clip(first + rng.choice([0, 1, -1, 2, 1, -2], 40), 0, 10)
p = {}
for name, scores in {"tenths": (first / 10, second / 10), "points": (first / 10 * 100, second / 10 * 100)}.items():
    p[name] = wilcoxon(*scores).pvalue
    sizes = np.unique(abs(scores[0] - scores[1]))
    print(f"{name}: {len(sizes)} sizes of differences ({', '.join(map(str, sizes))}), p = {p[name]:.3f}")
rounded = wilcoxon(np.round(first / 10 - second / 10, 9)).pvalue
print(f"rounded differences of tenths: p = {rounded:.3f}")
assert p["points"] < 0.05 < p["tenths"] and rounded == p["points"], "the behaviour changed"
PYTHON
