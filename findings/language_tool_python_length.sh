#!/usr/bin/env bash
# language_tool_python turns the offset of a match into code points but leaves its length in UTF-16 units: where the
# marked text itself has an emoji, its own correct() deletes a character after it, and matched_text is another text.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"${PYTHON:-python3}" -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check language_tool_python==3.4.0
"$folder/venv/bin/python" - <<'PYTHON'
from importlib.metadata import version

from language_tool_python.match import Match
from language_tool_python.utils import correct

print("language_tool_python", version("language_tool_python"))
text = "😀 He 😀 go home."
# The match of "😀 go" as a LanguageTool server answers: offset and length count UTF-16 units.
offset, length = (len(part.encode("utf-16-le")) // 2 for part in ("😀 He ", "😀 go"))
answer = {
    "message": "agreement",
    "replacements": [{"value": "😀 goes"}],
    "offset": offset,
    "length": length,
    "context": {"text": text, "offset": offset, "length": length},
    "sentence": text,
    "rule": {"id": "SVA", "issueType": "grammar", "category": {"id": "GRAMMAR"}},
}
match = Match(answer, text)
corrected = correct(text, [match])
print(f"offset {offset} -> {match.offset}, length {length} -> {match.error_length}")
print(f"corrected: {corrected!r}")
assert (match.offset, match.error_length) == (5, 5), "the behaviour changed"
assert text[match.offset :][: match.error_length] == "😀 go ", "the behaviour changed"
assert corrected == "😀 He 😀 goeshome.", "the behaviour changed"
PYTHON
