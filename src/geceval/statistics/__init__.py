"""Resampling, intervals, tests, correlations, rankings, exact sums and transport of arrays of numbers."""

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]
