#!/usr/bin/env bash
# tools/build_dist.sh FOLDER: an sdist of this checkout, and from it a wheel, as `pip` and indexes take them. On Linux zig
# links the wheel against an old glibc (manylinux_2_17), for which otherwise a container is needed. maturin, zig and what
# cargo made are kept outside the clone, between runs; GECEVAL_CACHE moves them.
set -euo pipefail
cd "$(dirname "$0")/.."
mkdir -p "$1"
out="$(cd "$1" && pwd)"
kept="${GECEVAL_CACHE:-$HOME/.cache/geceval}/wheel"
mkdir -p "$kept"
exec 9>"$kept.lock"
command -v flock >/dev/null && flock 9 # one build at a time; macOS has none
[ -x "$kept/build/bin/python" ] || "${PYTHON:-python3}" -m venv "$kept/build"
"$kept/build/bin/pip" install --quiet --disable-pip-version-check 'maturin>=1.9,<2' ziglang
export PATH="$kept/build/bin:$PATH" CARGO_TARGET_DIR="$kept/target"
old_glibc=()
[ "$(uname -s)" != Linux ] || old_glibc=(--zig --compatibility manylinux_2_17)
rm -f "$out"/geceval-*
maturin sdist --out "$out"
unpacked="$(mktemp -d)"
trap 'rm -rf "$unpacked"' EXIT
# Anew from now on (-m): all files of an sdist are of one day, and cargo compiles only what is younger than what it has.
tar -x -m -f "$out"/geceval-*.tar.gz -C "$unpacked"
(cd "$unpacked"/geceval-* && maturin build --release --locked ${old_glibc[@]+"${old_glibc[@]}"} --out "$out")
ls -l "$out"
