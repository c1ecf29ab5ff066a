#!/usr/bin/env bash
# tools/in_environment.sh NAME 'PACKAGES' ARGUMENTS...: runs Python with the arguments in an environment with these packages
# (".", first: this checkout). It is kept outside the clone, between runs and for all clones, because some packages take minutes.
# uv installs them: environments share the files of equal packages. GECEVAL_CACHE moves all; PYTHON chooses the interpreter.
set -euo pipefail
cd "$(dirname "$0")/.."
kept="${GECEVAL_CACHE:-$HOME/.cache/geceval}"
environment="$kept/$1"
packages="$2"
shift 2
mkdir -p "$environment"
exec 8>"$kept/uv.lock" 9>"$environment.lock"
flock 9 # one run at a time
flock 8
if [ ! -x "$kept/uv/bin/uv" ]; then
    "${PYTHON:-python3}" -m venv "$kept/uv"
    "$kept/uv/bin/pip" install --quiet --disable-pip-version-check uv
fi
exec 8>&-
export UV_CACHE_DIR="$kept/packages"
if [ ! -x "$environment/bin/python" ]; then
    echo "setting up $environment (once)"
    "$kept/uv/bin/uv" venv --quiet --allow-existing --python "$(command -v "${PYTHON:-python3}")" "$environment"
fi
case "$packages" in .*) packages="-e $packages" ;; esac # this checkout, if any, as it is edited
# shellcheck disable=SC2086  # several packages
"$kept/uv/bin/uv" pip install --quiet --python "$environment/bin/python" $packages
"$environment/bin/python" "$@"
