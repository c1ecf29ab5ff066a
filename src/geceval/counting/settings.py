"""Define the settings of metrics with their roles, and check their values.

A setting is a field of the metric's dataclass, with its role: ``beta: float = setting(0.5, "scoring")``. The default
role is "counting". The type of the field and the bounds of a number determine the valid values. They are checked when
a metric is made, from Python and from the command line.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Mapping
from typing import Any, Literal, TypeAlias, get_args, get_origin, get_type_hints

from geceval.base.arguments import Bounds as Bounds
from geceval.base.arguments import check_bounds, choice, is_text, is_whole, plain_number, shown
from geceval.base.errors import UsageError

#: Effect of a setting: on what is prepared for all systems, on counts, on scores of counts, on the choice of references
#: (which the policy in the signature names), or only on time and memory, so that the signature does not contain it.
SettingRole: TypeAlias = Literal["preparing", "counting", "scoring", "selecting", "unsigned"]


#: Ranges of the weight of recall: F is defined for infinite weights, but public tools compute it for finite ones.
FROM_ZERO = Bounds(0, 1e150, infinite=True)
FINITE = Bounds(0, 1e150)


def setting(
    default: Any,
    role: SettingRole = "counting",
    bounds: Bounds | None = None,
    hint: str | None = None,
    meaning: str = "",
    network: bool = False,
) -> Any:
    """Return a field of a metric.

    Args:
        default: Value of the setting unless given.
        role: Effect of the setting.
        bounds: Smallest and largest value of a number.
        hint: Hint of the error for other values.
        meaning: Noun phrase that ``geceval metrics NAME`` prints.
        network: Whether its value names a pretrained network, which may be downloaded.

    Returns:
        A field for a dataclass.

    Raises:
        UsageError: If the role is unknown.
    """
    choice("role", role, get_args(SettingRole))
    metadata = {"role": role, "bounds": bounds, "hint": hint, "meaning": meaning, "network": network}
    return dataclasses.field(default=default, metadata=metadata)


@functools.cache
def settings_of(cls: type) -> Mapping[str, tuple[dataclasses.Field[Any], Any]]:
    """Return the settings of a metric's class by name, with field and type."""
    hints = get_type_hints(cls)
    return {field.name: (field, hints[field.name]) for field in dataclasses.fields(cls) if field.init}


def check(owner: object, name: str) -> None:
    """Raise UsageError unless every setting has a value of its type and bounds.

    Numbers of other kinds, such as numpy's, become Python's own.
    """
    for key, (field, kind) in settings_of(type(owner)).items():  # type: ignore[arg-type]  # a type can be hashed
        setting_value = getattr(owner, key)
        value = plain_number(setting_value)
        if value is not setting_value:
            object.__setattr__(owner, key, value)
        check_value(f"{name}: {key}", value, field, kind)


def check_value(name: str, value: Any, field: dataclasses.Field[Any], kind: Any) -> None:
    """Raise UsageError, with the ``name``, unless a setting can have the value."""
    bounds, hint = field.metadata.get("bounds"), field.metadata.get("hint")
    if get_origin(kind) is Literal:
        choice(name, value, get_args(kind))
    elif not any(_has_type(value, type_) for type_ in alternatives(kind)):
        raise UsageError(f"{name} {_valid_values(kind)}, not {shown(value)}", hint=hint)
    if isinstance(value, str) and not is_text(value):
        raise UsageError(f"{name} must be text, not {shown(value)}", hint=hint)
    if bounds is not None and value is not None:
        check_bounds(name, value, bounds, hint)


def convert_value(name: str, key: str, value: Any, kind: Any) -> Any:
    """Convert a string of a command line to the setting's type; keep other values.

    ``name`` is the name of the metric for messages.
    """
    if not isinstance(value, str):
        return value
    kinds = alternatives(kind)
    if value == "none" and type(None) in kinds:
        return None
    try:
        if bool in kinds:
            return {"yes": True, "true": True, "no": False, "false": False}[value.lower()]
        if int in kinds or float in kinds:
            return int(value) if int in kinds else float(value)
        if get_origin(kinds[0]) is Literal:
            return next((name for name in get_args(kinds[0]) if str(name).lower() == value.lower()), value)
    except (KeyError, ValueError):
        raise UsageError(f"{name}: {key} {_valid_values(kind)}, not {shown(value)}") from None
    return value


def alternatives(kind: Any) -> tuple[Any, ...]:
    """Return the alternatives of a type."""
    return (kind,) if get_origin(kind) is Literal else get_args(kind) or (kind,)


def _has_type(value: Any, kind: Any) -> bool:
    if get_origin(kind) is Literal:
        return isinstance(value, str) and value in get_args(kind)
    if kind is int:
        return is_whole(value)
    if kind is float:
        return is_whole(value) or isinstance(value, float)
    return isinstance(value, kind)


_WORDS = {int: "an integer", float: "a number", str: "text", bool: "True or False (yes or no)", type(None): "none"}


def _valid_values(kind: Any) -> str:
    kinds = alternatives(kind)
    if get_origin(kinds[0]) is Literal:
        return f"must be one of {', '.join(map(str, get_args(kinds[0])))}"
    return f"must be {' or '.join(_WORDS.get(type_, getattr(type_, '__name__', str(type_))) for type_ in kinds)}"
