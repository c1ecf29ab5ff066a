#!/usr/bin/env bash
# Parallel.from_m2() of gecommon, with which gec-metrics and gec-datasets read M2, writes the deletion mark -NONE- of
# ChERRANT's M2 into the corrected text as a word, and alternatives (rains||rained) as one word.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"${PYTHON:-python3}" -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check gecommon==0.2.0 errant==3.0.2
cd "$folder"
cat > gold.m2 <<'M2'
S 他 的 是 学生 。
A 1 2|||R|||-NONE-|||REQUIRED|||-NONE-|||0

S It rain .
A 1 2|||R:VERB|||rains||rained|||REQUIRED|||-NONE-|||0
M2
venv/bin/python - <<'PYTHON'
from importlib.metadata import version

from gecommon import Parallel

corrected = Parallel.from_m2("gold.m2", ref_id=0).trgs
print("gecommon", version("gecommon"))
for text in corrected:
    print(text)
assert corrected == ["他 -NONE- 是 学生 。", "It rains||rained ."]
PYTHON
