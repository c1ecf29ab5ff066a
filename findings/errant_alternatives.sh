#!/usr/bin/env bash
# ERRANT reads the alternatives of a correction ("goes||went", as in the gold of CoNLL-2014) as one text with bars:
# neither "goes" nor "went" is right for errant_compare, only the text "goes||went" is.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"${PYTHON:-python3}" -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check errant==3.0.2
for correction in gold goes went; do
    text=${correction/gold/goes||went}
    printf 'S He go home .\nA 1 2|||R:VERB|||%s|||REQUIRED|||-NONE-|||0\n\n' "$text" > "$folder/$correction.m2"
done
"$folder/venv/bin/pip" list --disable-pip-version-check 2> /dev/null | grep '^errant'
for correction in gold goes went; do
    "$folder/venv/bin/errant_compare" -hyp "$folder/$correction.m2" -ref "$folder/gold.m2" > "$folder/$correction.txt"
    echo "$correction: $(sed -n 4p "$folder/$correction.txt")"
done
test "$(sed -n 4p "$folder/goes.txt" | cut -f 1-3)" = $'0\t1\t1' || (echo "the behaviour changed" && exit 1)
test "$(sed -n 4p "$folder/went.txt" | cut -f 1-3)" = $'0\t1\t1' || (echo "the behaviour changed" && exit 1)
test "$(sed -n 4p "$folder/gold.txt" | cut -f 1-3)" = $'1\t0\t0' || (echo "the behaviour changed" && exit 1)
