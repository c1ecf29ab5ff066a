"""Suites: test sets, their metrics and the systems' outputs in one file; data known by checksum; records of runs."""
