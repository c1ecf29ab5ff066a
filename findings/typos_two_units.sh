#!/usr/bin/env bash
# typos gives the same place in two units by its output format: JSON counts UTF-8 bytes of the line from 0, SARIF counts
# code points from 1; and the JSON has no end, only the wrong word.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"${PYTHON:-python3}" -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check typos==1.52.0
printf '😀 She saw teh cat.\n' > "$folder/page.txt"
for format in json sarif; do
    "$folder/venv/bin/typos" --format "$format" "$folder/page.txt" > "$folder/$format" || true # 2: typos were found
done
"$folder/venv/bin/typos" --version
"$folder/venv/bin/python" - "$folder" <<'PYTHON'
import json
import sys
from pathlib import Path

folder = Path(sys.argv[1])
line = (folder / "page.txt").read_text(encoding="utf-8")
finding = json.loads((folder / "json").read_text(encoding="utf-8"))
[result] = json.loads((folder / "sarif").read_text(encoding="utf-8"))["runs"][0]["results"]
region = result["locations"][0]["physicalLocation"]["region"]
print("JSON:", {key: finding[key] for key in ("line_num", "byte_offset", "typo")})
print("SARIF:", region)
start = line.index("teh")
assert finding["byte_offset"] == len(line[:start].encode()) == 13, "the behaviour changed"
assert "end" not in finding and "length" not in finding, "the behaviour changed"
assert (region["startColumn"], region["endColumn"]) == (start + 1, start + 4) == (11, 14), "the behaviour changed"
PYTHON
