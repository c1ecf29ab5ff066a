#!/usr/bin/env bash
# The tokens of syntok are not those of the text: n't becomes "not", so that "don't" and "do not" are equal and the
# correction of one to the other is lost, while "can't" is "ca not" and "won't" is "wo not".
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"${PYTHON:-python3}" -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check syntok==1.4.4
"$folder/venv/bin/python" - <<'PYTHON'
from importlib.metadata import version

from syntok import segmenter

print("syntok", version("syntok"))
expected = {
    "I don't know.": "I do not know .",
    "She can't come.": "She ca not come .",
    "It won't rain.": "It wo not rain .",
    "I do not know.": "I do not know .",
    "He dont like it.": "He dont like it .",
}
for sentence, tokens in expected.items():
    [[words]] = [list(paragraph) for paragraph in segmenter.process(sentence)]
    joined = " ".join(word.value for word in words)
    places = [(word.value, sentence[word.offset : word.offset + len(word.value)]) for word in words]
    print(f"{sentence} -> {joined}", [pair for pair in places if pair[0] != pair[1]])
    assert joined == tokens, "the behaviour changed"
PYTHON
