#!/usr/bin/env bash
# The chrF of sacrebleu and of NLTK removes all blanks before it counts characters: where the only errors are blanks
# ("alot", "every day" for "everyday") the uncorrected text has the full score, and only the words of chrF++ see them.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"${PYTHON:-python3}" -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check sacrebleu==2.6.0 nltk==3.10.4
"$folder/venv/bin/python" - <<'PYTHON'
from importlib.metadata import version

from nltk.translate.chrf_score import sentence_chrf
from sacrebleu.metrics import CHRF

print("sacrebleu", version("sacrebleu"), "nltk", version("nltk"))
reference = "In fact I have a lot of everyday things to do ."
for source in ("Infact I have alot of every day things to do .", reference.replace(" ", "")):
    chrf, chrf_plus = (CHRF(word_order=order).corpus_score([source], [[reference]]).score for order in (0, 2))
    nltk_chrf = sentence_chrf(reference, source)
    print(f"{source!r}: chrF {chrf:.2f}, NLTK {100 * nltk_chrf:.2f}, chrF++ {chrf_plus:.2f}")
    assert chrf == 100 and nltk_chrf == 1 and chrf_plus < 90, "the behaviour changed"
PYTHON
