"""A metric's settings: what each one is for, and the one place where values are checked.

A setting is a field of the metric's dataclass. What it is for stands at the field, ``beta: float = setting(0.5,
"scoring")``; without that it decides what is counted. What values it takes follows from its type; the bounds of a
number stand at the field, too. Values are held against both when a metric is made, from Python as from a command line.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Mapping
from typing import Any, Literal, TypeAlias, get_args, get_origin, get_type_hints

from geceval.base.arguments import Bounds as Bounds
from geceval.base.arguments import check_bounds, choice, is_text, is_whole, plain_number, shown
from geceval.base.errors import UsageError

#: What a setting decides: what is counted; the score of given counts; which reference is chosen (named by the policy
#: in the signature); or nothing but time and memory, so that it is not in the signature.
Role: TypeAlias = Literal["counting", "scoring", "selecting", "unsigned"]


#: Weights of recall: F is defined for all from 0 on; the public tools compute it for finite ones only.
FROM_ZERO = Bounds(0, 1e150, infinite=True)
FINITE = Bounds(0, 1e150)


def setting(
    default: Any,
    role: Role = "counting",
    bounds: Bounds | None = None,
    hint: str | None = None,
    meaning: str = "",
) -> Any:
    """Return a field of a metric.

    Args:
        default: Value of the setting unless given.
        role: What the setting decides.
        bounds: Smallest and largest value of a number.
        hint: Hint of the error for other values.
        meaning: Noun phrase that ``geceval metrics NAME`` prints.
    """
    metadata = {"role": role, "bounds": bounds, "hint": hint, "meaning": meaning}
    return dataclasses.field(default=default, metadata=metadata)


def role_of(field: dataclasses.Field[Any]) -> Role:
    """Return what a setting decides."""
    role: Role = field.metadata.get("role", "counting")
    return role


@functools.cache
def settings_of(cls: type) -> Mapping[str, tuple[dataclasses.Field[Any], Any]]:
    """The settings of a metric's class by name, in order: the field and its type."""
    hints = get_type_hints(cls)
    return {field.name: (field, hints[field.name]) for field in dataclasses.fields(cls) if field.init}


def check(owner: object, name: str) -> None:
    """Raise UsageError unless every setting of ``owner`` has a value of its type and within its bounds.

    Numbers of other kinds, such as numpy's, become Python's own.
    """
    for key, (field, kind) in settings_of(type(owner)).items():  # type: ignore[arg-type]  # a type can be hashed
        given = getattr(owner, key)
        value = plain_number(given)
        if value is not given:
            object.__setattr__(owner, key, value)
        check_value(f"{name}: {key}", value, field, kind)


def check_value(name: str, value: Any, field: dataclasses.Field[Any], kind: Any) -> None:
    """Raise UsageError, with the ``name``, unless a setting can have the value."""
    bounds, hint = field.metadata.get("bounds"), field.metadata.get("hint")
    if get_origin(kind) is Literal:
        choice(name, value, get_args(kind))
    elif not any(_is_one(value, one) for one in _kinds(kind)):
        raise UsageError(f"{name} {_wanted(kind)}, not {shown(value)}", hint=hint)
    if isinstance(value, str) and not is_text(value):
        raise UsageError(f"{name} is text, not {shown(value)}", hint=hint)
    if bounds is not None and value is not None:
        check_bounds(name, value, bounds, hint)


def converted(name: str, key: str, value: Any, kind: Any) -> Any:
    """A value as a command line gives it, a string, as what the setting's type asks for; other values as they are."""
    if not isinstance(value, str):
        return value
    kinds = _kinds(kind)
    if value == "none" and type(None) in kinds:
        return None
    try:
        if bool in kinds:
            return {"yes": True, "true": True, "no": False, "false": False}[value.lower()]
        if int in kinds or float in kinds:
            return int(value) if int in kinds else float(value)
        if get_origin(kinds[0]) is Literal:
            return next((one for one in get_args(kinds[0]) if str(one).lower() == value.lower()), value)
    except (KeyError, ValueError):
        raise UsageError(f"{name}: {key} {_wanted(kind)}, not {shown(value)}") from None
    return value


def _kinds(kind: Any) -> tuple[Any, ...]:
    """The alternatives of a type."""
    return (kind,) if get_origin(kind) is Literal else get_args(kind) or (kind,)


def _is_one(value: Any, kind: Any) -> bool:
    if get_origin(kind) is Literal:
        return isinstance(value, str) and value in get_args(kind)
    if kind is int:
        return is_whole(value)
    if kind is float:
        return is_whole(value) or isinstance(value, float)
    return isinstance(value, kind)


_WORDS = {int: "a whole number", float: "a number", str: "text", bool: "yes or no", type(None): "none"}


def _wanted(kind: Any) -> str:
    kinds = _kinds(kind)
    if get_origin(kinds[0]) is Literal:
        return f"is one of {', '.join(map(str, get_args(kinds[0])))}"
    return f"takes {' or '.join(_WORDS.get(one, getattr(one, '__name__', str(one))) for one in kinds)}"
