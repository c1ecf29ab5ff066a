"""M2 files of 100,000 distinct sentences, merged, voted on and compared, against ``wc -w`` on the same files."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

from geceval import m2
from harness import BIN, Options, Row, corpus_files, run, run_checked, side_by_side

#: Actions, and how many times as long as ``wc -w`` they may take.
ACTIONS = {"merge": 8.0, "vote -k 1": 8.0, "diff --totals": 8.0, "diff": 40.0}


def rows(options: Options) -> Iterator[Row]:
    size = 1_000 if options.smoke else 100_000
    with tempfile.TemporaryDirectory() as folder:
        files = write_annotator_files(Path(str(corpus_files(options).gold)), size, Path(folder))
        for action, within in ACTIONS.items():
            command = [str(BIN / "geceval"), "m2", *action.split(), *files, "-o", f"{folder}/out.txt"]
            ours, peer = side_by_side(
                lambda command=command: run(command, options).seconds,
                lambda: run_checked(["wc", "-w", *files], options).seconds,
                options.runs,
            )
            note = f"2 files of {size:,} distinct sentences; peer: wc -w"
            yield Row(f"m2 {action}", ours, peer, within=None if options.smoke else within, note=note)


def write_annotator_files(gold: Path, size: int, folder: Path) -> list[str]:
    """Write a file for each of two annotators, with the sentences repeated and numbered."""
    blocks = gold.read_text(encoding="utf-8").strip("\n").split("\n\n")
    heads = [block.partition("\n") for block in blocks]
    numbered = (f"{head} {n}\n{rest}\n\n" for n in range(size) for head, _, rest in [heads[n % len(heads)]])
    all_blocks = m2.Blocks.parse("".join(numbered).encode())
    paths = []
    for annotator, annotator_blocks in list(m2.split_by_annotator(all_blocks).items())[:2]:
        path = folder / f"{annotator}.m2"
        with path.open("w", encoding="utf-8") as out:
            m2.write(annotator_blocks, out)
        paths.append(str(path))
    return paths
