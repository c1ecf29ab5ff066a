#!/usr/bin/env bash
# correct_sent() of PyThaiNLP corrects the blanks and punctuation that word_tokenize() returns as tokens: " " and "!"
# become the word "กา" (crow, kettle), in sentences without a misspelt word as in others.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"${PYTHON:-python3}" -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check pythainlp==5.4.0
"$folder/venv/bin/python" -W ignore - <<'PYTHON'
from importlib.metadata import version

from pythainlp import word_tokenize
from pythainlp.spell import correct, correct_sent

print("pythainlp", version("pythainlp"))
assert correct("โรงเรยน") == "โรงเรียน", "the behaviour changed"
# The sentences are right: I go to school. I go to the market, he goes to school.
expected = {
    "ฉันไปโรงเรียน": "ฉันไปโรงเรียน",
    "ฉันไปตลาด เขาไปโรงเรียน": "ฉันไปตลาดกาเขาไปโรงเรียน",
    "ฉันไปตลาด!": "ฉันไปตลาดกา",
}
for sentence, correction in expected.items():
    tokens = word_tokenize(sentence)
    corrected = "".join(correct_sent(tokens))
    print(f"{sentence!r} -> {tokens} -> {corrected!r}")
    assert corrected == correction, "the behaviour changed"
PYTHON
