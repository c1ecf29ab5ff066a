#!/usr/bin/env bash
# BLEU, chrF and TER of lm-eval read as many references of each sentence as the sentence with the fewest has: a single
# sentence with one reference takes the second one from all others, and a text equal to them falls from 100 to 64.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"${PYTHON:-python3}" -m venv "$folder/venv"
# The metrics need none of the other dependencies.
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check sacrebleu==2.6.0 numpy==2.4.6
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check --no-deps lm-eval==0.4.13
"$folder/venv/bin/python" - <<'PYTHON'
from importlib.metadata import version

from lm_eval.api.metrics import bleu, chrf, ter

print("lm-eval", version("lm-eval"))
# What process_results of a task returns for each sentence: its references and the answer, equal to one of them.
two_each = [
    (["He goes home .", "He went home ."], "He went home ."),
    (["I have two dogs .", "I had two dogs ."], "I had two dogs ."),
]
with_single = [*two_each, (["She likes it ."], "She likes it .")]
for metric, perfect in ((bleu, 100), (chrf, 100), (ter, 0)):
    before, after = metric(two_each), metric(with_single)
    print(f"{metric.__name__}: {before:.1f}, with a sentence that has one reference {after:.1f}")
    assert round(before, 6) == perfect and round(after) != perfect, "the behaviour changed"
assert round(chrf(with_single)) == 64, "the behaviour changed"
PYTHON
