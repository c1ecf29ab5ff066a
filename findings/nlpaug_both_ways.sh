#!/usr/bin/env bash
# SpellingAug of nlpaug, which adds spelling errors, also corrects them: by default it reads its list of misspellings in
# both directions, so that a learner's "beleive" becomes "believe" in the noisy copy of a text.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"${PYTHON:-python3}" -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check nlpaug==1.1.11
"$folder/venv/bin/python" - <<'PYTHON'
from importlib.metadata import version

import nlpaug.augmenter.word as naw

print("nlpaug", version("nlpaug"))
noise = naw.SpellingAug(aug_p=1.0)
learner = {"beleive": "believe", "untill": "until", "thier": "their", "beautifull": "beautiful"}
for wrong, right in learner.items():
    # Each word is drawn from those of the list.
    noisy = {text for _ in range(20) for text in noise.augment(wrong)}
    print(f"{wrong} -> {noisy}")
    assert noisy == {right}, "the behaviour changed"
PYTHON
