#!/usr/bin/env bash
# The GLEU of NLTK is Google's metric for translation, not the GLEU of grammatical error correction: it has no argument
# for the source, and a text in which nothing is corrected can score more than one in which half of the errors are.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"${PYTHON:-python3}" -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check nltk==3.10.4
"$folder/venv/bin/python" - <<'PYTHON'
import inspect
from importlib.metadata import version

from nltk.translate.gleu_score import sentence_gleu

print("nltk", version("nltk"), inspect.signature(sentence_gleu))
source = "She go to school every days because it near her house ."
reference = "She goes to school every day because it is near her house ."
partly = "She goes to her school each day because it near her home ."
scores = [sentence_gleu([reference.split()], text.split()) for text in (source, partly)]
print("unchanged {:.3f}, two errors of three corrected, and three words changed {:.3f}".format(*scores))
assert "source" not in inspect.signature(sentence_gleu).parameters, "the behaviour changed"
assert scores[0] > scores[1], "the behaviour changed"
PYTHON
