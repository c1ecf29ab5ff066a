#!/usr/bin/env bash
# Token-based detection of errant_compare (-dt) does not count tokens: a token that a system marks once is as many true
# positives as gold edits touch it, so that one article before a word that needs a correction, too, counts two.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"${PYTHON:-python3}" -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check errant==3.0.2
cd "$folder"
cat > gold.m2 <<'M2'
S She bought bycicle .
A 2 2|||M:DET|||a|||REQUIRED|||-NONE-|||0
A 2 3|||R:SPELL|||bicycle|||REQUIRED|||-NONE-|||0

M2
# Two systems: one inserts the article, one corrects the article and the noun.
cat > article.m2 <<'M2'
S She bought bycicle .
A 2 2|||M:DET|||the|||REQUIRED|||-NONE-|||0

M2
"$folder/venv/bin/python" - <<'PYTHON'
import subprocess
from importlib.metadata import version

print("errant", version("errant"))


def counts(hypothesis, reference, mode):
    command = ["venv/bin/errant_compare", "-hyp", hypothesis, "-ref", reference, mode]
    line = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split("\n")[3].split("\t")
    print(f"{hypothesis} against {reference} {mode}: TP {line[0]}, FP {line[1]}, FN {line[2]}, F0.5 {line[5]}")
    return line[:3]


assert counts("article.m2", "gold.m2", "-dt") == ["2", "0", "0"], "the behaviour changed"
assert counts("article.m2", "gold.m2", "-ds") == ["1", "0", "1"], "the behaviour changed"
# The other way round the two edits of one token are one true positive.
assert counts("gold.m2", "article.m2", "-dt") == ["1", "0", "0"], "the behaviour changed"
assert counts("gold.m2", "article.m2", "-ds") == ["1", "1", "0"], "the behaviour changed"
PYTHON
