#!/usr/bin/env bash
# The M2 of GreynirCorrect is not M2 of its input: the S line has the spelling already corrected, and each replacement is
# an insertion before the word that it replaces, since its inclusive end is written as if it were exclusive.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"${PYTHON:-python3}" -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
    reynir-correct==4.1.3 reynir==3.5.7 tokenizer==3.4.5 icegrams==1.1.7 islenska==1.5.0
# "Mér langar" needs another case, "eithvað" is a misspelling of "eitthvað", "og og" is a repeated word.
printf 'Mér langar heim.\nHann sá eithvað og og kom.\n' > "$folder/page.txt"
"$folder/venv/bin/pip" list --disable-pip-version-check 2> /dev/null | grep -i '^reynir-correct'
"$folder/venv/bin/correct" "$folder/page.txt" --all_errors --format m2 | tee "$folder/page.m2"
"${PYTHON:-python3}" - "$folder/page.m2" <<'PYTHON'
import sys
from pathlib import Path

lines = Path(sys.argv[1]).read_text(encoding="utf-8").splitlines()
sources = [line[2:] for line in lines if line.startswith("S ")]
edits = [line[2:].split("|||") for line in lines if line.startswith("A ")]
assert sources == ["Mér langar heim .", "Hann sá eitthvað og kom ."], "the behaviour changed"
assert [edit[2] for edit in edits] == ["Mig", "eitthvað", "og"], "the behaviour changed"
assert all(start == end for start, end in (edit[0].split() for edit in edits)), "the behaviour changed"
PYTHON
