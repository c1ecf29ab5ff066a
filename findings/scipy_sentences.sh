#!/usr/bin/env bash
# scipy's bootstrap takes the columns tp, fp and fn of sentences for independent samples and draws each from different
# sentences: the interval of F0.5 is more than twice as wide as with paired=True where sentences differ in length.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"${PYTHON:-python3}" -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check scipy==1.17.1
"$folder/venv/bin/python" - <<'PYTHON'
from importlib.metadata import version

import numpy as np
from scipy.stats import bootstrap

print("scipy", version("scipy"))
# Nine short sentences with an error each, then an essay with twenty: half of the errors are corrected.
errors = np.tile([1] * 9 + [20], 50)
tp = np.tile([1, 0, 1, 0, 1, 0, 1, 0, 1, 10], 50)
counts = tp, np.where(errors == 20, 6, 0), errors - tp


def f05(tp, fp, fn, axis=-1):
    """Return F0.5 of summed counts."""
    tp, fp, fn = (values.sum(axis) for values in (tp, fp, fn))
    return 1.25 * tp / (1.25 * tp + 0.25 * fn + fp)


widths = {}
for paired in (False, True):
    result = bootstrap(counts, f05, paired=paired, vectorized=True, rng=np.random.default_rng(1))
    low, high = result.confidence_interval
    widths[paired] = high - low
    print(f"paired={paired}: F0.5 {100 * f05(*counts):.1f}, interval {100 * low:.1f} to {100 * high:.1f}")
assert widths[False] > 2 * widths[True], "the behaviour changed"
PYTHON
