#!/usr/bin/env bash
# The Bayesian signed-rank test of baycomp is sure (probability 1.00) that a system is better if it corrects one of 100
# sentences better and the other 99 are equal, and has 0.69 for 3 better and 2 worse of 100: with rope=0, the default,
# equal scores count for nothing.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"${PYTHON:-python3}" -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check baycomp==1.0.3
"$folder/venv/bin/python" - <<'PYTHON'
from importlib.metadata import version

import numpy as np
from baycomp import two_on_multiple

print("baycomp", version("baycomp"))
baseline = np.linspace(0, 1, 100)
for wins, losses, low, high in ((1, 0, 0.999, 1), (3, 2, 0.65, 0.73), (5, 5, 0.47, 0.53)):
    system = baseline.copy()
    system[20 : 20 + wins] += 0.125
    system[30 : 30 + losses] -= 0.125
    better = two_on_multiple(system, baseline, random_state=1)[0]
    rope = two_on_multiple(system, baseline, rope=0.001, random_state=1)
    print(f"{wins} better, {losses} worse of 100: P(better) {better:.2f}; "
          f"with rope=0.001 {rope[0]:.2f}, P(equal) {rope[1]:.2f}")
    assert low <= better <= high, "the behaviour changed"
    assert rope[1] > 0.9, "the behaviour changed"
PYTHON
