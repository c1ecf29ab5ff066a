#!/usr/bin/env bash
# The tests of the extra geceval[neural], in an environment of their own that is kept between runs and shared by clones:
# torch from PyPI brings several GB of CUDA libraries. GECEVAL_CACHE moves it; PYTHON chooses the interpreter.
set -euo pipefail
cd "$(dirname "$0")/.."
cache="${GECEVAL_CACHE:-$HOME/.cache/geceval}"
environment="$cache/neural"
mkdir -p "$cache"
exec 9>"$cache/neural.lock"
flock 9 # one installation at a time
if [ ! -x "$environment/bin/python" ]; then
    echo "setting up $environment (once, some minutes)"
    "${PYTHON:-python3}" -m venv "$environment"
fi
"$environment/bin/pip" install --quiet --disable-pip-version-check -e '.[dev,neural,neural-test]'
"$environment/bin/python" -m pytest tests/neural "$@"
"$environment/bin/python" -m pytest tests/test_contract.py -k 'ptm2 or pterrant' "$@"
