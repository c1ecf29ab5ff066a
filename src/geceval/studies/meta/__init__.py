"""Meta-evaluation: agreement of metrics with human judgments and ratings."""

from __future__ import annotations

import importlib
import pkgutil
from types import ModuleType


def __getattr__(name: str) -> ModuleType:
    """Import a module of this package on its first use."""
    if name not in __dir__():
        raise AttributeError(f"module 'geceval.studies.meta' has no attribute {name!r}")
    return importlib.import_module(f"geceval.studies.meta.{name}")


def __dir__() -> list[str]:
    return sorted(module.name for module in pkgutil.iter_modules(__path__))
