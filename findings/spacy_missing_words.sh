#!/usr/bin/env bash
# spaCy leaves out spans without text: a missing word at (3, 3) gets no tag from offsets_to_biluo_tags, no span from
# char_span and no warning, while a span that does not fit the tokens has both; a detector trained on it never sees M.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"${PYTHON:-python3}" -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check spacy==3.8.18
"$folder/venv/bin/python" - <<'PYTHON'
import warnings
from importlib.metadata import version

import spacy
from spacy.training import offsets_to_biluo_tags

print("spacy", version("spacy"))
document = spacy.blank("en")("She bought car .")
expected = {
    (4, 10, "R:VERB"): (["O", "U-R:VERB", "O", "O"], 0),
    (4, 6, "R:SPELL"): (["O", "-", "O", "O"], 1),
    (11, 11, "M:DET"): (["O", "O", "O", "O"], 0),
}
for edit, (tags, warned) in expected.items():
    with warnings.catch_warnings(record=True) as messages:
        warnings.simplefilter("always")
        found = offsets_to_biluo_tags(document, [edit])
    span = document.char_span(*edit)
    print(edit, found, "char_span:", span, "warnings:", len(messages))
    assert (found, len(messages)) == (tags, warned), "the behaviour changed"
    assert (span is None) is (edit[2] != "R:VERB"), "the behaviour changed"
PYTHON
