#!/usr/bin/env bash
# autocorrect leaves the most frequent misspellings ("teh", "thier", "definately", "dont") and replaces rare names
# (Oksana is Osaka, Emil Email): right is whatever occurs in its word counts of the English Wikipedia.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"${PYTHON:-python3}" -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check autocorrect==2.6.1
"$folder/venv/bin/python" - <<'PYTHON'
from importlib.metadata import version

from autocorrect import Speller

print("autocorrect", version("autocorrect"))
speller = Speller("en")
misspelt = "teh thier becuase definately seperate occured dont doesnt cant thats alot noone".split()
corrections = [speller(word) for word in misspelt]
print("misspelt:", *map(" -> ".join, zip(misspelt, corrections)), sep=" | ")
assert corrections == misspelt, "the behaviour changed"
rarer = {"goverment": "government", "beleive": "believe", "tommorow": "tomorrow"}
print("rarer:", *(f"{word} -> {speller(word)}" for word in rarer), sep=" | ")
assert {word: speller(word) for word in rarer} == rarer, "the behaviour changed"
sentence = "My friends Oksana, Goran, Emil and Matteo study physics."
print(sentence, "->", speller(sentence))
assert speller(sentence) == "My friends Osaka, Gran, Email and Matter study physics.", "the behaviour changed"
PYTHON
