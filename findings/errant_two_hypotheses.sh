#!/usr/bin/env bash
# errant_compare takes the annotators of the system's M2 for alternatives and scores the best of them in each sentence,
# without a warning: two systems merged into one file, or a list of n best, score more than any of them.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"${PYTHON:-python3}" -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check errant==3.0.2
cd "$folder"
"$folder/venv/bin/python" - <<'PYTHON'
import subprocess
from importlib.metadata import version
from pathlib import Path

print("errant", version("errant"))
sentences = ("She go to school every days .", "He like cat .")
verbs = ("1 2|||R:VERB:SVA|||goes", "1 2|||R:VERB:SVA|||likes")
nouns = ("5 6|||R:NOUN:NUM|||day", "2 3|||R:NOUN:NUM|||cats")
wrong = ("2 3|||R:PREP|||in", "0 1|||R:PRON|||She")


def write(path, *annotators):
    blocks = []
    for row, sentence in enumerate(sentences):
        edits = [f"A {edit}|||REQUIRED|||-NONE-|||{annotator}"
                 for annotator, rows in enumerate(annotators) for edit in rows[row]]
        blocks.append("\n".join([f"S {sentence}", *edits]) + "\n")
    Path(path).write_text("\n".join(blocks) + "\n")


def score(path):
    run = subprocess.run(["venv/bin/errant_compare", "-hyp", path, "-ref", "gold.m2"], capture_output=True, text=True,
                         check=True)
    print(f"{path}:", run.stdout.split("\n")[3].replace("\t", " "))
    return float(run.stdout.split("\n")[3].split("\t")[-1])


first = ((verbs[0], nouns[0]), (wrong[1],))
second = ((wrong[0],), (verbs[1], nouns[1]))
write("gold.m2", tuple(zip(verbs, nouns)))
write("first.m2", first)
write("second.m2", second)
write("both.m2", first, second)
scores = [score(path) for path in ("first.m2", "second.m2", "both.m2")]
assert scores[2] == 1.0 > 0.9 > max(scores[:2]), "the behaviour changed"
PYTHON
