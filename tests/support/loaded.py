"""Modules that stand in no package, by their files: tools, benchmarks, scripts beside recorded outputs."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType


def loaded(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module  # while it is made its dataclasses look it up by name
    try:
        spec.loader.exec_module(module)
    finally:
        del sys.modules[path.stem]
    return module
