"""The names of the commands, each with its function and its summary.

``geceval completion``: print a completion script.
"""

from __future__ import annotations

import importlib
import textwrap
from collections.abc import Sequence
from typing import Annotated, Any, Literal

from cyclopts import App, Group, Parameter

from geceval.base.arguments import did_you_mean
from geceval.base.errors import UsageError
from geceval.cli.command_line import HELP_FLAGS, make_app, run
from geceval.dropins import DROPINS

#: Group -> command -> its function, imported when it runs, and its summary.
COMMANDS = {
    "Score": {
        "score": ("scoring.score_command:score", "score systems (--parts adds precision and recall)"),
        "compare": ("comparison.compare_command:compare", "test whether one system is better than another"),
        "rank": ("comparison.rank_command:rank", "rank systems by sentence-level wins"),
        "suite": ("suites.suite_command:suite", "score the test sets of a benchmark in one table"),
        "gate": ("scoring.gate_command:gate", "fail if a score is below a threshold, for continuous integration"),
        "detect": ("scoring.detect_command:detect", "score error detection, token by token"),
        "sweep": ("reporting.sweep_command:sweep", "score at thresholds of confidence and find the best one"),
    },
    "Look": {
        "report": ("reporting.report_command:report", "write scores, differences and sentences to one HTML file"),
        "show": ("inspection.show_command:show", "show sentences with their edits: wrong, missed, false alarms"),
        "explain": ("inspection.explain_command:explain", "explain the scores of one sentence, edit by edit"),
    },
    "Text and edits": {
        "annotate": ("corpora.annotate_command:annotate", "extract the edits of corrected text: M2, chunks"),
        "m2": ("", "check, count, compare, filter, merge and convert M2 files"),
        "prepare": ("corpora.prepare_command:prepare", "clean, tokenise and normalise raw text"),
        "language": ("", "list the languages, or build a table from a treebank"),
    },
    "Choose": {
        "filter": ("corpora.filter_command:filter", "keep pairs of a table or of files that meet a condition"),
        "select": ("corpora.select_command:select", "choose one of several corrections of each sentence"),
    },
    "People": {
        "meta": ("agreement.meta_command:meta", "measure the agreement of metrics with human judgments"),
    },
    "Set up": {
        "metrics": ("app.metrics_command:metrics", "list the metrics, or the settings (modes, models) of one"),
        "reproduce": ("app.reproduce_command:reproduce", "repeat a run recorded by --record and list the differences"),
        "install-scripts": (
            "app.install_scripts_command:install_scripts",
            "install the public tools' commands as scripts",
        ),
        "completion": ("app.commands:completion", "print a completion script for bash, zsh or fish"),
    },
}
#: Command -> action -> its function and its summary.
ACTIONS = {
    "m2": {
        "check": ("corpora.m2_check_command:check", "list every fault of M2 files with its line"),
        "stats": ("corpora.m2_check_command:stats", "count sentences, edits, types, lengths and agreement"),
        "source": ("corpora.m2_check_command:source", "print the sentences as text"),
        "diff": ("corpora.m2_diff_command:diff_annotations", "compare two annotations of one text, edit by edit"),
        "apply": ("corpora.m2_edit_commands:apply", "print the sentences as corrected by one annotator"),
        "filter": (
            "corpora.m2_edit_commands:filter_edits",
            "keep edits by type, operation, length or annotator",
        ),
        "merge": ("corpora.m2_edit_commands:merge", "merge the annotators of several M2 files into one file"),
        "vote": (
            "corpora.m2_edit_commands:vote",
            "keep the edits that at least N files contain; write M2 or text",
        ),
        "convert": (
            "corpora.m2_edit_commands:convert",
            "convert M2 to and from JSON Lines, and between ERRANT's and ChERRANT's dialect",
        ),
        "weights": (
            "corpora.m2_edit_commands:weights",
            "write GoToScorer's weights: the number of systems that correct each gold chunk",
        ),
    },
    "language": {
        "list": ("app.language_command:list_languages", "list the available languages and annotators"),
        "make": ("app.language_command:make_language", "build the table of a language from a treebank"),
    },
}
#: All commands -> their summaries.
SUMMARIES = {name: summary for commands in COMMANDS.values() for name, (_, summary) in commands.items()}


def make_command_line() -> App:
    """Return the command line, with its commands in groups."""
    app = make_app("geceval", "evaluate grammatical error correction")
    for title, commands in COMMANDS.items():
        group = Group.create_ordered(title)
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
    app.command(f"geceval.{function}", name=name, help=about, **facts)


def run_command(words: Sequence[str]) -> None:
    """Run a command line, or print its help.

    Raises:
        UsageError: The command is unknown; other errors: see geceval.cli.command_line.run.
    """
    app, name = make_command_line(), next((word for word in words if not word.startswith("-")), None)
    if name is not None and name not in SUMMARIES:
        metrics = importlib.import_module("geceval.counting.metric_names").METRICS.builtin  # only for this error
        hint = f"geceval score -m {name}" if name in metrics else did_you_mean(name, [*SUMMARIES, *DROPINS])
        raise UsageError(f"unknown command {name!r}", hint=hint or "geceval --help")
    run(app, words)
    if name is None and set(HELP_FLAGS) & set(words):
        names = textwrap.fill(" ".join(DROPINS), 76, break_on_hyphens=False)
        print("\nCommands of the public tools, with their options and output:")
        print(textwrap.indent(names, "  "))
        print("\nWith --encoding NAME, such as cp1252, commands read files that are not UTF-8.")
        print("geceval help COMMAND prints the options and examples of a command.")


def completion(
    shell: Annotated[Literal["bash", "zsh", "fish"], Parameter(name="SHELL", help="bash, zsh or fish")], /
) -> None:
    """Print the script.

    Examples:
      eval "$(geceval completion bash)"
    """
    print(make_command_line().generate_completion(shell=shell))
