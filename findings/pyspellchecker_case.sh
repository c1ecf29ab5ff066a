#!/usr/bin/env bash
# pyspellchecker corrects a misspelt word in lower case ("Teh" becomes "the", at the beginning of a sentence, too), and the
# correction of a word without a candidate is None, not the word: both are errors for a metric that compares text.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"${PYTHON:-python3}" -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check pyspellchecker==0.9.1
"$folder/venv/bin/python" - <<'PYTHON'
from importlib.metadata import version

from spellchecker import SpellChecker

print("pyspellchecker", version("pyspellchecker"))
checker = SpellChecker()
corrections = {word: checker.correction(word) for word in ("teh", "Teh", "TEH", "Londno", "xqzzt", ".")}
print(corrections)
assert [corrections[word] for word in ("teh", "Teh", "TEH", "xqzzt")] == ["the", "the", "the", None]
print(sorted(checker.unknown("In Teh house .".split())))
PYTHON
