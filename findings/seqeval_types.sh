#!/usr/bin/env bash
# seqeval takes the first letter of any label for a tag like B or I: "U:VERB" is as good as "R:VERB" (F1 = 1), labels c
# and i of MultiGED have F1 = 0 when all are right, and with CORRECT and INCORRECT each run of correct tokens is a hit.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"${PYTHON:-python3}" -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check seqeval==1.2.2
"$folder/venv/bin/python" -W ignore - <<'PYTHON'
from importlib.metadata import version

from seqeval.metrics import f1_score

print("seqeval", version("seqeval"))
cases = [
    ("R:VERB O O M:DET", "U:VERB O O R:DET", 1.0),
    ("c i c c i", "c i c c i", 0.0),
    ("CORRECT INCORRECT CORRECT CORRECT INCORRECT", "CORRECT INCORRECT CORRECT CORRECT INCORRECT", 1.0),
    ("CORRECT INCORRECT CORRECT CORRECT INCORRECT", "CORRECT INCORRECT INCORRECT CORRECT CORRECT", 0.286),
]
for gold, system, expected in cases:
    f1 = f1_score([gold.split()], [system.split()])
    print(f"gold {gold} | system {system} | F1 {f1:.3f}")
    assert round(f1, 3) == expected, "the behaviour changed"
PYTHON
