"""Run by the peers' own Python: times a public tool's work inside the process and prints JSON.

peer.py green|gleu ARGUMENTS...      the tool's command line; seconds do not include its imports
"""

from __future__ import annotations

import contextlib
import importlib
import io
import json
import sys
import time


def main() -> None:
    tool, *arguments = sys.argv[1:]
    module = importlib.import_module(f"{tool}.main")
    sys.argv = [tool, *arguments]
    start = time.perf_counter()
    with contextlib.redirect_stdout(io.StringIO()):
        getattr(module, tool)()
    print(json.dumps({"seconds": time.perf_counter() - start}))


if __name__ == "__main__":
    main()
