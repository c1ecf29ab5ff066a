"""The names of the commands, each with its function and its summary."""

from __future__ import annotations

import importlib
import textwrap
from collections.abc import Sequence
from typing import Any

from cyclopts import App, Group

from geceval.base.arguments import did_you_mean
from geceval.base.errors import UsageError
from geceval.commands.shared.command_line import HELP_ALL, HELP_FLAGS, make_app, run
from geceval.dropins import DROPINS

#: The first group of commands, and its example.
START = "Start here"
EXAMPLE = """\
geceval score -s source.txt -r ref0.txt ref1.txt -c old.txt new.txt
geceval compare -s source.txt -r ref0.txt ref1.txt -c old.txt new.txt"""
#: Group -> command -> its function in this folder, imported when it runs, and its summary.
COMMANDS = {
    START: {
        "score": ("score:score", "score systems (--parts adds precision and recall)"),
        "compare": ("compare:compare", "test whether one system is better than another"),
        "show": ("show:show", "show sentences with their edits: wrong, missed, false alarms"),
        "report": ("report:report", "write scores, differences and sentences to one HTML file"),
    },
    "Score and explain": {
        "rank": ("rank:rank", "rank systems by sentence-level wins"),
        "suite": ("suite:suite", "score the test sets of a benchmark in one table"),
        "gate": ("gate:gate", "fail if a score is below a threshold, for continuous integration"),
        "detect": ("detect:detect", "score error detection, token by token"),
        "sweep": ("sweep:sweep", "score at thresholds of confidence and find the best one"),
        "explain": ("explain:explain", "explain the scores of one sentence, edit by edit"),
    },
    "Text and edits": {
        "annotate": ("annotate:annotate", "extract the edits of corrected text: M2, chunks"),
        "m2": ("", "check, count, compare, filter, merge and convert M2 files"),
        "prepare": ("prepare:prepare", "clean, tokenise and normalise raw text"),
        "language": ("", "list the languages, or build a table from a treebank"),
    },
    "Choose": {
        "filter": ("filter:filter", "keep pairs of a table or of files that meet a condition"),
        "select": ("select:select", "choose one of several corrections of each sentence"),
    },
    "People": {
        "meta": ("meta:meta", "measure the agreement of metrics with human judgments"),
        "post-edit": ("post_edit:post_edit", "write a sheet in which people correct outputs, and read it back"),
    },
    "Set up": {
        "metrics": ("metrics:metrics", "list the metrics, or the settings (modes, models) of one"),
        "reproduce": ("reproduce:reproduce", "repeat a run recorded by --record and list the differences"),
        "install-scripts": (
            "install_scripts:install_scripts",
            "install the public tools' commands as scripts",
        ),
        "completion": ("completion:completion", "print a completion script for bash, zsh or fish"),
    },
}
#: Command -> action -> its function and its summary.
ACTIONS = {
    "m2": {
        "check": ("m2.check:check", "list every fault of M2 files with its line"),
        "stats": ("m2.stats:stats", "count sentences, edits, types, lengths and agreement"),
        "source": ("m2.source:source", "print the sentences as text"),
        "diff": ("m2.diff:diff_annotations", "compare two annotations of one text, edit by edit"),
        "apply": ("m2.apply:apply", "print the sentences as corrected by one annotator"),
        "filter": (
            "m2.filter:filter_edits",
            "keep edits by type, operation, length or annotator",
        ),
        "merge": ("m2.merge:merge", "merge the annotators of several M2 files into one file"),
        "vote": (
            "m2.vote:vote",
            "keep the edits that at least N files contain; write M2 or text",
        ),
        "convert": (
            "m2.convert:convert",
            "convert M2 to and from JSON Lines, and between ERRANT's and ChERRANT's dialect",
        ),
        "weights": (
            "m2.weights:weights",
            "write GoToScorer's weights: the number of systems that correct each gold chunk",
        ),
    },
    "language": {
        "list": ("language.list:list_languages", "list the available languages and annotators"),
        "make": ("language.make:make_language", "build the table of a language from a treebank"),
    },
}
#: All commands -> their summaries.
SUMMARIES = {name: summary for commands in COMMANDS.values() for name, (_, summary) in commands.items()}


def make_command_line() -> App:
    """Return the command line, with its commands in groups."""
    app = make_app("geceval", "evaluate grammatical error correction")
    for title, commands in COMMANDS.items():
        group = Group.create_ordered(title, help=EXAMPLE if title == START else "")
        for place, (name, (function, summary)) in enumerate(commands.items()):
            if name in ACTIONS:
                app.command(_with_actions(name, summary, group=group, sort_key=place))
            else:
                _add(app, name, function, summary, group=group, sort_key=place)
    return app


def _with_actions(name: str, summary: str, **facts: Any) -> App:
    app = make_app(name, summary, **facts)
    group = Group("actions")
    for place, (action, (function, about)) in enumerate(ACTIONS[name].items()):
        _add(app, action, function, about, group=group, sort_key=place)
    return app


def _add(app: App, name: str, function: str, summary: str, **facts: Any) -> None:
    about = f"{summary[0].upper()}{summary[1:]}."
    app.command(f"geceval.commands.{function}", name=name, help=about, **facts)


def run_command(words: Sequence[str]) -> None:
    """Run a command line, or print its help.

    Raises:
        UsageError: The command is unknown; other errors: see geceval.commands.shared.command_line.run.
    """
    app, name = make_command_line(), next((word for word in words if not word.startswith("-")), None)
    if name is not None and name not in SUMMARIES:
        metrics = importlib.import_module("geceval.counting.metric_classes").METRICS.builtin  # only for this error
        hint = f"geceval score -m {name}" if name in metrics else did_you_mean(name, [*SUMMARIES, *DROPINS])
        raise UsageError(f"unknown command {name!r}", hint=hint or "geceval --help")
    run(app, words)
    if name is None and set(HELP_FLAGS) & set(words):
        names = textwrap.fill(" ".join(DROPINS), 76, break_on_hyphens=False)
        print("\nCommands of the public tools, with their options and output:")
        print(textwrap.indent(names, "  "))
        print("\nWith --encoding NAME, such as cp1252, commands read files that are not UTF-8.")
        print(f"geceval COMMAND --help prints the main options, {HELP_ALL} all options.")
