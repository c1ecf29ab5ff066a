#!/usr/bin/env bash
# datasets 5 loads edits such as [2, 5, "have"] as a column of JSON, in which every value is a text in the Parquet file:
# pandas reads '0' and '[[2,5,"have"]]' where the rows have numbers and lists, and from_list() refuses the same rows.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"${PYTHON:-python3}" -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check datasets==5.2.0 pandas==3.1.1 pyarrow==26.0.1
# The layout of edits is that of W&I+LOCNESS: a list per annotator of its number and its edits.
printf '%s\n' '{"text": "I has it.", "edits": [[0, [[2, 5, "have"]]]]}' '{"text": "Fine.", "edits": [[0, []]]}' \
    > "$folder/essays.json"
HF_HOME="$folder" "$folder/venv/bin/python" -W ignore - "$folder" 2> "$folder/progress.txt" <<'PYTHON'
import sys
from importlib.metadata import version

import pandas as pd
import pyarrow
from datasets import Dataset, load_dataset

folder = sys.argv[1]
print("datasets", version("datasets"))
dataset = load_dataset("json", data_files=f"{folder}/essays.json", split="train")
dataset.to_parquet(f"{folder}/essays.parquet")
rows = pd.read_parquet(f"{folder}/essays.parquet")["edits"].tolist()
values = [[value for annotator in row for value in annotator] for row in rows]
print(dataset.features["edits"], dataset[0]["edits"], values)
assert dataset[0]["edits"] == [[0, [[2, 5, "have"]]]], "the behaviour changed"
assert values == [["0", '[[2,5,"have"]]'], ["0", "[]"]], "the behaviour changed"
try:
    refused = Dataset.from_list(list(dataset)) is None
except pyarrow.ArrowInvalid as error:
    refused = True
    print("from_list:", error)
assert refused, "the behaviour changed"
PYTHON
