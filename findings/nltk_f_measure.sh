#!/usr/bin/env bash
# f_measure() of NLTK takes the weight of precision, not beta: f_measure(gold, edits, alpha=0.5) is F1, and F0.5 is
# alpha=0.8; a system that corrects much can be first at 0.5 although it is second by F0.5.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"${PYTHON:-python3}" -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check nltk==3.10.4 scikit-learn==1.9.1
"$folder/venv/bin/python" - <<'PYTHON'
from importlib.metadata import version

from nltk.metrics.scores import f_measure
from sklearn.metrics import fbeta_score

print("nltk", version("nltk"), "scikit-learn", version("scikit-learn"))
# Edits are numbers; the first ten are in the gold.
gold = set(range(10))
systems = {"careful": set(range(4)), "eager": set(range(7)) | set(range(10, 16))}
scores = {}
for name, edits in systems.items():
    labels = [[number in edit_set for number in range(16)] for edit_set in (gold, edits)]
    at_half, at_four_fifths = (f_measure(gold, edits, alpha=alpha) for alpha in (0.5, 0.8))
    f1, f05 = (fbeta_score(*labels, beta=beta) for beta in (1, 0.5))
    print(f"{name}: alpha=0.5 {at_half:.4f}, alpha=0.8 {at_four_fifths:.4f}; F1 {f1:.4f}, F0.5 {f05:.4f}")
    assert abs(at_half - f1) < 1e-9 and abs(at_four_fifths - f05) < 1e-9, "the behaviour changed"
    scores[name] = at_half, f05
assert scores["eager"][0] > scores["careful"][0] and scores["eager"][1] < scores["careful"][1], "the behaviour changed"
PYTHON
