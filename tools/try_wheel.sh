#!/bin/sh
# tools/try_wheel.sh FOLDER: install the wheel in FOLDER into a fresh environment without a compiler, score examples/ and
# compare the numbers with the recorded ones.
set -eu
dist=$(cd "$1" && pwd)
cd "$(dirname "$0")/.."
fresh=$(mktemp -d)
trap 'rm -rf "$fresh"' EXIT
"${PYTHON:-python}" -m venv "$fresh"
bin="$fresh/bin"
[ -d "$bin" ] || bin="$fresh/Scripts" # Windows
"$bin/python" -m pip install --quiet --disable-pip-version-check --only-binary :all: "$dist"/*.whl pytest pytest-timeout hypothesis
(cd examples && "$bin/geceval" score --gold gold.m2 -c systems/eager.txt -m errant green gleu maxmatch cleme)
"$bin/python" -m pytest -q -p no:cacheprovider tests/test_recorded_numbers.py
