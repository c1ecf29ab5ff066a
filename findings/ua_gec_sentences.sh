#!/usr/bin/env bash
# The sentence files of UA-GEC have as many lines as their sources, yet are not parallel: in document 0170 sentences are
# split and later joined, so that lines between them pair other sentences; and its layers split 10 sources differently.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"${PYTHON:-python3}" -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check ua-gec==2.1.3
"$folder/venv/bin/python" - <<'PYTHON'
from importlib.metadata import version
from pathlib import Path

import ua_gec

print("ua-gec", version("ua-gec"))
data = Path(ua_gec.__file__).parent / "data"


def lines(layer: str, file: str) -> list[str]:
    """Return the sentences of a file of the test set."""
    return (data / layer / "test" / file).read_text(encoding="utf-8").split("\n")


sources = lines("gec-only", "source-sentences/0170.src.txt")
corrections = lines("gec-only", "target-sentences/0170.a2.txt")
for number in range(6, 12):
    print(number + 1, sources[number][:40], "|", corrections[number][:40])
assert len(sources) == len(corrections) == 51, "the data changed"
# The correction of sentence 9 is on line 11.
assert sources[8].startswith("З шаленим криком") and corrections[10].startswith("З шаленим криком"), "the data changed"
names = sorted(path.name for path in (data / "gec-only/test/source-sentences").iterdir())
layers = [[lines(layer, f"source-sentences/{name}") for name in names] for layer in ("gec-only", "gec-fluency")]
differing = sum(first != second for first, second in zip(*layers, strict=True))
print(f"{differing} of {len(names)} sources are split differently by the layers")
assert (differing, len(names)) == (10, 166), "the data changed"
texts = [["".join("".join(sentences).split()) for sentences in layer] for layer in layers]
assert texts[0] == texts[1], "the data changed"
PYTHON
