#!/usr/bin/env bash
# In pylangacq the tokens of an utterance of CHAT are the corrected ones ("have [: has] [*]" is "has"), without omitted
# words and retracings: taken as the sentences of the learner, they are equal to their corrections, and no error is left.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"${PYTHON:-python3}" -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check pylangacq==0.23.0
"$folder/venv/bin/python" - <<'PYTHON'
from importlib.metadata import version

import pylangacq

print("pylangacq", version("pylangacq"))
LINES = {
    "he goed [: went] [*] home .": "he went home .",
    "she have [: has] [*] a [: an] [*] apple .": "she has an apple .",
    "he 0is happy .": "he happy .",
    "<I go to> [//] I went to school .": "I went to school .",
}
header = """@UTF8
@Begin
@Languages:\teng
@Participants:\tSTU Student
@ID:\teng|corpus|STU|||||Student|||
"""
transcript = header + "".join(f"*STU:\t{line}\n" for line in LINES) + "@End\n"
for utterance, (line, expected) in zip(pylangacq.CHAT.from_strs([transcript]).utterances(), LINES.items(), strict=True):
    words = " ".join(token.word for token in utterance.tokens)
    print(f"{line} -> {words}")
    assert words == expected, "the behaviour changed"
PYTHON
