"""The table of simulated comparisons of systems with several runs."""

from __future__ import annotations

import re
from pathlib import Path

from support.simulated_runs import table_rows

PAGE = Path(__file__).parents[2] / "docs" / "significance.md"


def test_page_has_the_simulated_shares_of_rejections() -> None:
    table = re.search(r"<!-- begin: runs -->(.*?)<!-- end: runs -->", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert table is not None
    rows = [line.strip("| ").split(" | ") for line in table[1].strip().splitlines()[2:]]
    for printed, computed in zip(rows, table_rows(), strict=True):
        assert printed[:2] == computed[:2]
        for first, second in zip(printed[2:], computed[2:], strict=True):
            # Another BLAS rounds sums differently, which can move a p-value across 5 %.
            numbers = [[float(number) for number in re.findall(r"[0-9.]+", cell)] for cell in (first, second)]
            assert all(abs(a - b) <= 0.11 for a, b in zip(*numbers, strict=True) if b < 9.9), (printed, computed)
            assert numbers[1][0] <= (5.9 if computed[1] == "as described" else 8.1)
