"""Resampled counts, and the intervals, tests and ranks that stand on them."""
