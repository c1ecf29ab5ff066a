#!/usr/bin/env bash
# A blank line in a second reference, where the annotator made none, is a reference without words for sacrebleu: TER
# divides by the mean length and is doubled, from 8.3 to 16.7, while BLEU and chrF do not change.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"${PYTHON:-python3}" -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check sacrebleu==2.6.0
cd "$folder"
printf '%s\n' 'He go home every day .' 'I like it very much .' > system.txt
printf '%s\n' 'He goes home every day .' 'I like it very much .' > ref0.txt
printf '\n\n' > ref1.txt
venv/bin/python - <<'PYTHON'
import subprocess
from importlib.metadata import version

print("sacrebleu", version("sacrebleu"))
scores = {}
for files in (("ref0.txt",), ("ref0.txt", "ref1.txt")):
    for metric in ("bleu", "chrf", "ter"):
        command = ["venv/bin/sacrebleu", *files, "-i", "system.txt", "-m", metric, "-b"]
        scores[files, metric] = float(subprocess.run(command, capture_output=True, check=True, text=True).stdout)
        print(*files, f"{metric}: {scores[files, metric]}")
single, both = ({metric: score for (names, metric), score in scores.items() if len(names) == n} for n in (1, 2))
assert both == {**single, "ter": 16.7} and single["ter"] == 8.3, "the behaviour changed"
PYTHON
