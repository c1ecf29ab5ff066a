#!/usr/bin/env bash
# The BleuScore of ragas scores only the first sentence of an answer, since it passes the sentences of the reference as
# references of one sentence: any words after it have BLEU 1, and a text equal to its correction has 0 if its first
# sentence has three words.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"${PYTHON:-python3}" -m venv "$folder/venv"
# Newer versions of the second package lack a module that ragas imports.
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
    ragas==0.4.3 langchain-community==0.3.31 sacrebleu==2.6.0
RAGAS_DO_NOT_TRACK=true "$folder/venv/bin/python" -W ignore - <<'PYTHON'
import asyncio
from importlib.metadata import version

from ragas.dataset_schema import SingleTurnSample
from ragas.metrics import BleuScore
from sacrebleu import sentence_bleu

print("ragas", version("ragas"), "sacrebleu", version("sacrebleu"))
second = " My sister stays there with her big dog."
cases = [
    ("He goes to his home." + second, "He goes to his home." + second, 1),
    ("He goes to his home." + second, "He goes to his home. Me sister stay their wiht big dogs.", 1),
    ("He goes home." + second, "He goes home." + second, 0),
]
for reference, response, expected in cases:
    score = asyncio.run(BleuScore().single_turn_ascore(SingleTurnSample(reference=reference, response=response)))
    print(f"{response!r}: ragas {score:.3f}, sacrebleu {sentence_bleu(response, [reference]).score:.1f}")
    assert round(score, 3) == expected, "the behaviour changed"
PYTHON
