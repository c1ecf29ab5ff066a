#!/usr/bin/env bash
# tools/in_environment.sh NAME 'PACKAGES' ARGUMENTS...: runs Python with the arguments in an environment with these packages
# (".", first: this checkout). It is kept outside the clone, between runs and for all clones, because some packages take minutes.
# GECEVAL_CACHE moves it; PYTHON chooses the interpreter.
set -euo pipefail
cd "$(dirname "$0")/.."
environment="${GECEVAL_CACHE:-$HOME/.cache/geceval}/$1"
packages="$2"
shift 2
mkdir -p "$environment"
exec 9>"$environment.lock"
flock 9 # one installation at a time
if [ ! -x "$environment/bin/python" ]; then
    echo "setting up $environment (once, some minutes)"
    "${PYTHON:-python3}" -m venv "$environment"
fi
case "$packages" in .*) packages="-e $packages" ;; esac # this checkout, if any, as it is edited
# shellcheck disable=SC2086  # several packages
"$environment/bin/pip" install --quiet --disable-pip-version-check $packages
"$environment/bin/python" "$@"
