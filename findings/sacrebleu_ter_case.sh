#!/usr/bin/env bash
# TER of sacrebleu lower-cases texts unless it is told otherwise, BLEU and chrF do not: in one and the same command a
# text in which no capital is corrected has TER 0, as if nothing were left to edit, and BLEU 18.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"${PYTHON:-python3}" -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check sacrebleu==2.6.0
cd "$folder"
printf '%s\n' 'In May I visited Maria in Spain, and she spoke English.' 'We have German on Monday.' > reference.txt
printf '%s\n' 'in may i visited maria in spain, and she spoke english.' 'we have german on monday.' > source.txt
"$folder/venv/bin/sacrebleu" reference.txt -i source.txt -m bleu chrf ter > scores.json
"$folder/venv/bin/python" - <<'PYTHON'
import json

rows = {row["name"]: row for row in json.load(open("scores.json"))}
for name, row in rows.items():
    print(name, row["score"], row["signature"])
assert rows["TER"]["score"] == 0 and "case:lc" in rows["TER"]["signature"], "the behaviour changed"
assert rows["BLEU"]["score"] < 50 and "case:mixed" in rows["BLEU"]["signature"], "the behaviour changed"
assert rows["chrF2"]["score"] < 90 and "case:mixed" in rows["chrF2"]["signature"], "the behaviour changed"
PYTHON
