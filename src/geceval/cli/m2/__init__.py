"""``geceval m2``: look at M2 files, check them, compare them, make others and text of them."""

from __future__ import annotations

import argparse

from geceval.cli.actions import Action, add_actions
from geceval.cli.m2 import converting, differing, looking, making
from geceval.cli.m2.common import check_output

EXAMPLES = """\
examples:
  geceval m2 check gold.m2
  geceval m2 stats gold.m2.gz
  geceval m2 filter gold.m2 --type 'R:VERB*' --annotators 0 -o verbs.m2
  geceval m2 apply gold.m2 --annotator 1 > ref1.txt
  geceval m2 diff anna.m2 ben.m2
  geceval m2 merge anna.m2 ben.m2 -o gold.m2
  geceval m2 split gold.m2 --by-annotator -o parts/
  geceval m2 vote sys1.m2 sys2.m2 sys3.m2 -k 2 --text > voted.txt
  geceval m2 convert gold.m2 -o gold.jsonl

All of it: docs/m2.md.
"""

ACTIONS: dict[str, Action] = {
    "check": ("list every fault of M2 files with file and line", looking.add_check, looking.check),
    "stats": ("count sentences, edits, types, lengths and agreement", looking.add_stats, looking.stats),
    "head": ("print the first sentences with their edits", looking.add_head, looking.head),
    "source": ("print the sentences as text", looking.add_source, looking.source),
    "diff": ("compare two annotations of one text, edit by edit", differing.add_diff, differing.diff),
    "apply": ("print the sentences as one annotator corrects them", making.add_apply, making.apply),
    "filter": ("keep some of the edits, by type, operation, length or annotator", making.add_filter, making.filter),
    "merge": ("put the annotators of several M2 files into one", making.add_merge, making.merge),
    "split": ("cut a file into several, by annotator or by sentences", making.add_split, making.split),
    "vote": ("keep the edits that enough of several files have, as M2 or as text", making.add_vote, making.vote),
    "convert": (
        "to and from JSON Lines and BRAT's stand-off, and between ERRANT's and ChERRANT's dialect",
        converting.add_convert,
        converting.convert,
    ),
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EXAMPLES
    add_actions(parser, ACTIONS)


def run(args: argparse.Namespace) -> None:
    check_output(getattr(args, "output", None))
    ACTIONS[args.action][2](args)
