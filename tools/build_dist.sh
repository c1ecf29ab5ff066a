#!/usr/bin/env bash
# tools/build_dist.sh FOLDER: build an sdist of this checkout, and a wheel from the sdist. On Linux zig links the wheel
# against an old glibc (manylinux_2_17) without a container. maturin, zig and cargo's target folder are cached outside
# the clone (GECEVAL_CACHE).
set -euo pipefail
cd "$(dirname "$0")/.."
mkdir -p "$1"
out="$(cd "$1" && pwd)"
cache="${GECEVAL_CACHE:-$HOME/.cache/geceval}/wheel"
mkdir -p "$cache"
exec 9>"$cache.lock"
command -v flock >/dev/null && flock 9 # one build at a time; macOS has no flock
[ -x "$cache/build/bin/python" ] || "${PYTHON:-python3}" -m venv "$cache/build"
"$cache/build/bin/pip" install --quiet --disable-pip-version-check 'maturin>=1.9,<2' ziglang
export PATH="$cache/build/bin:$PATH" CARGO_TARGET_DIR="$cache/target"
old_glibc=()
[ "$(uname -s)" != Linux ] || old_glibc=(--zig --compatibility manylinux_2_17)
rm -f "$out"/geceval-*
maturin sdist --out "$out"
unpacked="$(mktemp -d)"
trap 'rm -rf "$unpacked"' EXIT
# -m: files get the current time. Those of an sdist are all of one day, and cargo would not compile them again.
tar -x -m -f "$out"/geceval-*.tar.gz -C "$unpacked"
(cd "$unpacked"/geceval-* && maturin build --release --locked ${old_glibc[@]+"${old_glibc[@]}"} --out "$out")
ls -l "$out"
