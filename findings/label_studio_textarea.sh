#!/usr/bin/env bash
# Corrections of a text area in Label Studio's CSV and JSON-MIN are texts where an annotator wrote one, and objects with
# a list where she wrote two; a task left empty is in JSON-MIN without the field, and a skipped task is in neither.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"${PYTHON:-python3}" -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check label-studio-sdk==2.1.2
"$folder/venv/bin/python" - <<'PYTHON' "$folder"
import csv
import json
import pathlib
import sys
from importlib.metadata import version

from label_studio_sdk.converter import Converter

print("label-studio-sdk", version("label-studio-sdk"))
folder = pathlib.Path(sys.argv[1])
corrections = [["He goes ."], ["He goes .", "He went ."], [], None]


def task(number, texts):
    result = {"from_name": "correction", "to_name": "text", "type": "textarea", "id": str(number)}
    result["value"] = {"text": texts}
    annotation = {"id": number, "was_cancelled": texts is None, "result": [result] if texts else []}
    return {"id": number, "data": {"text": "He go ."}, "annotations": [annotation], "predictions": []}


file = folder / "tasks.json"
file.write_text(json.dumps([task(number, texts) for number, texts in enumerate(corrections, 1)]))
view = '<View><Text name="text" value="$text"/><TextArea name="correction" toName="text"/></View>'
converter = Converter(view, project_dir=str(folder))
converter.convert_to_json_min(str(file), str(folder / "min"), is_dir=False)
converter.convert_to_csv(str(file), str(folder / "csv"), is_dir=False, sep=",", header=True)
rows = json.loads((folder / "min" / "result.json").read_text())
for row in rows:
    print(row["id"], row.get("correction"))
assert [row.get("correction") for row in rows] == ["He goes .", {"text": ["He goes .", "He went ."]}, None]
with (folder / "csv" / "result.csv").open() as table:
    cells = [row["correction"] for row in csv.DictReader(table)]
print(cells)
assert cells == ["He goes .", '{"text":["He goes .","He went ."]}', ""]
PYTHON
