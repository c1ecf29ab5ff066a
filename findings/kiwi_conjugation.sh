#!/usr/bin/env bash
# The morphemes of Kiwi are equal for a wrong Korean conjugation and its correction (듣었어요 and 들었어요 are 듣, 었, 어요):
# evaluated on morphemes, such errors of learners do not exist, and join(), which restores the text, corrects them.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"${PYTHON:-python3}" -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check kiwipiepy==0.24.1 kiwipiepy_model==0.24.0
"$folder/venv/bin/python" - <<'PYTHON'
from importlib.metadata import version

from kiwipiepy import Kiwi

print("kiwipiepy", version("kiwipiepy"), "with model", version("kiwipiepy_model"))
kiwi = Kiwi()
# A learner's sentence, its correction, and whether their morphemes are equal.
pairs = [
    ("음악을 듣었어요.", "음악을 들었어요.", True),
    ("날씨가 덥어요.", "날씨가 더워요.", True),
    ("친구를 돕았어요.", "친구를 도왔어요.", True),
    ("아름답은 집이에요.", "아름다운 집이에요.", True),
    ("이름을 모르었어요.", "이름을 몰랐어요.", True),
    ("꽃이 예쁘어요.", "꽃이 예뻐요.", True),
    ("편지를 쓰었어요.", "편지를 썼어요.", True),
    ("한국에 살으면 좋아요.", "한국에 살면 좋아요.", False),
]
for learner, correction, expected in pairs:
    morphemes, corrected = ([token.form for token in kiwi.tokenize(text)] for text in (learner, correction))
    joined = kiwi.join(kiwi.tokenize(learner))
    relation = "equal" if morphemes == corrected else "different"
    print(f"{learner} | {correction} | {relation} | {' '.join(morphemes)} | joined: {joined}")
    assert (morphemes == corrected) == expected, "the behaviour changed"
    assert joined == correction, "the behaviour changed"
PYTHON
