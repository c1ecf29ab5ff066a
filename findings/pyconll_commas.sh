#!/usr/bin/env bash
# pyconll splits values of MISC at commas into sets: in a treebank CorrectForm=1,000 is {"1", "000"} in any order
# and CorrectForm=, (a comma) is {""}. conllu keeps both, but reads a deletion, CorrectForm=_, as None.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"${PYTHON:-python3}" -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check pyconll==3.3.1 conllu==6.0.0
"$folder/venv/bin/python" - <<'PYTHON'
from importlib.metadata import version

import conllu
import pyconll

print("pyconll", version("pyconll"), "conllu", version("conllu"))
ROWS = [("1000", "NUM", "1,000"), ("very", "ADV", "_"), ("dogs", "NOUN", "cats"), (".", "PUNCT", ",")]
heads = ["3\tnummod", "3\tadvmod", "0\troot", "3\tpunct"]
treebank = "# text = 1000 very dogs .\n"
for number, ((form, tag, correct), head) in enumerate(zip(ROWS, heads, strict=True), start=1):
    treebank += f"{number}\t{form}\t{form}\t{tag}\t_\t_\t{head}\t_\tCorrectForm={correct}\n"
treebank += "\n"
[first] = pyconll.load_from_string(treebank)
[second] = conllu.parse(treebank)
sets = [token.misc["CorrectForm"] for token in first]
texts = [token["misc"]["CorrectForm"] for token in second]
for row, value, text in zip(ROWS, sets, texts, strict=True):
    print(row[0], f"CorrectForm={row[2]}", "pyconll", sorted(value), "conllu", repr(text))
assert sets == [{"1", "000"}, {"_"}, {"cats"}, {""}], "the behaviour changed"
assert texts == ["1,000", None, "cats", ","], "the behaviour changed"
PYTHON
