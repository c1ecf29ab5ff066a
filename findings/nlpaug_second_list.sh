#!/usr/bin/env bash
# nlpaug reads one list of misspellings per process: a second SpellingAug with another dict_path, the errors of German
# learners for example, uses the list of the first one: it leaves German words as they are or makes English of them.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"${PYTHON:-python3}" -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check nlpaug==1.1.11
cd "$folder"
# Each line has a right word and its misspellings, as in the English list of the package.
printf '%s\n' 'nämlich nähmlich' 'Kind Kint' > german.txt
cat > noise.py <<'PYTHON'
import sys
from importlib.metadata import version

import nlpaug.augmenter.word as naw

paths = {"English": None, "German": "german.txt"}
augmenters = {name: naw.SpellingAug(dict_path=paths[name], aug_p=1.0, include_reverse=False) for name in sys.argv[1:]}
print("nlpaug", version("nlpaug"), *sys.argv[1:])
for word in ("nämlich", "Kind"):
    # The word is drawn from those of the list.
    print(word, "->", *sorted({text for _ in range(50) for text in augmenters["German"].augment(word)}))
PYTHON
venv/bin/python noise.py German | tee alone.txt
venv/bin/python noise.py English German | tee second.txt
cat > expected.txt <<'TEXT'
nämlich -> nähmlich
Kind -> Kint
nämlich -> nämlich
Kind -> Kend King
TEXT
tail -qn 2 alone.txt second.txt | diff expected.txt - || { echo "the behaviour changed"; exit 1; }
