#!/usr/bin/env bash
# word_tokenize() of underthesea corrects Vietnamese: a tone mark on the wrong letter ("qúa" for "quá", an error of
# spelling) is moved, so that the tokens of the learner are equal to those of the correction; pyvi keeps the letters.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"${PYTHON:-python3}" -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check underthesea==9.5.0 pyvi==0.1.1
"$folder/venv/bin/python" -W ignore - <<'PYTHON'
from importlib.metadata import version

from pyvi import ViTokenizer
from underthesea import word_tokenize

print("underthesea", version("underthesea"), "pyvi", version("pyvi"))
for source, correction in (("Tôi ăn qúa nhiều .", "Tôi ăn quá nhiều ."), ("Anh gìa rồi .", "Anh già rồi .")):
    tokens = [word_tokenize(text, format="text") for text in (source, correction)]
    plain = [word_tokenize(text, format="text", use_token_normalize=False) for text in (source, correction)]
    other = ViTokenizer.tokenize(source)
    print(f"{source} -> {tokens[0]}; use_token_normalize=False {plain[0]}; pyvi {other}")
    assert source != correction and tokens[0] == tokens[1], "the behaviour changed"
    assert plain[0] != plain[1] and source.split()[2] in (plain[0] + other).replace("_", " "), "the behaviour changed"
PYTHON
