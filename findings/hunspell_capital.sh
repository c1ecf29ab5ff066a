#!/usr/bin/env bash
# Hunspell's English dictionary (read by spylls) corrects `teh` to `the`, but `Teh`, as at the beginning of a sentence,
# to `Eh`, with `The` behind ten others; the first suggestion for `dont` is `font`; `wont`, `cant` and `i` are right.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"${PYTHON:-python3}" -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check spylls==0.1.7
"$folder/venv/bin/python" - <<'PYTHON'
from importlib.metadata import version
from pathlib import Path

import spylls
from spylls.hunspell import Dictionary

print("spylls", version("spylls"))
dictionary = Dictionary.from_files(str(Path(spylls.__file__).parent / "hunspell" / "data" / "en" / "en_US"))
suggestions = {word: list(dictionary.suggest(word)) for word in ("teh", "Teh", "dont")}
for word, words in suggestions.items():
    print(word, words)
assert [words[0] for words in suggestions.values()] == ["the", "Eh", "font"]
assert suggestions["Teh"].index("The") == 10
right = [word for word in ("wont", "cant", "i") if dictionary.lookup(word)]
print("right:", right)
assert right == ["wont", "cant", "i"]
PYTHON
