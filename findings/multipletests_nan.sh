#!/usr/bin/env bash
# Two equal systems become significantly different: scipy's t-test of equal scores has p = NaN, which statsmodels' Holm
# correction rejects as soon as all real p-values are significant, and which is counted as a comparison for the others.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"${PYTHON:-python3}" -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check scipy==1.17.1 statsmodels==0.15.0
"$folder/venv/bin/python" - <<'PYTHON'
from importlib.metadata import version

import numpy as np
from scipy.stats import ttest_rel
from statsmodels.stats.multitest import multipletests

print("scipy", version("scipy"), "statsmodels", version("statsmodels"))
baseline = np.array([0.20, 0.50, 0.40, 0.70, 0.30, 0.60])
systems = {
    "better": baseline + [0.10, 0.12, 0.11, 0.09, 0.10, 0.11],
    "equal": baseline.copy(),
    "good": baseline + [0.02, 0.12, 0.02, 0.15, 0.06, 0.05],
}
pvalues = [float(ttest_rel(scores, baseline).pvalue) for scores in systems.values()]
print("p", dict(zip(systems, pvalues, strict=True)))
assert np.isnan(pvalues[1]), "the behaviour changed"
for method, expected in {"holm": [True, True, True], "bonferroni": [True, False, False]}.items():
    rejected, adjusted, *_ = multipletests(pvalues, method=method)
    without, *_ = multipletests(np.delete(pvalues, 1), method=method)
    print(f"{method}: {rejected.tolist()}, adjusted {adjusted.tolist()}; without the equal system {without.tolist()}")
    assert rejected.tolist() == expected and without.all(), "the behaviour changed"
PYTHON
