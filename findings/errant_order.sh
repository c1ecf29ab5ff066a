#!/usr/bin/env bash
# With several annotators the score of errant_compare depends on the order of sentences, since it takes the annotator
# of each sentence that is best for the F of all sentences so far: the same two sentences give 68.18 or 71.43.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"${PYTHON:-python3}" -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check errant==3.0.2
"$folder/venv/bin/python" - "$folder" <<'PYTHON'
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

folder = Path(sys.argv[1])


def edit(place: int, annotator: int) -> str:
    """Return an edit that replaces a token of the source."""
    return f"A {place} {place + 1}|||R:OTHER|||x|||REQUIRED|||-NONE-|||{annotator}"


def no_edit(annotator: int) -> str:
    """Return the line of an annotator who corrects nothing."""
    return f"A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||{annotator}"


# In sentence one, annotator 0 corrects nothing and annotator 1 all eight tokens; the system corrects the first.
source = "S a b c d e f g h"
system = {"one": [source, edit(0, 0)], "two": [source, edit(0, 0), edit(1, 0)]}
gold = {
    "one": [source, no_edit(0), *(edit(place, 1) for place in range(8))],
    "two": [source, edit(0, 0), edit(1, 0)],
}
scores = {}
for order in (("one", "two"), ("two", "one")):
    for name, blocks in (("system", system), ("gold", gold)):
        text = "".join("\n".join(blocks[sentence]) + "\n\n" for sentence in order)
        (folder / f"{name}.m2").write_text(text, encoding="utf-8")
    command = [f"{folder}/venv/bin/errant_compare", "-hyp", f"{folder}/system.m2", "-ref", f"{folder}/gold.m2"]
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    scores[order] = output.splitlines()[3].split()
    print("errant", version("errant"), *order, "TP FP FN P R F0.5:", *scores[order])
assert scores["one", "two"] == ["3", "0", "7", "1.0", "0.3", "0.6818"], "the behaviour changed"
assert scores["two", "one"] == ["2", "1", "0", "0.6667", "1.0", "0.7143"], "the behaviour changed"
PYTHON
