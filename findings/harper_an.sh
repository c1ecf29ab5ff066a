#!/usr/bin/env bash
# Harper corrects "A apple" to "AN apple": the one capital at the beginning of a sentence is taken for a word in
# capitals, so that each correction of this article is wrong for a metric; "An university" becomes "A university".
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"${PYTHON:-python3}" -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check harper-py==0.2.0
"$folder/venv/bin/python" - <<'PYTHON'
from importlib.metadata import version

from harper import Linter

print("harper-py", version("harper-py"))
linter = Linter()
cases = {
    "A apple a day.": "AN apple a day.",
    "A hour later he came.": "AN hour later he came.",
    "A old man came.": "AN old man came.",
    "I saw a apple.": "I saw an apple.",
    "An dog barks.": "A dog barks.",
}
for sentence, expected in cases.items():
    lint, = linter.lint(sentence)
    corrected = linter.apply_suggestion(sentence, lint, lint.suggestions[0])
    print(f"{sentence} -> {corrected}  ({len(lint.suggestions)} suggestion: {lint.message})")
    assert corrected == expected and len(lint.suggestions) == 1, "the behaviour changed"
PYTHON
