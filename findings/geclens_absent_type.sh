#!/usr/bin/env bash
# For a type that occurs nowhere (a misspelt selector, for example) geclens gives F0.5 = 1.000 for its edits and, from the
# same counts 0, 0, 0 with P = R = 1, F1 = 0.000 for its detection, without a warning.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"${PYTHON:-python3}" -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check geclens==1.0.1 errant==3.0.2 spacy==3.7.5
printf 'He go home .\nAll is well .\n' > "$folder/source.txt"
cat > "$folder/gold.m2" <<'M2'
S He go home .
A 1 2|||R:VERB:SVA|||goes|||REQUIRED|||-NONE-|||0

S All is well .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

M2
sed 's/goes/gone/' "$folder/gold.m2" > "$folder/system.m2"
"$folder/venv/bin/python" - "$folder" <<'PYTHON'
import sys
from importlib.metadata import version

from geclens.score import score_system

folder = sys.argv[1]
paths = [f"{folder}/{name}" for name in ("source.txt", "gold.m2", "system.m2")]
print("geclens", version("geclens"))
for selector, expected in {"R:VERB:SVA": (0.0, 1.0), "R:VREB:SVA": (1.0, 0.0)}.items():
    metrics = score_system("system", *paths, selector, cache_dir=folder).metrics
    values = metrics["type_only"]["F0.5"], metrics["detection"]["F1"]
    print(selector, metrics["type_only"], metrics["detection"])
    assert values == expected, "the behaviour changed"
PYTHON
