#!/usr/bin/env bash
# ged_labels_token() of gecommon has one label more than the sentence has tokens where a word or full stop is missing at
# its end: zipped with the tokens the error is lost, and labels joined over sentences move by one from there on.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"${PYTHON:-python3}" -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check gecommon==0.2.0 errant==3.0.2
cd "$folder"
cat > gold.m2 <<'M2'
S She goes to school
A 4 4|||M:PUNCT|||.|||REQUIRED|||-NONE-|||0

S He likes it .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S He like it .
A 1 2|||R:VERB:SVA|||likes|||REQUIRED|||-NONE-|||0
M2
venv/bin/python - <<'PYTHON'
from importlib.metadata import version

from gecommon import Parallel

print("gecommon", version("gecommon"))
gold = Parallel.from_m2("gold.m2")
labels = gold.ged_labels_token(mode="cat3")
for source, row in zip(gold.srcs, labels):
    print(len(source.split()), "tokens,", len(row), "labels:", *row)
assert labels[0] == ["CORRECT"] * 4 + ["M:PUNCT"], "the behaviour changed"
# The tokens of a file next to its labels, as in the columns of CoNLL.
tokens = " ".join(gold.srcs).split()
marked = [f"{token}: {label}" for token, label in zip(tokens, sum(labels, [])) if label != "CORRECT"]
print("marked:", marked)
assert marked == ["He: M:PUNCT", "it: R:VERB:SVA"], "the behaviour changed"
PYTHON
