"""Resampling, intervals, tests, rankings, exact sums, transport: numbers only."""

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]
