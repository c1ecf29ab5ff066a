#!/usr/bin/env bash
# nervaluate counts the end of a span as part of it: the spans of two neighbouring words, (1, 2) and (2, 3), overlap, so
# that an edit of the wrong word has half the points, and all points under `ent_type`.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"${PYTHON:-python3}" -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check nervaluate==1.2.1
"$folder/venv/bin/python" - <<'PYTHON'
from importlib.metadata import version

from nervaluate import Evaluator

print("nervaluate", version("nervaluate"))
words = "He have go to school .".split()
gold = {"label": "R:VERB", "start": 1, "end": 2}
scores = {}
for start, end in ((1, 2), (2, 3), (3, 4)):
    edit = {"label": "R:VERB", "start": start, "end": end}
    overall = Evaluator([[gold]], [[edit]], tags=["R:VERB"], loader="dict").evaluate()["overall"]
    scores[start] = [overall[schema].f1 for schema in ("strict", "partial", "ent_type")]
    print("gold", words[1:2], "system", words[start:end], "F1 strict, partial, ent_type:", *scores[start])
assert scores == {1: [1, 1, 1], 2: [0, 0.5, 1], 3: [0, 0, 0]}, "the behaviour changed"
PYTHON
