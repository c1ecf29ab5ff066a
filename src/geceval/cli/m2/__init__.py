"""``geceval m2``: check, count, compare, filter, merge and convert M2 files."""

from __future__ import annotations

from geceval.cli.m2.annotation_diff import DIFF
from geceval.cli.m2.derived_files import APPLY, FILTER, MERGE, SPLIT, VOTE
from geceval.cli.m2.format_conversion import CONVERT
from geceval.cli.m2.inspection import CHECK, HEAD, SOURCE, STATS
from geceval.cli.m2.pool_weights import WEIGHTS
from geceval.cli.m2.proposals import PROPOSE
from geceval.cli.parsing import Actions

COMMAND = Actions(
    {
        "check": ("list every fault of M2 files with file and line", CHECK),
        "stats": ("count sentences, edits, types, lengths and agreement", STATS),
        "head": ("print the first sentences with their edits", HEAD),
        "source": ("print the sentences as text", SOURCE),
        "diff": ("compare two annotations of one text, edit by edit", DIFF),
        "apply": ("print the sentences as one annotator corrects them", APPLY),
        "filter": ("keep some of the edits, by type, operation, length or annotator", FILTER),
        "merge": ("put the annotators of several M2 files into one", MERGE),
        "split": ("cut a file into several, by annotator or by sentences", SPLIT),
        "vote": ("keep the edits that enough of several files have, as M2 or as text", VOTE),
        "propose": ("ask a language model which edits beyond the references are valid", PROPOSE),
        "convert": (
            "to and from JSON Lines and BRAT's stand-off, and between ERRANT's and ChERRANT's dialect",
            CONVERT,
        ),
        "weights": ("write GoToScorer's weights: the number of systems that have each gold chunk right", WEIGHTS),
    },
)
