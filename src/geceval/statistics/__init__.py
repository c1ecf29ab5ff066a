"""Resampling, tests, correlations, rankings, exact sums and optimal transport."""

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]
