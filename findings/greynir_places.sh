#!/usr/bin/env bash
# A place in GreynirCorrect's JSON begins before the blank (or the line end) in front of the word and ends on its last
# letter, counted over the whole input: text[start_char:end_char] cuts the last letter off, the suggestion has no blank.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"${PYTHON:-python3}" -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
    reynir-correct==4.1.3 reynir==3.5.7 tokenizer==3.4.5 icegrams==1.1.7 islenska==1.5.0
printf 'Mér langar heim.\nHann sá eithvað.\n' > "$folder/page.txt"
"$folder/venv/bin/pip" list --disable-pip-version-check 2> /dev/null | grep -i '^reynir-correct'
"$folder/venv/bin/correct" "$folder/page.txt" --grammar --json > "$folder/page.jsonl"
"${PYTHON:-python3}" - "$folder" <<'PYTHON'
import json
import sys
from pathlib import Path

folder = Path(sys.argv[1])
text = (folder / "page.txt").read_text(encoding="utf-8")
rows = [json.loads(line) for line in (folder / "page.jsonl").read_text(encoding="utf-8").splitlines()]
places = [
    (text[found["start_char"] : found["end_char"]], found["suggest"]) for row in rows for found in row["annotations"]
]
print(places)
assert [row["original"] for row in rows] == ["Mér langar heim.", "\nHann sá eithvað."], "the behaviour changed"
assert places == [("Mé", "Mig"), (" eithva", "eitthvað")], "the behaviour changed"
PYTHON
