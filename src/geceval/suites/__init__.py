"""Suites of test sets with metrics, known data files, records of runs."""
