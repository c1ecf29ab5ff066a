"""Comparison of systems: intervals, tests, ranks, power."""
