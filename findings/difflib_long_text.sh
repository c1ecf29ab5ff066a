#!/usr/bin/env bash
# difflib has fewer and longer edits of the same sentence in a text of 200 words: words that are more than 1 % of it, as
# "to" and "the" are, do not start a match there, so that "go to the shp" -> "went to the shop" is one edit, not two.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"${PYTHON:-python3}" -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check rapidfuzz==3.14.6
"$folder/venv/bin/python" - <<'PYTHON'
import platform
from difflib import SequenceMatcher
from importlib.metadata import version

from rapidfuzz.distance import Levenshtein

print("Python", platform.python_version(), "rapidfuzz", version("rapidfuzz"))
ESSAY = """I live in a small town near the sea . In the summer I go to the beach with my friends and we swim in the
water . My father works in a bank and my mother is a teacher in the school of the town . I have a brother
and a sister . My brother is ten years old and my sister is fifteen . We have a dog and two cats in the
house . In the morning I get up at seven and I have breakfast with my family . Then I go to the school by
bus . In the afternoon I do my homework and I read a book or I play the piano . In the evening we have
dinner and we talk about the day . On Saturday I go to the cinema with my sister and on Sunday we visit my
grandmother in the village . She lives in a old house with a big garden and she makes the best cakes in the
world . In the winter it is cold and we stay in the house and play games . I like the summer more than the
winter because I can swim in the sea and I can be with my friends for the whole day .""".split()
SOURCE = "Yesterday I go to the shp of my uncle .".split()
CORRECTION = "Yesterday I went to the shop of my uncle .".split()


def edits(before: list[str], opcodes) -> list[str]:
    """Return the edits of opcodes."""
    source, target = before + SOURCE, before + CORRECTION
    return [f"{' '.join(source[a:b])} -> {' '.join(target[c:d])}" for tag, a, b, c, d in opcodes if tag != "equal"]


separate, joined = ["go -> went", "shp -> shop"], ["go to the shp -> went to the shop"]
for before, expected in (([], separate), (ESSAY, joined)):
    source, target = before + SOURCE, before + CORRECTION
    by_difflib = edits(before, SequenceMatcher(None, source, target).get_opcodes())
    without_junk = edits(before, SequenceMatcher(None, source, target, autojunk=False).get_opcodes())
    by_rapidfuzz = edits(before, [tuple(opcode) for opcode in Levenshtein.opcodes(source, target)])
    print(len(source), "words:", by_difflib, "autojunk=False:", without_junk, "rapidfuzz:", by_rapidfuzz)
    assert by_difflib == expected and without_junk == by_rapidfuzz == separate, "the behaviour changed"
PYTHON
