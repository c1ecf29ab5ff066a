"""Compare and rank systems: intervals, tests, changes of sentences, power."""
