"""The file format of CONTRIBUTING.md, added as on the page, is read by its ending."""

from __future__ import annotations

from pathlib import Path

from support.pages import ROOT, parse_blocks
from support.tree_copy import TreeCopy

PAGE = "CONTRIBUTING.md"
TABLE = "src/geceval/text/reading/file_kinds.tsv"
IMPORTS = """from __future__ import annotations

from collections.abc import Iterator, Sequence

from geceval.text.reading.file_columns import FileContent
from geceval.text.reading.input_files import InputFile


"""


def test_file_format_of_the_page_is_read_by_its_ending(tmp_path: Path) -> None:
    tree = TreeCopy.make(tmp_path)
    lines = (ROOT / PAGE).read_text(encoding="utf-8").splitlines()
    code = next(block.code for block in parse_blocks(PAGE, lines) if "def open_pairs" in block.code)
    tree.write("src/geceval/text/reading/pairs.py", IMPORTS + code)
    row = ("pairs", ".pairs", "geceval.text.reading.pairs:open_pairs", *[""] * 4)
    tree.write(TABLE, tree.read(TABLE) + "\t".join(row) + "\n")
    tree.write("dev.pairs", "He go .\nHe goes .\nA b .\nA c .\n")
    tree.write("odd.pairs", "He go .\nHe goes .\nA b .\n")
    tree.write("reference.txt", "He goes .\nA c .\n")
    arguments = ("-r", "reference.txt", "-m", "errant", "-f", "csv")
    scored = tree.run(".venv/bin/geceval", "score", "-i", "dev.pairs", *arguments)
    assert scored.stdout == "system,ERRANT\nhypothesis,100.00\n", scored.stderr
    refused = tree.run(".venv/bin/geceval", "score", "-i", "odd.pairs", *arguments)
    assert "error: odd.pairs:3: a source without a correction" in refused.stderr
