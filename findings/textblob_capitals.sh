#!/usr/bin/env bash
# correct() of TextBlob replaces right words at the beginning of a sentence: "This is good." becomes "His is good.", "We
# like it." "He like it.", "If you go" "Of you go", because its list of words is in lower case and the words are not: in
# lower case they stay.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"${PYTHON:-python3}" -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check textblob==0.20.1
"$folder/venv/bin/python" - <<'PYTHON'
from importlib.metadata import version

from textblob import TextBlob

print("textblob", version("textblob"))
cases = {
    "This is good.": "His is good.",
    "We like it.": "He like it.",
    "She goes home.": "The goes home.",
    "If you go, I go.": "Of you go, I go.",
    "What is it?": "That is it?",
    "My brother is here.": "By brother is here.",
}
for sentence, expected in cases.items():
    corrected = str(TextBlob(sentence).correct())
    lower = sentence[0].lower() + sentence[1:]
    print(f"{sentence} -> {corrected}  (in lower case: {TextBlob(lower).correct()})")
    assert corrected == expected, "the behaviour changed"
    assert str(TextBlob(lower).correct()) == lower, "the behaviour changed"
PYTHON
