#!/usr/bin/env bash
# tools/in_environment.sh NAME 'PACKAGES' ARGUMENTS...: run Python with ARGUMENTS in an environment with PACKAGES ("."
# first: this checkout). All clones share the environment, which is cached outside them (GECEVAL_CACHE). uv installs the
# packages, so that environments share files; those of WITHOUT_DEPENDENCIES alone. PYTHON chooses the interpreter.
set -euo pipefail
cd "$(dirname "$0")/.."
cache="${GECEVAL_CACHE:-$HOME/.cache/geceval}"
environment="$cache/$1"
packages="$2"
shift 2
mkdir -p "$environment"
exec 8>"$cache/uv.lock" 9>"$environment.lock"
flock 9 # one run at a time
flock 8
if [ ! -x "$cache/uv/bin/uv" ]; then
    "${PYTHON:-python3}" -m venv "$cache/uv"
    "$cache/uv/bin/pip" install --quiet --disable-pip-version-check uv
fi
exec 8>&-
export UV_CACHE_DIR="$cache/packages"
if [ ! -x "$environment/bin/python" ]; then
    echo "setting up $environment (once)"
    "$cache/uv/bin/uv" venv --quiet --allow-existing --python "$(command -v "${PYTHON:-python3}")" "$environment"
fi
case "$packages" in .*) packages="-e $packages" ;; esac
# shellcheck disable=SC2086  # several packages
"$cache/uv/bin/uv" pip install --quiet --python "$environment/bin/python" $packages
# shellcheck disable=SC2086
[ -z "${WITHOUT_DEPENDENCIES:-}" ] \
    || "$cache/uv/bin/uv" pip install --quiet --python "$environment/bin/python" --no-deps $WITHOUT_DEPENDENCIES
"$environment/bin/python" "$@"
