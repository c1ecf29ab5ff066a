"""Write the API reference from the docstrings of the public names.

    python tools/api.py -o build    # part of make docs; writes api.md and api-extending.md

Each name is in the section of its module's package.
"""

from __future__ import annotations

import argparse
import ast
import inspect
import re
import textwrap
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import geceval
from geceval import extending

#: Section titles by package; the longest matching package decides.
TITLES = {
    "scoring": "Results",
    "integrations": "Tables, rewards",
    "selection": "Choice of candidates",
    "metrics": "Metrics",
    "comparison": "Comparison of systems",
    "resampling": "Comparison of systems",
    "agreement": "Agreement with people",
    "suites": "Suites",
    "inspection": "Explaining",
    "results": "Explaining",
    "counting": "Counting",
    "text": "Text",
    "edits": "Edits",
    "counting.checks": "Checks",
    "metrics.judging": "Judges",
    "base": "Errors and warnings",
    "_kernel": "Version",
}
HEAD = """# API reference

The public names of `import geceval`, from their docstrings. Guides: [Python](../docs/python.md),
[scoring](../docs/scoring.md), [comparison](../docs/comparison.md). The names for authors of metrics
and formats are in [`geceval.extending`](api-extending.md). The modules `geceval.m2`,
`geceval.detection` and `geceval.errant` are on the pages [M2 files](../docs/m2.md),
[error detection](../docs/checkers.md#error-detection) and
[ERRANT's Python API](../docs/other-tools.md#errant-in-python).
"""
HEAD_EXTENDING = """# API reference: geceval.extending

The public names of `geceval.extending`, from their docstrings: for authors of metrics, annotators,
tokenisers, formats and judges ([guide](../docs/extending.md)), with the types of results and of
suites. The other names are in [`geceval`](api.md).
"""


def package_of(module: str) -> str:
    """Return the package of TITLES that a module belongs to."""
    within = module.removeprefix("geceval.") + "."
    return max((package for package in TITLES if within.startswith(f"{package}.")), key=len)


def sections(path: Path) -> dict[str, list[str]]:
    """Return the names that a file imports from modules of geceval, by package in the order of TITLES."""
    names: dict[str, list[str]] = {}
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.ImportFrom) and node.module:
            names.setdefault(package_of(node.module), []).extend(alias.name for alias in node.names)
    return {package: sorted(names[package], key=str.lower) for package in TITLES if package in names}


class Verbatim(str):
    """Text whose repr has no quotes."""

    def __repr__(self) -> str:
        return str(self)


def default_text(value: Any) -> Any:
    """Return a default as a signature prints it: a function by name, other objects as an ellipsis."""
    if inspect.isfunction(value):
        return Verbatim(value.__name__)
    return Verbatim("…") if " object at 0x" in repr(value) or repr(value) == "<factory>" else value


def signature(thing: Any) -> str:
    """Return the signature as text; empty if it is not available."""
    try:
        declared = inspect.signature(thing)
    except (TypeError, ValueError):
        return ""
    empty = inspect.Parameter.empty
    parameters = [
        parameter.replace(
            annotation=parameter.annotation if parameter.annotation is empty else Verbatim(parameter.annotation),
            default=parameter.default if parameter.default is empty else default_text(parameter.default),
        )
        for parameter in declared.parameters.values()
        if parameter.name != "self"
    ]
    annotation = declared.return_annotation
    returns = empty if inspect.isclass(thing) or annotation is empty else Verbatim(annotation)
    return str(inspect.Signature(parameters, return_annotation=returns))


def prose(thing: Any) -> str:
    """Return the docstring as Markdown; empty for a dataclass whose docstring is generated."""
    text = inspect.cleandoc(thing.__doc__ or "")
    if inspect.isclass(thing) and re.match(rf"{thing.__name__}\(", text):
        return ""
    return SECTION.sub(_section, text).replace("``", "`").rstrip()


#: A section of a docstring: its title, and indented lines.
SECTION = re.compile(r"^(Args|Attributes|Returns|Yields|Raises|Source):\n((?:(?: {4}.*)?(?:\n|\Z))+)", re.MULTILINE)


def _section(match: re.Match[str]) -> str:
    """Return a section as a list, or as a sentence if it does not describe names."""
    title, body = match.groups()
    items = [" ".join(item.split()) for item in re.split(r"\n(?=\S)", textwrap.dedent(body).strip())]
    if title in ("Returns", "Yields", "Source"):
        return f"*{title}*: {' '.join(items)}\n\n"
    return f"*{title}*:\n\n" + "".join(re.sub(r"^(\w+): ", r"- `\1`: ", item) + "\n" for item in items) + "\n"


def members(cls: type) -> Iterator[tuple[str, Any]]:
    """Yield the documented methods and properties of a class and of its bases without an entry of their own."""
    seen = set()
    for owner in cls.__mro__:
        is_public = owner.__name__ in extending.__all__ or owner.__name__ in geceval.__all__
        if owner.__module__.startswith("geceval.") and (owner is cls or not is_public):
            for name, value in vars(owner).items():
                thing = value.__func__ if isinstance(value, (staticmethod, classmethod)) else value
                is_member = isinstance(thing, property) or inspect.isfunction(thing)
                if is_member and not name.startswith("_") and name not in seen and prose(thing):
                    seen.add(name)
                    yield name, thing


def entry(name: str, thing: Any, package: str) -> Iterator[str]:
    """Yield the lines of the entry of a public name; entries of metrics have no members."""
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
    if inspect.isclass(thing) and package != "metrics":
        documented = list(members(thing))
        if documented:
            yield "*Methods and properties*:\n"
        for member, value in documented:
            arguments = "" if isinstance(value, property) else signature(value)
            yield f"- `{member}{arguments}`: {textwrap.indent(prose(value), ' ' * 4).lstrip()}\n"


def page(module: ModuleType, imports: Path, head: str) -> str:
    """Return the page of the names that a module imports in a file."""
    parts = [head]
    for package, names in sections(imports).items():
        parts.append(f"## {TITLES[package]}\n")
        for name in names:
            parts += entry(name, getattr(module, name), package)
    return "\n".join(parts).rstrip() + "\n"


def pages() -> dict[str, str]:
    """Return the pages by file name."""
    stub = Path(geceval.__file__).with_suffix(".pyi")
    return {
        "api.md": page(geceval, stub, HEAD),
        "api-extending.md": page(extending, Path(extending.__file__), HEAD_EXTENDING),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-o", "--output", type=Path, required=True)
    output = parser.parse_args().output
    output.mkdir(parents=True, exist_ok=True)
    for name, text in pages().items():
        (output / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
