"""Comparison of systems by type, with tests and intervals, against geclens; both as whole processes."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

from harness import BIN, ROOT, Options, Row, run_checked, side_by_side

TYPES = ("DET", "PREP", "R:VERB:SVA", "NOUN:NUM", "VERB:TENSE", "WO")
EXAMPLES = ROOT / "examples"


def rows(options: Options) -> Iterator[Row]:
    types: tuple[str, ...] = ("R:VERB*",) if options.smoke else TYPES
    folder = options.shared / "data" / "conll14-errant"
    if options.smoke or not folder.exists():
        source, gold = EXAMPLES / "source.txt", EXAMPLES / "gold.m2"
        systems, samples = sorted((EXAMPLES / "systems").glob("*.txt")), 200
    else:
        source, gold = options.shared / "data" / "conll14" / "source.txt", folder / "gold.m2"
        systems, samples = sorted(set(folder.glob("*.m2")) - {gold}), 10_000
    with tempfile.TemporaryDirectory() as out:
        inputs = ["-s", str(source), "--gold", str(gold), "-c", *map(str, systems), "--baseline", systems[0].stem]
        command = [str(BIN / "geceval"), "compare", *inputs, "--samples", str(samples), "-q", "-o", f"{out}/types.txt"]
        ours, peer = side_by_side(
            lambda: run_checked([*command, "--type", *types], options).seconds,
            None
            if options.geclens_python is None
            else lambda: _peer_seconds(options, Path(out), source, gold, systems, types, samples),
            options.runs,
        )
    work = f"{len(systems)} systems × {len(types)} types, {samples:,} resamples, with tests and intervals"
    yield Row(work, ours, peer, None if options.smoke else 20)


def _peer_seconds(
    options: Options, out: Path, source: Path, gold: Path, systems: list[Path], types: tuple[str, ...], samples: int
) -> float:
    lines = [
        f"source: {source}",
        f"reference: {gold}",
        f"out_dir: {out}",
        f"selectors: [{', '.join(types)}]",
        "systems:",
        *(f"  {path.stem}: {path}" for path in systems),
        "statistics:",
        f"  bootstrap_resamples: {samples}",
        f"  shuffles: {samples}",
        "  measures: [type_only, success, overcorrection]",
        f"  baseline: {systems[0].stem}",
        "profile: {enabled: false}",
    ]
    (out / "types.yaml").write_text("\n".join(lines) + "\n", encoding="utf-8")
    command = [str(Path(str(options.geclens_python)).parent / "geclens"), "run", f"{out}/types.yaml"]
    return run_checked(command, options).seconds
