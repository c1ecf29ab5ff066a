#!/usr/bin/env bash
# proselint's JSON counts `span` from 1 over the whole file, so that text[start:end] is off by one everywhere, and
# `replacements` is a text, not a list, or null although the message states the correction.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"${PYTHON:-python3}" -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check proselint==0.16.0
printf 'A fine day.\nThis is a preventative step.\nI saw the the cat.\n' > "$folder/page.txt"
"$folder/venv/bin/proselint" check -o json "$folder/page.txt" > "$folder/answer.json" || true # 1: errors were found
"$folder/venv/bin/python" - "$folder" <<'PYTHON'
import json
import sys
from importlib.metadata import version
from pathlib import Path

folder = Path(sys.argv[1])
print("proselint", version("proselint"))
text = (folder / "page.txt").read_text(encoding="utf-8")
[answer] = json.loads((folder / "answer.json").read_text(encoding="utf-8"))["result"].values()
found = {}
for finding in answer["diagnostics"]:
    start, end = finding["span"]
    found[finding["check_path"]] = text[start - 1 : end - 1], text[start:end], finding["replacements"]
    print(finding["check_path"], finding["pos"], finding["span"], *found[finding["check_path"]])
assert found == {
    "needless_variants": ("preventative", "reventative ", "preventive"),
    "lexical_illusions": ("the the", "he the ", None),
}, "the behaviour changed"
PYTHON
