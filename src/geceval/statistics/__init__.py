"""Resampling, intervals, tests, clusters, correlations: knows numbers, not text."""
