#!/usr/bin/env bash
# Converted to simplified Chinese (OpenCC, t2s), traditional sentences lose errors: characters that learners confuse are
# often simplified alike, so that "你在乾什麼" and its correction "你在幹什麼" become equal, and 皇後 becomes 皇后.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"${PYTHON:-python3}" -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check opencc==1.4.2
"$folder/venv/bin/python" - <<'PYTHON'
from importlib.metadata import version

import opencc

print("opencc", version("opencc"))
converter = opencc.OpenCC("t2s")
pairs = {
    ("你在乾什麼？", "你在幹什麼？"): True,
    ("國王和皇後來了。", "國王和皇后來了。"): True,
    ("我喜歡她的發型。", "我喜歡她的髮型。"): True,
    ("我今天要復習功課。", "我今天要複習功課。"): True,
    ("我隻有一本書。", "我只有一本書。"): True,
    ("我因該去。", "我應該去。"): False,
}
for (source, correction), equal in pairs.items():
    texts = [converter.convert(text) for text in (source, correction)]
    print(source, correction, "->", *texts)
    assert source != correction and (texts[0] == texts[1]) is equal, "the behaviour changed"
PYTHON
