"""Print the table of times against the public peers: ``make bench``, or

    python benchmarks/run.py [--peer-python PYTHON] [--green CHECKOUT] [--shared FOLDER] [--smoke|--full] [NAME ...]
    python benchmarks/run.py --neural-python PYTHON [--gec-metrics CHECKOUT] networks
    python benchmarks/run.py --before PYTHON earlier
    python benchmarks/run.py --geclens-python PYTHON types

PYTHON belongs to a separate environment with the peers from PyPI (``make bench`` creates it in .peers). CHECKOUT is a
copy of github.com/shotakoyama/green, which is not on PyPI. The column of a missing peer stays empty.
Neural metrics need a PYTHON with geceval[neural,neural-test]; their peer is a CHECKOUT of
github.com/gotutiyan/gec-metrics, which also needs fuzzywuzzy and python-Levenshtein in that environment.
``types`` compares with a PYTHON that has geclens, as ``make test-peers`` sets it up.
``earlier`` compares with a PYTHON that has an earlier version of geceval, such as commit 2f347ddd.
NAMEs select files bench_NAME.py. The exit status is 1 if a budget is missed by more than a quarter, except with
--smoke.
"""

from __future__ import annotations

import argparse
import importlib
import sys
from pathlib import Path

from geceval.tables.table import plain_table
from geceval.tables.terminal import as_text
from harness import ROOT, Options, clearly_missed, table_rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    available = sorted(path.stem.removeprefix("bench_") for path in Path(__file__).parent.glob("bench_*.py"))
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(available)} (default: all)")
    parser.add_argument("--peer-python", type=Path, default=ROOT / ".peers" / "bin" / "python")
    parser.add_argument("--green", type=Path, help="a checkout of shotakoyama/green")
    parser.add_argument("--neural-python", type=Path, help="a Python with geceval[neural,neural-test]")
    parser.add_argument("--gec-metrics", type=Path, help="a checkout of gotutiyan/gec-metrics")
    parser.add_argument("--before", type=Path, help="a Python with an earlier version of geceval")
    parser.add_argument("--geclens-python", type=Path, help="a Python with geclens")
    parser.add_argument("--shared", type=Path, default=ROOT.parent / "shared", help="the shared corpora")
    parser.add_argument("--runs", type=int, default=5, help="of each, ours and the peer's in turn (default: 5)")
    parser.add_argument("--smoke", action="store_true", help="once, on the examples: does everything still run?")
    parser.add_argument("--full", action="store_true", help="also a million sentences")
    args = parser.parse_args()
    runs = 1 if args.smoke else args.runs
    options = Options(
        args.shared,
        args.peer_python,
        args.green,
        runs,
        args.smoke,
        args.full,
        args.gec_metrics,
        args.neural_python,
        args.before,
        args.geclens_python,
    )
    if not options.peer_python.exists():
        print(f"no peers: {options.peer_python} does not exist (make bench sets it up)")
    if options.green is None:
        print("no peer for GREEN: --green CHECKOUT names a copy of github.com/shotakoyama/green")
    unknown = set(args.names) - set(available)
    if unknown:
        sys.exit(f"no benchmark {', '.join(sorted(unknown))}: choose from {', '.join(available)}")
    heads = ["work", "ours, ms", "peer, ms", "ratio", "budget", "notes"]
    missed: list[str] = []
    for name in args.names or available:
        rows = list(importlib.import_module(f"bench_{name}").rows(options))
        print(as_text(plain_table(heads, table_rows(rows), right=frozenset(range(1, 5)))), flush=True)
        missed += clearly_missed(rows)
    if missed and not options.smoke:
        sys.exit("\n".join(["missed by more than a quarter:", *(f"  {work}" for work in missed)]))


if __name__ == "__main__":
    main()
