"""Import scripts that belong to no package: tools, research, benchmarks."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[2]


def import_script(path: str | Path) -> ModuleType:
    """Import a script by its path from the root of the tree, as the scripts of its folder import it."""
    script = ROOT / path
    if str(script.parent) not in sys.path:
        sys.path.append(str(script.parent))
    return importlib.import_module(script.stem)


def run_main(script: ModuleType, *arguments: str | Path) -> int:
    """Return the exit status of a script's ``main`` with these arguments on its command line."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", [Path(str(script.__file__)).name, *map(str, arguments)])
        status: int = script.main()
    return status
