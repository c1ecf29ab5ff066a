"""Which system is better, and where: intervals, tests, ranks."""
