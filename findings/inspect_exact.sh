#!/usr/bin/env bash
# The scorers exact() and f1() of Inspect remove articles, punctuation, apostrophes and case before comparing: a model
# that leaves "i saw cat" and "its a dog" uncorrected is marked as correct, as if "I saw the cat." were the answer.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"${PYTHON:-python3}" -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check inspect-ai==0.3.285
"$folder/venv/bin/python" -W ignore - <<'PYTHON'
import asyncio
from importlib.metadata import version

from inspect_ai.model import ModelOutput
from inspect_ai.scorer import Target, exact, f1
from inspect_ai.solver import TaskState

print("inspect-ai", version("inspect-ai"))
expected = {
    ("i saw cat", "I saw the cat."): ("C", 1.0),
    ("Its a dog", "It's a dog."): ("C", 1.0),
    ("I have a idea", "I have an idea."): ("C", 1.0),
    ("He go home.", "He goes home."): ("I", 0.67),
}
for (answer, target), values in expected.items():
    output = ModelOutput.from_content("mock/model", answer)
    state = TaskState(model="mock/model", sample_id=1, epoch=1, input=answer, messages=[], output=output)
    scores = tuple(asyncio.run(scorer(state, Target([target]))).value for scorer in (exact(), f1()))
    print(f"answer {answer!r}, target {target!r}: exact {scores[0]}, f1 {scores[1]}")
    assert scores == values, f"the behaviour changed: expected {values}"
PYTHON
