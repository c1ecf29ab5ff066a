#!/usr/bin/env bash
# openpyxl and pandas read a cell in which a teacher struck out "go" and wrote "goes" after it as "He gogoes home.", the
# text of both with nothing between; only openpyxl's rich_text=True shows which letters are struck out.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"${PYTHON:-python3}" -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
    openpyxl==3.1.5 pandas==3.1.1 python-calamine==0.8.2
"$folder/venv/bin/python" - "$folder/essays.xlsx" <<'PYTHON'
import sys
from importlib.metadata import version

import openpyxl
import pandas as pd
from openpyxl.cell.rich_text import CellRichText, TextBlock
from openpyxl.cell.text import InlineFont

path = sys.argv[1]
print(*(f"{package} {version(package)}" for package in ("openpyxl", "pandas", "python-calamine")))
workbook = openpyxl.Workbook()
workbook.active.append(["answer"])
struck, added = InlineFont(strike=True, color="FFFF0000"), InlineFont(color="FF00B050")
workbook.active["A2"] = CellRichText("He ", TextBlock(struck, "go"), TextBlock(added, "goes"), " home.")
workbook.save(path)
texts = {
    "openpyxl": openpyxl.load_workbook(path).active["A2"].value,
    "pandas, openpyxl": pd.read_excel(path, engine="openpyxl")["answer"][0],
    "pandas, calamine": pd.read_excel(path, engine="calamine")["answer"][0],
}
print(texts)
assert set(texts.values()) == {"He gogoes home."}, "the behaviour changed"
rich = openpyxl.load_workbook(path, rich_text=True).active["A2"].value
blocks = [(str(block), bool(getattr(block, "font", None) and block.font.strike)) for block in rich]
print(blocks)
assert ("go", True) in blocks, "the behaviour changed"
PYTHON
