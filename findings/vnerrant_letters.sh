#!/usr/bin/env bash
# The M2 reader of vnerrant takes the first letter of a type for the operation: of the types of CoNLL-2014, Mec
# (spelling and punctuation) inserts its correction before the wrong word and ArtOrDet or Vt changes nothing, and
# ERRANT's UNK, an error without a correction, deletes the words that it marks.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"${PYTHON:-python3}" -m venv "$folder/venv"
# PyYAML is imported by vnerrant, which does not require it.
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check vnerrant==3.0.0 PyYAML==6.0.4
"$folder/venv/bin/python" - <<'PYTHON'
from importlib.metadata import version

from vnerrant.components.converter import Converter

print("vnerrant", version("vnerrant"))
tail = "|||REQUIRED|||-NONE-|||0"
cases = (
    ("He recieves a letter .", "1 2|||Mec|||receives", "He receives a letter .", "He receives recieves a letter ."),
    ("He go home yesterday .", "1 2|||Vt|||went", "He went home yesterday .", "He go home yesterday ."),
    ("He bought car .", "2 2|||ArtOrDet|||a", "He bought a car .", "He bought car ."),
    ("I very like this music .", "1 3|||UNK|||very like", "I very like this music .", "I this music ."),
    ("He go home .", "1 2|||R:VERB:SVA|||goes", "He goes home .", "He goes home ."),
)
for source, edit, right, read in cases:
    _, corrections = Converter().m2_to_parallel([[f"S {source}", f"A {edit}{tail}"]])
    print(f"{edit}: {corrections[0]}")
    assert corrections == [read], f"the behaviour changed: expected {read}, right is {right}"
PYTHON
