#!/usr/bin/env bash
# Weighted kappa of scikit-learn measures distances in the alphabetical list of the ratings that occur: "poor" is nearer
# to "good" than to "fair", so that the worse of two judges agrees better, and 5 is one step from 2 if nobody gave 3 or
# 4.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"${PYTHON:-python3}" -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check scikit-learn==1.9.1
"$folder/venv/bin/python" - <<'PYTHON'
from importlib.metadata import version

from sklearn.metrics import cohen_kappa_score

print("scikit-learn", version("scikit-learn"))
scale = ["poor", "fair", "good"]
person = ["poor", "poor", "poor", "fair", "fair", "good", "good", "good"]
judges = {
    # Two ratings of each judge differ from the person's.
    "near (poor for fair, fair for poor)": ["fair", "poor", "poor", "poor", "fair", "good", "good", "good"],
    "far (good for poor, poor for good)": ["good", "poor", "poor", "fair", "fair", "poor", "good", "good"],
}
kappas = {}
for name, ratings in judges.items():
    kappas[name] = [cohen_kappa_score(person, ratings, weights="quadratic", labels=labels) for labels in (None, scale)]
    print(f"{name}: kappa {kappas[name][0]:.2f}, with the order of the scale {kappas[name][1]:.2f}")
near, far = kappas.values()
assert near[0] < far[0] and near[1] > far[1], "the behaviour changed"

first, second = [1, 2, 5, 2, 1, 5, 2, 2], [1, 2, 5, 5, 1, 2, 2, 1]
present = cohen_kappa_score(first, second, weights="quadratic")
full = cohen_kappa_score(first, second, weights="quadratic", labels=range(1, 6))
print(f"ratings 1, 2 and 5: kappa {present:.2f}, on the scale from 1 to 5 {full:.2f}")
assert (round(present, 2), round(full, 2)) == (0.67, 0.50), "the behaviour changed"
PYTHON
