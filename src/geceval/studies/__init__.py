"""Studies of counts: comparison, meta-evaluation, explanations, suites."""
