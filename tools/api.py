"""The API reference, docs/api.md, out of the docstrings of what ``import geceval`` offers.

    python tools/api.py            # writes docs/api.md
    python tools/api.py --check    # exit status 1 unless it is current

A name's section is that of the room its module lies in; a room without a title here has its own name.
"""

from __future__ import annotations

import argparse
import inspect
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import geceval

PAGE = Path(__file__).parents[1] / "docs" / "api.md"
TITLES = {
    "integrations": "Results, tables, rewards",
    "scoring": "Scoring again and again",
    "metrics": "Metrics",
    "comparison": "Comparison of systems",
    "suites": "Suites",
    "explaining": "Explaining",
    "counting": "Counts, policies, groups",
    "text": "Text",
    "edits": "Edits",
    "checks": "Checks",
    "judging": "Judges",
    "errors": "Errors and warnings",
    "_kernel": "Version",
}
HEAD = """# API reference

Made from the docstrings by `tools/api.py`; every name is there after `import geceval`. How things go together:
[Python](python.md), [scoring](scoring.md), [comparison](comparison.md), [extending](extending.md). `geceval.m2`
([M2 files](m2.md)) and `geceval.studies.meta` ([meta-evaluation](meta-evaluation.md)) are modules of their own.
"""


def sections() -> dict[str, list[str]]:
    """The public names by room, rooms in the order of TITLES, then others by name."""
    found: dict[str, list[str]] = {}
    for name, module in geceval._PUBLIC.items():
        found.setdefault(module.split(".")[1], []).append(name)
    order = [*TITLES, *sorted(found.keys() - TITLES.keys())]
    return {room: sorted(found[room], key=str.lower) for room in order if room in found}


class Shown(str):
    """What stands in a signature as it is, without quotes."""

    def __repr__(self) -> str:
        return str(self)


def _shown(value: Any) -> Any:
    """A default: a function by its name, an object of ours as an ellipsis."""
    if inspect.isfunction(value):
        return Shown(value.__name__)
    return Shown("…") if " object at 0x" in repr(value) or repr(value) == "<factory>" else value


def signature(thing: Any) -> str:
    """The arguments as they are written; nothing where there are none to be seen."""
    try:
        found = inspect.signature(thing)
    except (TypeError, ValueError):
        return ""
    empty = inspect.Parameter.empty
    parameters = [
        one.replace(
            annotation=one.annotation if one.annotation is empty else Shown(one.annotation),
            default=one.default if one.default is empty else _shown(one.default),
        )
        for one in found.parameters.values()
        if one.name != "self"
    ]
    returned = found.return_annotation
    returns = empty if inspect.isclass(thing) or returned is empty else Shown(returned)
    return str(inspect.Signature(parameters, return_annotation=returns))


def prose(thing: Any) -> str:
    """The docstring, as Markdown; dataclasses have one that says nothing unless somebody wrote it."""
    text = inspect.cleandoc(thing.__doc__ or "")
    if inspect.isclass(thing) and re.match(rf"{thing.__name__}\(", text):
        return ""
    return text.replace("``", "`")


def members(cls: type) -> Iterator[tuple[str, Any]]:
    """The public methods and properties with a docstring that a class defines, or one of ours that it is made of and
    that has no entry of its own."""
    seen = set()
    for owner in cls.__mro__:
        others = owner is not cls and getattr(geceval, owner.__name__, None) is owner
        if owner.__module__.startswith("geceval.") and not others:
            for name, value in vars(owner).items():
                thing = value.__func__ if isinstance(value, (staticmethod, classmethod)) else value
                described = isinstance(thing, property) or inspect.isfunction(thing)
                if described and not name.startswith("_") and name not in seen and prose(thing):
                    seen.add(name)
                    yield name, thing


def entry(name: str, room: str) -> Iterator[str]:
    """What is said of a public name; of the metrics not what only they themselves call."""
    thing = getattr(geceval, name)
    callable_ = inspect.isfunction(thing) or inspect.isclass(thing)
    yield f"### `{name}`\n"
    if callable_ and signature(thing):
        yield f"    {name}{signature(thing)}\n"
    elif isinstance(thing, str):
        yield "The version, a string.\n"
    elif not callable_:
        yield f"    {thing!r}\n"
    if callable_ and prose(thing):
        yield f"{prose(thing)}\n"
    if inspect.isclass(thing) and room != "metrics":
        own = list(members(thing))
        for member, value in own:
            arguments = "" if isinstance(value, property) else signature(value)
            yield f"- `{member}{arguments}`: {' '.join(prose(value).split())}"
        if own:
            yield ""


def page() -> str:
    """The whole page."""
    parts = [HEAD]
    for room, names in sections().items():
        parts.append(f"## {TITLES.get(room, room)}\n")
        for name in names:
            parts += entry(name, room)
    return "\n".join(parts).rstrip() + "\n"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    if not parser.parse_args().check:
        PAGE.write_text(page(), encoding="utf-8")
        return 0
    if PAGE.read_text(encoding="utf-8") == page():
        return 0
    print("docs/api.md is not what the docstrings say: python tools/api.py writes it", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
