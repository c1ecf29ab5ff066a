"""Lines of each command that run in examples/; tests that try every command use them."""

from __future__ import annotations

from geceval.commands.command_list import ACTIONS, SUMMARIES
from geceval.dropins import DROPINS

#: All commands and actions.
COMMANDS = [
    *(name for name in SUMMARIES if name not in ACTIONS),
    *(f"{name} {action}" for name, actions in ACTIONS.items() for action in actions),
]

#: What makes each command run, with options to be added.
RUNS: dict[str, list[list[str]]] = {
    "score": [["-s", "source.txt", "-r", "ref0.txt", "-c", "systems/eager.txt", "-m", "green"],
              ["--gold", "gold.m2", "-c", "systems/eager.txt", "-m", "errant,maxmatch"]],
    "gate": [["-s", "source.txt", "-r", "ref0.txt", "-c", "systems/eager.txt", "--fail-under", "green=40"]],
    "filter": [["-s", "source.txt", "-c", "systems/eager.txt", "--keep", "edits > 0 and not duplicate"]],
    "m2": [*([name, "gold.m2"] for name in ("check", "apply", "merge", "stats", "source", "vote", "diff")),
           ["filter", "gold.m2", "--type", "R"], ["convert", "gold.m2", "--to", "jsonl"],
           ["weights", "--gold", "gold.m2", "-c", "systems/eager.txt", "systems/noisy.txt"]],
    "annotate": [["-s", "source.txt", "-c", "ref0.txt"],
                 ["--gold", "gold.m2", "-c", "systems/eager.txt", "-f", "chunks"]],
    "meta": [["--judgments", "judgments.xml", "-c", "systems", "-s", "source.txt", "-r", "ref0.txt", "-m", "green"]],
    "post-edit": [["-s", "source.txt", "-c", "systems/eager.txt"]],
    "completion": [["bash"]],
    "compare": [["-s", "source.txt", "-r", "ref0.txt", "-c", "systems/eager.txt", "systems/noisy.txt", "-m", "green",
                 "--samples", "50"]],
    "rank": [["-s", "source.txt", "-r", "ref0.txt", "-c", "systems/eager.txt", "systems/noisy.txt", "-m", "green",
              "--samples", "50"]],
    "report": [["-s", "source.txt", "-r", "ref0.txt", "-c", "systems/eager.txt", "systems/noisy.txt", "-m", "green",
                "--samples", "20", "--limit", "2", "-q", "-o", "-"]],
    "show": [["-s", "source.txt", "-r", "ref0.txt", "-c", "systems/eager.txt", "systems/noisy.txt", "-m", "errant",
              "green"]],
    "explain": [["--gold", "gold.m2", "-c", "systems/noisy.txt", "--sentence", "3", "-m", "errant"],
                ["He go .", "He goes .", "He went .", "-m", "green"]],
    "prepare": [["source.txt"]],
    "metrics": [["errant"]],
    "language": [["list"], ["make", "--conllu", "source.txt", "--code", "xx"]],
    "select": [
        ["-s", "source.txt", "-c", "source.txt", "--per-sentence", "1", "--criterion", "mbr", "-m", "green"],
        ["-s", "source.txt", "-c", "source.txt", "--per-sentence", "1", "--criterion", "green", "-r", "ref0.txt"],
    ],
    "suite": [["bench.toml", "--samples", "50"], ["--list"]],
    "reproduce": [["bench.toml"]],
    "sweep": [["--gold", "gold.m2", "-c", "confident.m2", "-t", "0.5"]],
    "detect": [["-g", "gold.m2", "-c", "gold.m2", "systems/eager.txt"]],
    **{name: [["-s", "source.txt", "-r", "ref0.txt", "-o", "systems/eager.txt"]] for name in DROPINS if "gre" in name},
    **{name: [["-s", "source.txt", "-r", "ref0.txt", "-o", "systems/eager.txt", "-i", "9"]] for name in DROPINS
       if "gleu" in name},
    "install-scripts": [["source.txt"], ["/dev/null/here"]],
    "m2scorer": [["systems/eager.txt", "gold.m2"]],
    "errant_parallel": [["-orig", "source.txt", "-cor", "ref0.txt", "-out", "-"]],
    "errant_m2": [["-gold", "gold.m2", "-out", "-"]],
    "errant_compare": [["-hyp", "gold.m2", "-ref", "gold.m2"]],
    "cherrant_compare": [["-hyp", "gold.m2", "-ref", "gold.m2"]],
}  # fmt: skip
