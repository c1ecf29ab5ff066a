#!/usr/bin/env bash
# spaCy's scorer leaves out sentences whose gold document has no group of spans, or no entities, as right sentences have
# if only errors are written: false alarms in them cost nothing, and precision is 1.00 where it is 0.33.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"${PYTHON:-python3}" -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check spacy==3.8.18
"$folder/venv/bin/python" - <<'PYTHON'
from importlib.metadata import version

import spacy
from spacy.pipeline.spancat import spancat_score
from spacy.scorer import get_ner_prf
from spacy.training import Example

print("spacy", version("spacy"))
nlp = spacy.blank("en")
sentences = {"He go home .": "go", "She goes home .": None, "I see it .": None}


def examples(right_sentence):
    """Return documents in which the second word is marked, with the gold of each."""
    for sentence, error in sentences.items():
        predicted = nlp.make_doc(sentence)
        second = predicted[1:2]
        predicted.spans["sc"] = predicted.ents = [spacy.tokens.Span(predicted, 1, 2, label="ERROR")]
        place = [(second.start_char, second.end_char, "ERROR")]
        gold = {"spans": {"sc": place}, "entities": place} if error else right_sentence
        yield Example.from_dict(predicted, gold)


for name, right_sentence, precision in (
    ("empty lists", {"spans": {"sc": []}, "entities": []}, "0.33"),
    ("nothing", {}, "1.00"),
):
    spans = spancat_score(examples(right_sentence), spans_key="sc")["spans_sc_p"]
    entities = get_ner_prf(examples(right_sentence))["ents_p"]
    print(f"right sentences with {name}: precision of spans {spans:.2f}, of entities {entities:.2f}")
    assert f"{spans:.2f}" == f"{entities:.2f}" == precision, "the behaviour changed"
PYTHON
