#!/usr/bin/env bash
# JsonOutputParser and PydanticOutputParser of LangChain complete a JSON answer that was cut at the limit of tokens: the
# half sentence, or a list without its last sentences, is returned like a full answer, without error or warning.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"${PYTHON:-python3}" -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check langchain-core==1.8.3 pydantic==2.14.4
"$folder/venv/bin/python" -W error - <<'PYTHON'
import json
from importlib.metadata import version

from langchain_core.messages import AIMessage
from langchain_core.output_parsers import JsonOutputParser, PydanticOutputParser
from pydantic import BaseModel


class Correction(BaseModel):
    corrected: str


class Corrections(BaseModel):
    sentences: list[str]


print("langchain-core", version("langchain-core"))
sentence = '{"corrected": "She goes to school every day because it is'
sentences = '{"sentences": ["She goes to school.", "It is near her'
cases = (
    (JsonOutputParser(), sentence, {"corrected": "She goes to school every day because it is"}),
    (PydanticOutputParser(pydantic_object=Correction), sentence, Correction(corrected=sentence[15:])),
    (PydanticOutputParser(pydantic_object=Corrections), sentences,
     Corrections(sentences=["She goes to school.", "It is near her"])),
)
for parser, content, expected in cases:
    try:
        json.loads(content)
    except json.JSONDecodeError as error:
        print("json:", error)
    # The message states that it was cut; the parser does not look.
    message = AIMessage(content=content, response_metadata={"finish_reason": "length"})
    parsed = parser.invoke(message)
    print(f"{type(parser).__name__}: {parsed!r}")
    assert parsed == expected, "the behaviour changed"
PYTHON
