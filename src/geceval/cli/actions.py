"""Commands with actions of their own: ``geceval m2 check``, ``geceval language make``."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from typing import TypeAlias

#: One line of help, what adds its arguments, what runs it.
Action: TypeAlias = tuple[str, Callable[[argparse.ArgumentParser], None], Callable[[argparse.Namespace], None]]


def add_actions(parser: argparse.ArgumentParser, actions: Mapping[str, Action]) -> None:
    """An action by its name must follow."""
    parsers = parser.add_subparsers(dest="action", metavar="ACTION", title="actions", required=True)
    for name, (summary, add, _) in actions.items():
        action = parsers.add_parser(name, help=summary, description=summary)
        add(action)
        action.set_defaults(parser=action)
