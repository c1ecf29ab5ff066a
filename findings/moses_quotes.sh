#!/usr/bin/env bash
# The punctuation normaliser of Moses moves punctuation over plain quotation marks: in English 'I said "yes".' becomes
# 'I said "yes."', in German, Spanish and French '"ja," sagte er' becomes '"ja", sagte er': edits of nobody.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"${PYTHON:-python3}" -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check sacremoses==0.2.0
"$folder/venv/bin/python" - <<'PYTHON'
from importlib.metadata import version

from sacremoses import MosesPunctNormalizer

print("sacremoses", version("sacremoses"))
sentences = ['I said "yes".', 'He called it "home", as always.', '"Ja," sagte er.']
expected = {
    "en": ['I said "yes."', 'He called it "home," as always.', sentences[2]],
    **dict.fromkeys(("de", "es", "fr"), [*sentences[:2], '"Ja", sagte er.']),
}
for language, normalised in expected.items():
    texts = [MosesPunctNormalizer(language).normalize(sentence) for sentence in sentences]
    changed = [f"{sentence} -> {text}" for sentence, text in zip(sentences, texts, strict=True) if text != sentence]
    print(language, *changed, sep=" | ")
    assert texts == normalised, "the behaviour changed"
PYTHON
