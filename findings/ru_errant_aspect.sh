#!/usr/bin/env bash
# ru-errant types any verb that replaces another one with the same features as an error of aspect: "читал" for "писал"
# (read for wrote, both imperfective) is R:VERB:ASPECT, since the aspects need not differ.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"${PYTHON:-python3}" -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
    spacy==3.8.18 nltk==3.10.4 python-Levenshtein==0.27.5 ru_errant==2.3.0
"$folder/venv/bin/python" - <<'PYTHON'
import json
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

# The package lacks its word lists: these words are spelt correctly.
words = ["писал", "читал", "написал", "спал"]
resources = Path(find_spec("errant").submodule_search_locations[0], "ru", "resources")
resources.mkdir()
resources.joinpath("Russian.dic").write_text("\n".join(words), "utf-8")
resources.joinpath("freq_dict.json").write_text(json.dumps(dict.fromkeys(words)), "utf-8")

import spacy
from errant.edit import Edit
from errant.ru.classifier import classify
from spacy.tokens import Doc

PAST = "Gender=Masc|Mood=Ind|Number=Sing|Tense=Past|VerbForm=Fin|Voice=Act"
LEMMAS = {"писал": "писать", "читал": "читать", "написал": "написать", "спал": "спать"}
vocab = spacy.blank("ru").vocab


def document(word: str) -> Doc:
    aspect = "Perf" if word == "написал" else "Imp"
    annotation = {"lemmas": [LEMMAS[word]], "pos": ["VERB"], "tags": ["VERB"], "morphs": [f"Aspect={aspect}|{PAST}"]}
    return Doc(vocab, words=[word], deps=["ROOT"], heads=[0], **annotation)


print("ru_errant", version("ru_errant"))
for source, target in (("писал", "написал"), ("писал", "читал"), ("спал", "читал")):
    category = classify(Edit(document(source), document(target), [0, 1, 0, 1])).type
    print(f"{source} -> {target}: {category}")
    assert category == "R:VERB:ASPECT", "the behaviour changed"
PYTHON
