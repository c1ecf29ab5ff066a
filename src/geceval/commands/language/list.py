"""``geceval language list``: list the available languages and annotators."""

from __future__ import annotations

from geceval.base.errors import MissingExtraError, UsageError
from geceval.base.hints import command_words
from geceval.commands.shared.options import TargetOption
from geceval.edits.languages import ANNOTATORS, language_of, make_annotator, types_of
from geceval.tables.table import plain_table
from geceval.tables.terminal import as_text
from geceval.terminal.messages import terminal_width
from geceval.terminal.writing import write_text


def list_languages(*, request: TargetOption = TargetOption()) -> None:
    """Write the name, signature, rules and types of each annotator.

    Examples:
      geceval language list
    """
    rows = [[name, *_about(name)] for name in ANNOTATORS.names()]
    table = plain_table(["name", "language", "in signatures", "rules", "types"], rows)
    write_text(request.target, as_text(table, width=terminal_width(request.target)))


def _about(name: str) -> list[str]:
    """Return the cells of an annotator, or its missing package."""
    kind, _, rest = name.partition(":")
    if rest.isupper():
        return [f"any: {rest}", "", "", ""]
    try:
        annotator = make_annotator(name)
    except MissingExtraError as error:
        return ["", f"needs {command_words(error.hint or '')}", "", ""]
    except UsageError:  # of another package, and not without more of a name
        return ["", f"{kind}:…", "", ""]
    return [language_of(annotator).code or "any", annotator.name, annotator.rules, types_of(annotator)]
