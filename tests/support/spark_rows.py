"""The corpus of examples/ as rows of data frames."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import geceval
from support.examples import CAREFUL, NOISY, REFERENCES, SOURCE

#: ``frame(rows, schema, partitions)``: a data frame of Spark.
Frame = Callable[..., Any]

#: The example's columns in a data frame.
COLUMNS: dict[str, Any] = {"source": "source", "hypothesis": "system", "references": ["ref0", "ref1"]}
ROWS = list(zip(range(len(SOURCE)), SOURCE, CAREFUL, *REFERENCES, strict=True))
SCHEMA = "id long, source string, system string, ref0 string, ref1 string"
CORPUS = geceval.Corpus(SOURCE, REFERENCES, {"hypothesis": CAREFUL})
LONG = [(*row, "careful") for row in ROWS] + [
    (s, source, system, one, other, "noisy")
    for s, source, system, one, other in zip(range(len(SOURCE)), SOURCE, NOISY, *REFERENCES, strict=True)
]
