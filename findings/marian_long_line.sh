#!/usr/bin/env bash
# Marian's decoder stops at the first sentence longer than --max-length: it and all later ones have no output line, the
# exit status is 0 and nothing is said, so that a file of corrections ends early; --max-length-crop corrects them all.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"${PYTHON:-python3}" -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check pymarian==1.12.42
cat > "$folder/source.txt" <<'TEXT'
He go home .
She like apples .
Yesterday we was in the house of my old uncle .
I has a dog .
They is here .
TEXT
cat > "$folder/target.txt" <<'TEXT'
He goes home .
She likes apples .
Yesterday we were in the house of my old uncle .
I have a dog .
They are here .
TEXT
cd "$folder"
cat > marian.py <<'PYTHON'
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

LIMIT = 8


def marian(command: str) -> str:
    """Run a command of Marian in a process of its own, and return its log."""
    code = f"import _pymarian, sys; sys.exit(_pymarian.main({command.split()!r}))"
    finished = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert finished.returncode == 0, finished.stderr
    return finished.stderr


print("pymarian", version("pymarian"))
for name in ("source", "target"):
    words = sorted(set(Path(f"{name}.txt").read_text().split()))
    numbers = "".join(f'"{word}": {number}\n' for number, word in enumerate(words, 2))
    Path(f"{name}.yml").write_text(f"</s>: 0\n<unk>: 1\n{numbers}")
vocabularies = "-m model.npz -v source.yml target.yml -w 100 --cpu-threads 1"
marian(f"train {vocabularies} -t source.txt target.txt --type s2s --dim-emb 8 --dim-rnn 8 --after-batches 2 --mini-batch 2")
source = Path("source.txt").read_text().splitlines()
print("tokens of the sentences:", [len(line.split()) for line in source], "limit:", LIMIT)
lines = {}
for option in ("", "--max-length-crop"):
    log = marian(f"decode {vocabularies} -i source.txt -o out.txt --max-length {LIMIT} {option}")
    messages = [line for line in log.splitlines() if "[config]" not in line and ("skip" in line or "warn" in line)]
    lines[option] = len(Path("out.txt").read_text().splitlines())
    print(f"{option or 'default'}: {lines[option]} lines of output for {len(source)} sentences; warnings: {messages}")
    assert not messages, "the behaviour changed"
assert lines == {"": 2, "--max-length-crop": 5}, "the behaviour changed"
PYTHON
"$folder/venv/bin/python" marian.py
