#!/usr/bin/env bash
# contractions.fix() corrects and makes errors: "dont", "im" and "lets" become the words of don't, I'm and let's, "The
# shell" becomes "The she will", "the U.S." "the YOU.S.", "She's got" "She is got" and "5 o'clock" "5 of the clock".
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"${PYTHON:-python3}" -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check contractions==0.1.73
"$folder/venv/bin/python" - <<'PYTHON'
from importlib.metadata import version

import contractions

print("contractions", version("contractions"))
pairs = {"I dont know.": "I don't know.", "lets go": "let's go", "im here": "i'm here", "I cant swim.": "I can't swim."}
for error, correction in pairs.items():
    print(f"{error} | {correction} -> {contractions.fix(error)}")
    assert contractions.fix(error) == contractions.fix(correction), "the behaviour changed"
# Each sentence with its text by default, and without slang.
cases = {
    "The shell is white.": ("The she will is white.", "The shell is white."),
    "He lives in the U.S. now.": ("He lives in the YOU.S. now.", "He lives in the U.S. now."),
    "She's got a cat.": ("She is got a cat.",) * 2,
    "He'd gone home.": ("He would gone home.",) * 2,
    "It is 5 o'clock.": ("It is 5 of the clock.",) * 2,
}
for sentence, expected in cases.items():
    texts = contractions.fix(sentence), contractions.fix(sentence, slang=False)
    print(f"{sentence} -> {texts[0]} (slang=False: {texts[1]})")
    assert texts == expected, "the behaviour changed"
PYTHON
