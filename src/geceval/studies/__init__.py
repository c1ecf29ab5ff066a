"""Questions asked of counts: comparison, agreement with people, explanations, suites."""
