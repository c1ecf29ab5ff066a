#!/usr/bin/env bash
# The detokeniser of Moses joins 's and 'm, but not n't, as ERRANT, spaCy and the corpora write it: "I ca n't go ."
# becomes "I ca n't go.", an error that no learner made and any model corrects; the one of NLTK joins it.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"${PYTHON:-python3}" -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check sacremoses==0.2.0 nltk==3.10.4
"$folder/venv/bin/python" - <<'PYTHON'
from importlib.metadata import version

from nltk.tokenize.treebank import TreebankWordDetokenizer
from sacremoses import MosesDetokenizer, MosesTokenizer

print("sacremoses", version("sacremoses"), "nltk", version("nltk"))
# Each sentence with the text of Moses and that of NLTK.
cases = {
    "It 's good , I 'm sure .": ("It's good, I'm sure.", "It's good, I'm sure."),
    "I ca n't go .": ("I ca n't go.", "I can't go."),
    "They do n't know .": ("They do n't know.", "They don't know."),
    "I wo n't , she has n't .": ("I wo n't, she has n't.", "I won't, she hasn't."),
}
for sentence, expected in cases.items():
    tokens = sentence.split()
    texts = MosesDetokenizer("en").detokenize(tokens), TreebankWordDetokenizer().detokenize(tokens)
    print(f"{sentence} -> {texts[0]} (NLTK: {texts[1]})")
    assert texts == expected, "the behaviour changed"
tokens = MosesTokenizer("en").tokenize("I can't go.", escape=False)
print("tokens of Moses itself:", *tokens)
assert tokens == ["I", "can", "'t", "go", "."], "the behaviour changed"
PYTHON
