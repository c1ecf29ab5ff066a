#!/usr/bin/env bash
# The first part of a Gemini answer may be its reasoning, its text may be divided into several parts, and an answer that
# was cut while the model reasoned has no parts at all: `candidates[0].content.parts[0].text` is not the answer.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"${PYTHON:-python3}" -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check google-genai==3.6.1
"$folder/venv/bin/python" - <<'PYTHON'
from importlib.metadata import version

from google.genai.types import GenerateContentResponse

print("google-genai", version("google-genai"))
parts = [{"text": "The verb is wrong.", "thought": True}, {"text": "He goes "}, {"text": "home ."}]
for content in ({"role": "model", "parts": parts}, {"role": "model"}):
    response = GenerateContentResponse.model_validate({"candidates": [{"content": content}]})
    of_candidate = response.candidates[0].content.parts
    first = of_candidate[0].text if of_candidate else None
    print(f"parts[0].text: {first!r}; text: {response.text!r}")
    assert (first, response.text) in [("The verb is wrong.", "He goes home ."), (None, None)], "the behaviour changed"
PYTHON
