#!/usr/bin/env bash
# The permutation_type of scipy for paired scores is "samples": "pairings" has p = 1 for any difference of two means,
# also if one system is better in every sentence, and "independent", the default, does not see the pairs.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"${PYTHON:-python3}" -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check scipy==1.17.1
"$folder/venv/bin/python" - <<'PYTHON'
from importlib.metadata import version

import numpy as np
from scipy.stats import permutation_test

print("scipy", version("scipy"))
baseline = np.random.default_rng(0).random(50)
better = baseline + 0.1


def difference(first, second, axis=-1):
    """Return the difference of the means."""
    return first.mean(axis) - second.mean(axis)


p = {}
for kind in ("samples", "pairings", "independent"):
    rng = np.random.default_rng(1)
    p[kind] = permutation_test((better, baseline), difference, permutation_type=kind, vectorized=True, rng=rng).pvalue
    print(f"{kind}: p = {p[kind]:.4f} for a system that is better by 0.1 in each of 50 sentences")
assert p["samples"] < 0.001 and p["pairings"] == 1 and p["independent"] > 0.05, "the behaviour changed"
PYTHON
