"""Suites: several test sets, their metrics and the systems' outputs, defined in one file; data known by checksum; records."""
