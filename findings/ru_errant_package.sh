#!/usr/bin/env bash
# ru-errant on PyPI installs over ERRANT, whose module it replaces (3.0.2 becomes 2.3.0 without a word), and cannot type
# Russian: its classifier reads two word lists that the package does not contain.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"${PYTHON:-python3}" -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check errant==3.0.2 nltk==3.10.4 python-Levenshtein==0.27.5
cd "$folder"
version='import errant, sys; print("errant", errant.__version__)'
"venv/bin/python" -c "$version" | tee before
venv/bin/pip install --quiet --disable-pip-version-check --no-deps ru_errant==2.3.0
"venv/bin/python" -c "$version" | tee after
venv/bin/pip list --disable-pip-version-check 2>/dev/null | grep -i errant
grep -q '^errant 3.0.2$' before && grep -q '^errant 2.3.0$' after || { echo "the behaviour changed"; exit 1; }
"venv/bin/python" - <<'PYTHON'
try:
    import errant.ru.classifier
except FileNotFoundError as error:
    missing = str(error.filename).rsplit("/")[-1]
    print("errant.ru.classifier: FileNotFoundError:", missing)
    assert missing == "Russian.dic", "the behaviour changed"
else:
    raise SystemExit("the behaviour changed: the word lists are in the package")
PYTHON
