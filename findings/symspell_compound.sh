#!/usr/bin/env bash
# lookup_compound of symspellpy, its function for sentences, writes lower case without punctuation and replaces digits by
# words: nearly every line of such a baseline differs from its source, also where nothing is wrong.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"${PYTHON:-python3}" -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check symspellpy==6.10.1
"$folder/venv/bin/python" - <<'PYTHON'
from importlib.metadata import version
from importlib.resources import files

from symspellpy import SymSpell

print("symspellpy", version("symspellpy"))
checker = SymSpell()
checker.load_dictionary(str(files("symspellpy") / "frequency_dictionary_en_82_765.txt"), 0, 1)
for sentence in ("In 2019 we were in London .", "Is it near , or far ?"):
    plain, cased = (checker.lookup_compound(sentence, 2, transfer_casing=case)[0].term for case in (False, True))
    print(f"{sentence!r}: {plain!r}; with transfer_casing {cased!r}")
    assert plain == plain.lower() and not set(plain) & set("0123456789.,?"), "the behaviour changed"
    assert not set(cased) & set("0123456789.,?"), "the behaviour changed"
PYTHON
