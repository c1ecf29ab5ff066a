"""Score suites of test sets, and verify published numbers."""
