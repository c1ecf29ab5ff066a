"""Convert ``math`` fences of the documentation from LaTeX to MathML, which browsers render without a script.

Python-Markdown calls ``fence`` (mkdocs.yml).
"""

from __future__ import annotations

import re
from typing import Any

from latex2mathml.converter import convert


def fence(source: str, language: str, css_class: str, options: dict[str, Any], md: Any, **kwargs: Any) -> str:
    r"""Return a block of formulas; ``\\`` separates lines, as in LaTeX."""
    lines = (line.strip() for line in re.sub(r"\\(begin|end)\{gathered\}", "", source).split(r"\\"))
    return f'<div class="{css_class}">' + "".join(convert(line, display="block") for line in lines if line) + "</div>"
