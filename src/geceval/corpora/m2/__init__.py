"""``geceval m2``: check, count, compare, filter, merge and convert M2 files."""
